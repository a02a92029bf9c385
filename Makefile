# make demo   sets everything up, grades and publishes the demo bundle, and leaves the site running (STAY=no ends it)
# make test   installs what the tests need and runs them all
PORT ?= 8000
STAY ?= yes
PYTHON_IN_VENV = .venv/bin/python
# A site is a dozen processes, and tests start many sites: each source is compiled once, not once in each of them.
export PYTHONDONTWRITEBYTECODE =
.PHONY: demo run setup setup-dev test lint screenshots client bench-site bench-likeness bench-load bench-uploads bench-soak scenarios services faults

demo: setup
	@$(PYTHON_IN_VENV) -m demo.run --port $(PORT) --stay $(STAY)

run: setup
	@$(PYTHON_IN_VENV) manage.py run_site --port $(PORT)

setup:
	@deploy/setup.sh requirements.txt

setup-dev:
	@deploy/setup.sh requirements-dev.txt

# ON=services: on PostgreSQL, RabbitMQ and S3. ON=redis: what talks with a broker, on Redis. They end with the tests.
ON_services = $(PYTHON_IN_VENV) -m tests.services postgres rabbitmq --run env TEST_STORAGE=s3
ON_redis = $(PYTHON_IN_VENV) -m tests.services redis --run
ARGS_redis = tests/site tests/leaderboard/test_brokers.py
test: setup-dev
	$(if $(ON),$(if $(ON_$(ON)),,$(error ON=$(ON): there are services and redis)))
	@$(ON_$(ON)) $(PYTHON_IN_VENV) -m pytest $(ARGS_$(ON)) $(ARGS)

# Prints the wheel's path as it is from here.
client:
	@deploy/setup.sh requirements-client.txt >&2
	@wheel=$$(cd client && ../$(PYTHON_IN_VENV) -m hatchling build -t wheel) && echo "client/$$wheel"

bench-likeness:
	@deploy/setup.sh requirements-dev.txt >&2
	@$(PYTHON_IN_VENV) -m bench.fingerprints $(if $(JSON),--json) $(ARGS)

# What it prints may be read by a program, so that setting up must not print there too.
bench-site:
	@deploy/setup.sh requirements-dev.txt >&2
	@$(PYTHON_IN_VENV) -m bench.site $(if $(JSON),--json) $(ARGS)

# ARGS: --only NAME … and others (docs/performance.md); of both below too
bench-load:
	@deploy/setup.sh requirements-dev.txt >&2
	@$(PYTHON_IN_VENV) -m bench.load $(if $(JSON),--json) $(ARGS)

bench-uploads:
	@deploy/setup.sh requirements-dev.txt >&2
	@$(PYTHON_IN_VENV) -m bench.load_uploads $(if $(JSON),--json) $(ARGS)

bench-soak:
	@deploy/setup.sh requirements-dev.txt >&2
	@$(PYTHON_IN_VENV) -m bench.load_soak $(if $(JSON),--json) $(ARGS)

# ARGS: --only NAME …, --also FOLDER … (docs/scenarios.md)
scenarios: setup
	@$(PYTHON_IN_VENV) -m tests.scenarios $(ARGS)

# ARGS: --quick, --only WORD …, --json FILE (docs/reliability.md)
faults: setup-dev
	@$(PYTHON_IN_VENV) -m tests.faults $(ARGS)

# ARGS: which of postgres, rabbitmq, redis; --in FOLDER keeps their files
services: setup-dev
	@$(PYTHON_IN_VENV) -m tests.services $(ARGS)

screenshots: setup-dev
	@$(PYTHON_IN_VENV) -m tests.browser.screenshots

lint: setup-dev
	@.venv/bin/ruff check . && .venv/bin/ruff format --check . && .venv/bin/mypy .
