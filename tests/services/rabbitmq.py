"""RabbitMQ from Debian, with a node, an Erlang port mapper and ports of its own beside any other."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.services.processes import ServiceMissing, answers, free_port, running

# Debian's wrapper turns into the system user; the server itself may be anybody's.
PROGRAMS = ("/usr/lib/rabbitmq/bin/rabbitmq-server", "rabbitmq-server")
# Parts of one broker that know nothing of each other: a site takes one, so that none gets another's messages.
PARTS = ("/", *(f"part{number}" for number in range(64)))


@contextmanager
def rabbitmq(folder: Path) -> Iterator[str]:
    """Yields the BROKER_URL of an empty broker."""
    program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
    mapping = shutil.which("epmd")
    if program is None or mapping is None:
        raise ServiceMissing("RabbitMQ is not installed: apt-get install rabbitmq-server")
    folder.mkdir(parents=True, exist_ok=True)
    port, distribution, mapper = free_port(), free_port(), free_port()
    settings = folder / "rabbitmq.conf"
    definitions = folder / "definitions.json"
    definitions.write_text(json.dumps(defined()))
    settings.write_text(
        f"listeners.tcp.1 = 127.0.0.1:{port}\nloopback_users = none\nload_definitions = {definitions}\n"
    )
    (folder / "plugins").write_text("[].\n")
    environment = {
        **os.environ,
        "HOME": str(folder),
        "ERL_EPMD_PORT": str(mapper),
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODENAME": f"leaderboard-{port}@localhost",
        "RABBITMQ_DIST_PORT": str(distribution),
        "RABBITMQ_CONFIG_FILE": str(settings.with_suffix("")),
        "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
        "RABBITMQ_LOG_BASE": str(folder / "logs"),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
        "RABBITMQ_PID_FILE": str(folder / "pid"),
    }
    # Started here, since the node would start one that outlives it.
    mapper_command = [mapping, "-port", str(mapper), "-address", "127.0.0.1"]
    with (
        running(mapper_command, folder / "mapper.log", lambda: answers(mapper)),
        running([program], folder / "log", lambda: answers(port), environment),
    ):
        yield f"amqp://guest:guest@127.0.0.1:{port}//"


def defined() -> dict[str, object]:
    """What the broker starts with. Naming anything at all, one must name the usual user too."""
    everything = {"configure": ".*", "write": ".*", "read": ".*"}
    return {
        "users": [{"name": "guest", "password": "guest", "tags": ["administrator"]}],
        "vhosts": [{"name": name} for name in PARTS],
        "permissions": [{"user": "guest", "vhost": name, **everything} for name in PARTS],
    }


def part_of(address: str, number: int) -> str:
    """The address of one of its PARTS, from that of the whole."""
    return f"{address.removesuffix('//')}/{PARTS[number]}"
