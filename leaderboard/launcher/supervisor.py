"""Starts processes, restarts those that die, and stops them all together."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

RESTART_AFTER_S = 2.0
# Longer than a worker takes to give back what it does (MLEB_STOP_WITHIN_S), and the web server to answer.
STOP_WITHIN_S = 30.0
WITH_PARENT = Path(__file__).with_name("with_parent.py")


@dataclass
class Child:
    """A process that should be running, where its output goes, and which open descriptors of ours it gets."""

    name: str
    argv: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    kept: Sequence[int] = ()
    process: "subprocess.Popen[bytes] | None" = None
    restart_at: float = 0.0


class Supervisor:
    """Keeps its children running until `stop`. Each leads a process group, so that nothing of it is left behind."""

    def __init__(self, children: Sequence[Child], tell: Callable[[str], None] = print) -> None:
        self.children = list(children)
        self.tell = tell

    def start(self) -> None:
        for child in self.children:
            self._start(child)

    def _start(self, child: Child) -> None:
        with _open_log(child.log) as log:
            # Killed without a chance to stop its children, the launcher takes them along.
            with_us = (sys.executable, "-I", "-S", str(WITH_PARENT), str(os.getpid()))
            child.process = subprocess.Popen(  # noqa: S603 - argv is ours, see processes.py
                (*with_us, *child.argv),
                env=dict(child.environment),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=child.kept,
            )

    def check(self, now: float) -> None:
        """Restarts, after a pause, what is not running. Call it again and again."""
        for child in self.children:
            if child.process is not None and child.process.poll() is not None:
                self.tell(
                    f"{child.name} ended with {child.process.returncode}; see {child.log}. Starting it again."
                )
                child.process, child.restart_at = None, now + RESTART_AFTER_S
            if child.process is None and now >= child.restart_at:
                self._restart(child, now)

    def _restart(self, child: Child, now: float) -> None:
        try:
            self._start(child)
        except OSError as error:
            self.tell(f"{child.name} cannot be started: {error}")
            child.restart_at = now + RESTART_AFTER_S

    def stop(self) -> None:
        """Asks every child to end, waits, and kills what is left."""
        running = [child.process for child in self.children if child.process and child.process.poll() is None]
        for process in running:
            process.terminate()  # The leader alone: it stops its own children in good order.
        deadline = time.monotonic() + STOP_WITHIN_S
        for process in running:
            try:
                process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                self.tell(f"process {process.pid} does not stop; killing it")
            _kill_group(process)


def _open_log(path: Path) -> BinaryIO:
    """The log to append to. Never through a link: this process stands outside the namespaces of its children."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.fdopen(os.open(path, flags, 0o600), "ab")


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def run_until_signalled(supervisor: Supervisor, ready: Callable[[], None]) -> int:
    """Runs the children until SIGINT or SIGTERM, calling `ready` once they are started. Returns 0."""
    stopping = False

    def stop(number: int, frame: object) -> None:
        nonlocal stopping
        stopping = True

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    supervisor.start()
    try:
        ready()
        while not stopping:
            supervisor.check(time.monotonic())
            time.sleep(0.3)
    finally:
        sys.stdout.flush()
        supervisor.stop()
    return 0
