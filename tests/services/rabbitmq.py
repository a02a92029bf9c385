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
# Parts of one broker that know nothing of each other: a site takes one, so that none gets another's messages. To make
# one takes the broker a while when it starts.
PARTS = ("/", *(f"part{number}" for number in range(24)))
# Its threads wait without using a core that the tests could have.
AT_REST = "+sbwt none +sbwtdcpu none +sbwtdio none"


@contextmanager
def rabbitmq(folder: Path) -> Iterator[str]:
    """Yields the BROKER_URL of an empty broker."""
    program, mapping = find_programs()
    port, mapper = free_port(), free_port()
    environment = prepare_node(folder, port, mapper)
    # Started here, since the node would start one that outlives it.
    with (
        running(mapper_command(mapping, mapper), folder / "mapper.log", lambda: answers(mapper)),
        running([program], folder / "log", lambda: answers(port), environment),
    ):
        yield address_of(port)


def find_programs() -> tuple[str, str]:
    """The broker, and the port mapper that it wants. Raises ServiceMissing."""
    program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
    mapping = shutil.which("epmd")
    if program is None or mapping is None:
        raise ServiceMissing("RabbitMQ is not installed: apt-get install rabbitmq-server")
    return program, mapping


def mapper_command(program: str, port: int) -> list[str]:
    return [program, "-port", str(port), "-address", "127.0.0.1"]


def address_of(port: int) -> str:
    return f"amqp://guest:guest@127.0.0.1:{port}//"


def prepare_node(folder: Path, port: int, mapper: int) -> dict[str, str]:
    """Writes the settings of a node with these ports into the folder. The environment to start it with."""
    folder.mkdir(parents=True, exist_ok=True)
    settings, definitions = folder / "rabbitmq.conf", folder / "definitions.json"
    definitions.write_text(json.dumps(defined()))
    settings.write_text(
        f"listeners.tcp.1 = 127.0.0.1:{port}\nloopback_users = none\nload_definitions = {definitions}\n"
    )
    (folder / "plugins").write_text("[].\n")
    return {
        **os.environ,
        "HOME": str(folder),
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": AT_REST,
        "ERL_EPMD_PORT": str(mapper),
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODENAME": f"leaderboard-{port}@localhost",
        "RABBITMQ_DIST_PORT": str(free_port()),
        "RABBITMQ_CONFIG_FILE": str(settings.with_suffix("")),
        "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
        "RABBITMQ_LOG_BASE": str(folder / "logs"),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
        "RABBITMQ_PID_FILE": str(folder / "pid"),
    }


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
