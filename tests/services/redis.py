"""Redis from Debian."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.services.processes import ServiceMissing, answers, free_port, running


@contextmanager
def redis(folder: Path) -> Iterator[str]:
    """Yields the BROKER_URL of an empty server that keeps what it is told in a file."""
    program = shutil.which("redis-server")
    if program is None:
        raise ServiceMissing("Redis is not installed: apt-get install redis-server")
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    command = (
        program,
        "--port",
        str(port),
        "--bind",
        "127.0.0.1",
        "--dir",
        str(folder),
        "--databases",
        "64",
        "--appendonly",
        "yes",
    )
    with running(command, folder / "log", lambda: answers(port)):
        yield f"redis://127.0.0.1:{port}/0"
