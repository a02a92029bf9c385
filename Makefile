# make demo   sets everything up, grades and publishes the demo bundle, and leaves the site running (STAY=no ends it)
# make test   installs what the tests need and runs them all
PORT ?= 8000
STAY ?= yes
PYTHON_IN_VENV = .venv/bin/python
.PHONY: demo run setup setup-dev test lint screenshots client bench-site bench-likeness scenarios services

demo: setup
	@$(PYTHON_IN_VENV) -m demo.run --port $(PORT) --stay $(STAY)

run: setup
	@$(PYTHON_IN_VENV) manage.py run_site --port $(PORT)

setup:
	@deploy/setup.sh requirements.txt

setup-dev:
	@deploy/setup.sh requirements-dev.txt

test: setup-dev
	@$(PYTHON_IN_VENV) -m pytest $(ARGS)

client: setup-dev
	@cd client && ../$(PYTHON_IN_VENV) -m hatchling build -t wheel

bench-likeness:
	@deploy/setup.sh requirements-dev.txt >&2
	@$(PYTHON_IN_VENV) -m bench.fingerprints $(if $(JSON),--json) $(ARGS)

# What it prints may be read by a program, so that setting up must not print there too.
bench-site:
	@deploy/setup.sh requirements-dev.txt >&2
	@$(PYTHON_IN_VENV) -m bench.site $(if $(JSON),--json) $(ARGS)

# ARGS: --only NAME …, --also FOLDER … (docs/scenarios.md)
scenarios: setup
	@$(PYTHON_IN_VENV) -m tests.scenarios $(ARGS)

# ARGS: which of postgres, rabbitmq, redis; --in FOLDER keeps their files
services: setup-dev
	@$(PYTHON_IN_VENV) -m tests.services $(ARGS)

screenshots: setup-dev
	@$(PYTHON_IN_VENV) -m tests.browser.screenshots

lint: setup-dev
	@.venv/bin/ruff check . && .venv/bin/ruff format --check . && .venv/bin/mypy .
