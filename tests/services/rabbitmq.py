"""RabbitMQ from Debian, with a node, an Erlang port mapper and ports of its own beside any other."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.services.processes import ServiceMissing, answers, free_port, running

# Debian's wrapper turns into the system user; the server itself may be anybody's.
PROGRAMS = ("/usr/lib/rabbitmq/bin/rabbitmq-server", "rabbitmq-server")


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
    settings.write_text(f"listeners.tcp.1 = 127.0.0.1:{port}\nloopback_users = none\n")
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
