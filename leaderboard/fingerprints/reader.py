"""A child process that makes fingerprints, and what its answers may be. Knows no table.

Not a sandbox: the worker that starts it sits in a namespace that may make no further ones. But no vault exists there
either, the files are those that the same worker has just written, and what comes back is a bounded answer.
"""

import base64
import binascii
import json
import logging
import re
import selectors
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from grading.sandbox.policy import ARROW_MEMORY, ONE_THREAD
from grading.sandbox.seccomp import seccomp_filter
from leaderboard.fingerprints.read import UNREADABLE, Print
from leaderboard.fingerprints.sketch import BYTES

log = logging.getLogger(__name__)
ROOT = Path(__file__).resolve().parents[2]
# The package by itself: importing `leaderboard` would start Celery and Django beside the file.
SCRIPT = (
    f"import sys; sys.path[:0] = [{str(ROOT)!r}]; sys.path.append({str(ROOT / 'leaderboard')!r}); "
    "from fingerprints.child import main; main()"
)
ANSWER_BYTES = 1 << 12
DIGEST = re.compile(r"[0-9a-f]{64}")


class ChildLost(Exception):
    """The child died, took too long or said what makes no sense."""


@dataclass(frozen=True)
class Walls:
    """What one file may cost."""

    wall_s: float = 120.0
    cpu_s: int = 120
    memory_bytes: int = 4608 << 20


class Reader:
    """Fingerprints of file after file. A file that kills the child is unreadable; the next one gets a new child."""

    def __init__(self, walls: Walls) -> None:
        self._walls = walls
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Reader":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._end()

    def read(self, competition: Mapping[str, Any], path: Path) -> Print:
        """The fingerprint; UNREADABLE also where the limits were not enough."""
        try:
            return self._ask(json.dumps({"competition": competition, "path": str(path)}).encode() + b"\n")
        except (ChildLost, OSError) as error:
            log.warning("no fingerprint of a file for %s: %s", competition["competition"], error)
            self._end()
            return UNREADABLE

    def _ask(self, line: bytes) -> Print:
        child = self._child or self._start()
        assert child.stdin is not None
        child.stdin.write(line)
        child.stdin.flush()
        return parse_answer(_read_line(child, time.monotonic() + self._walls.wall_s))

    def _start(self) -> "subprocess.Popen[bytes]":
        environment = {
            "PATH": "/usr/bin:/bin",
            "LANG": "C.UTF-8",
            **dict.fromkeys(ONE_THREAD, "1"),
            **ARROW_MEMORY,
        }
        command = [sys.executable, "-I", "-c", SCRIPT]
        self._child = subprocess.Popen(  # noqa: S603  # Our own code alone.
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # A traceback could carry text of the file into the log.
            env=environment,
            cwd="/",
        )
        walls = {
            "cpu_s": self._walls.cpu_s,
            "memory_bytes": self._walls.memory_bytes,
            "filter": base64.b64encode(seccomp_filter()).decode(),
        }
        assert self._child.stdin is not None
        self._child.stdin.write(json.dumps(walls).encode() + b"\n")
        return self._child

    def _end(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.communicate()
            self._child = None


def _read_line(child: "subprocess.Popen[bytes]", until: float) -> bytes:
    assert child.stdout is not None
    answer = b""
    with selectors.DefaultSelector() as ready:
        ready.register(child.stdout, selectors.EVENT_READ)
        while not answer.endswith(b"\n"):
            if not ready.select(max(0.0, until - time.monotonic())):
                raise ChildLost("it took too long")
            piece = child.stdout.read1(ANSWER_BYTES)  # type: ignore[attr-defined]  # Buffered, as by default.
            if not piece or len(answer) > ANSWER_BYTES:
                raise ChildLost("it died or said too much")
            answer += piece
    return answer


def parse_answer(line: bytes) -> Print:
    """What the child found. Raises ChildLost for anything that is no such answer: it has read a stranger's file."""
    try:
        said = json.loads(line)
        state, rows, content = str(said["state"]), int(said["rows"]), str(said["content"])
        sketch = base64.b64decode(said["sketch"], validate=True)
    except (ValueError, KeyError, TypeError, binascii.Error):
        raise ChildLost("its answer makes no sense") from None
    is_known = (state, len(sketch)) in (("made", BYTES), ("constant", 0)) and DIGEST.fullmatch(content)
    if state == "unreadable":
        return UNREADABLE
    if not is_known or not 0 <= rows < 1 << 40:
        raise ChildLost("its answer makes no sense")
    return Print(state, rows, content, sketch)
