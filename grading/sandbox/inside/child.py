"""One grading: the first process of its namespaces. It puts up its walls, takes its order, runs it and ends."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import sys
import traceback
from typing import Any

from . import walls

OPEN_FILES = 256
FIRST_FREE = 128  # above every number that is given out
MESSAGE_BYTES = 1 << 17
MOST_FILES = 8
STDIN, LOG, RESULT = 0, (1, 2), 3  # then the files, from 4 on
FAILED = 70


def live(channel: int, system_call_filter: bytes) -> None:
    """Never returns into the template, whatever happens."""
    status = FAILED
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        close_all_but(channel)
        walls.stand_alone(system_call_filter)
        code = take_order(channel)
        status = run(code)
    except BaseException as error:
        tell(channel, error)
    finally:
        os._exit(status)


def close_all_but(kept: int) -> None:
    os.closerange(0, kept)
    os.closerange(kept + 1, OPEN_FILES)


def take_order(number: int) -> str:
    """Says that it is there, is given code, limits and files, and gives up the channel they came by."""
    channel = socket.socket(fileno=number)
    channel.send(b"here")  # the kernel adds who it is, as the worker sees it
    message, files, _, _ = socket.recv_fds(channel, MESSAGE_BYTES, MOST_FILES)
    order: dict[str, Any] = json.loads(message)
    walls.set_limits(order["limits"])
    channel.detach()  # its number is given away: nothing may close it later
    place(files)
    os.environ["RESULT_FD"] = str(RESULT)
    return str(order["code"])


def place(files: list[int]) -> None:
    """Moves the files that came, stdin, log, result and the rest, to their numbers, and closes all others."""
    stdin, log, *others = [fcntl.fcntl(number, fcntl.F_DUPFD, FIRST_FREE) for number in files]
    os.dup2(stdin, STDIN)
    for target in LOG:
        os.dup2(log, target)
    for target, number in enumerate(others, RESULT):
        os.dup2(number, target)
    os.closerange(RESULT + len(others), OPEN_FILES)


def run(code: str) -> int:
    """The exit status of the code, as the interpreter would leave with it."""
    sys.stdin = os.fdopen(STDIN, closefd=False)
    sys.stdout = os.fdopen(LOG[0], "w", closefd=False)
    sys.stderr = os.fdopen(LOG[1], "w", buffering=1, closefd=False)
    try:
        exec(compile(code, "<grading>", "exec"), {"__name__": "__main__"})  # noqa: S102 - the worker's own code
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else bool(end.code)
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
    return 0


def tell(channel: int, error: BaseException) -> None:
    """The reason, to the worker if it is still there: standard error is not."""
    try:
        os.write(channel, f"{type(error).__name__}: {error}".encode()[:500])
    except OSError:
        return
