"""Starting a service, waiting until it answers, and ending all of it."""

import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

READY_WITHIN_S = 900.0  # It stops a hang, and is no measure of speed: others may have the cores.
STOP_WITHIN_S = 60.0


class ServiceMissing(Exception):
    """The service is not installed here; says how to install it."""


def free_port() -> int:
    """A port nobody has at the moment. Another may take it before it is used; then the service says so."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


@contextlib.contextmanager
def running(
    command: Sequence[str],
    log: Path,
    is_ready: Callable[[], bool],
    environment: Mapping[str, str] | None = None,
) -> Iterator["subprocess.Popen[bytes]"]:
    """Yields once it is ready. Raises RuntimeError with the end of its log where it ends before, or is too slow."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=environment,
            start_new_session=True,
        )
    try:
        _wait(process, log, is_ready)
        yield process
    finally:
        _end(process)


def _wait(process: "subprocess.Popen[bytes]", log: Path, is_ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + READY_WITHIN_S
    while not is_ready():
        if process.poll() is not None or time.monotonic() > deadline:
            said = log.read_text(errors="replace")[-2000:]
            raise RuntimeError(f"{process.args!r} did not become ready:\n{said}")
        time.sleep(0.05)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Asks its whole group to end, and kills what is left: some services are a shell script around a server."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(STOP_WITHIN_S)
            break
