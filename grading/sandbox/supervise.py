"""Runs a bwrap command line and hands signals on to the program inside, for a graceful stop.

Usage: supervise.py [--keep DESCRIPTOR …] BWRAP …; the program inside gets these descriptors, and no other.

bwrap itself dies of SIGTERM and takes its program with it by SIGKILL. Started as a script, by its path and
with `-I -S`: it stands between a service manager and the isolated program, on the standard library alone.
"""

import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import FrameType

FORWARDED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)
STATUS_BYTES = 4096
PAUSE_S = 0.005
START_S = 20.0
KEEP = "--keep"


class Forwarder:
    """Hands signals on to a process; those that come before there is one are kept for it."""

    def __init__(self) -> None:
        self._target: int | None = None
        self._kept: list[int] = []
        for number in FORWARDED:
            signal.signal(number, self._receive)

    def aim(self, pidfd: int) -> None:
        self._target = pidfd
        for number in self._kept:
            self._receive(number, None)

    def _receive(self, number: int, _: FrameType | None) -> None:
        if self._target is None:
            self._kept.append(number)
            return
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._target, number)


def supervise(argv: list[str], kept: tuple[int, ...] = ()) -> int:
    """Exit status of the program inside, 128 + n for signal n, once nothing of its pid namespace is left."""
    forwarder = Forwarder()
    read, write = os.pipe()
    # A session of its own: Ctrl-C must not reach bwrap, and no terminal is left to type into.
    bwrap = subprocess.Popen(  # noqa: S603
        [argv[0], "--json-status-fd", str(write), *argv[1:]],
        stdin=subprocess.DEVNULL,
        pass_fds=(write, *kept),
        start_new_session=True,
    )
    os.close(write)
    with suppress(ProcessLookupError):  # it may end faster than we look
        _attend(read, forwarder)
    status = bwrap.wait()
    return status if status >= 0 else 128 - status


def _attend(status: int, forwarder: Forwarder) -> None:
    """Aims the signals at the program, then returns when the namespace is empty."""
    init = _first_process(status)
    if init is None:
        return
    init_end = os.pidfd_open(init)
    if program := _first_child(init):
        with suppress(ProcessLookupError):
            forwarder.aim(os.pidfd_open(program))
    select.select([init_end], [], [])


def _first_process(status: int) -> int | None:
    """The pid of the namespace's init, or None if bwrap failed; bwrap has then said why on stderr."""
    line = b""
    while b"\n" not in line:
        chunk = os.read(status, STATUS_BYTES)
        if not chunk:
            return None
        line += chunk
    return int(json.loads(line.split(b"\n", 1)[0])["child-pid"])


def _first_child(init: int) -> int | None:
    """The program, which init starts when the mounts are made. None if it has ended already."""
    children = Path(f"/proc/{init}/task/{init}/children")
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        try:
            found = children.read_text().split()
        except OSError:
            return None
        if found:
            return int(found[0])
        time.sleep(PAUSE_S)
    return None


if __name__ == "__main__":
    words, descriptors = sys.argv[1:], []
    while words[0] == KEEP:
        descriptors.append(int(words[1]))
        words = words[2:]
    sys.exit(supervise(words, tuple(descriptors)))
