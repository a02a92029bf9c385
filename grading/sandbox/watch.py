"""Watches one sandboxed command until it ends or must be ended."""

import os
import selectors
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from grading.sandbox.policy import Limits
from grading.sandbox.result import Outcome, SandboxResult, outcome_of_exit
from grading.sandbox.watchdog import Usage, count_files, measure

TICK_S = 0.02
CHUNK_BYTES = 1 << 16


class Watched(Protocol):
    """What can be watched: our ends of its pipes, a pidfd that is readable when the command has ended, its tree."""

    init_pid: int
    end: int
    result: int
    log: int


@dataclass
class Watch:
    """What is known of a command while it runs."""

    limits: Limits
    look: Callable[[int, Usage], None] = measure
    started: float = field(default_factory=time.monotonic)
    next_look: float = 0.0
    usage: Usage = field(default_factory=Usage)
    payload: bytearray = field(default_factory=bytearray)
    log: bytearray = field(default_factory=bytearray)

    @property
    def wall_s(self) -> float:
        return time.monotonic() - self.started


def watch_until_end(watched: Watched, watch: Watch) -> Outcome | None:
    """Reads and measures until the command ends (None) or must be killed (why)."""
    with selectors.DefaultSelector() as selector:
        for descriptor, buffer in (
            (watched.result, watch.payload),
            (watched.log, watch.log),
            (watched.end, None),
        ):
            selector.register(descriptor, selectors.EVENT_READ, buffer)
        while True:
            events = selector.select(TICK_S)
            if any(key.fd == watched.end for key, _ in events):
                return None
            for key, _ in events:
                if not _read(key.fd, key.data):
                    selector.unregister(key.fd)
            if exceeded := _exceeded(watched, watch):
                return exceeded


def conclude(
    watched: Watched, watch: Watch, killed: Outcome | None, wall_s: float, exit_code: Callable[[], int]
) -> SandboxResult:
    """The result of a sandbox in which nothing is alive any more. `exit_code` is asked for where it was not killed."""
    for descriptor, buffer in ((watched.result, watch.payload), (watched.log, watch.log)):
        while _read(descriptor, buffer):
            pass  # at most what a pipe holds, since the writers are dead
    limits = watch.limits
    code = None if killed else exit_code()
    if not killed and max(len(watch.payload), len(watch.log)) > limits.output_bytes:
        killed = Outcome.KILLED_OUTPUT
    return SandboxResult(
        outcome=killed or outcome_of_exit(code or 0, cpu_used_s=watch.usage.cpu_s, cpu_limit_s=limits.cpu_s),
        payload=bytes(watch.payload[: limits.output_bytes]),
        exit_code=code,
        wall_s=wall_s,
        peak_memory_mb=watch.usage.peak_memory_mb,
        log=bytes(watch.log[: limits.output_bytes]),
    )


def _read(descriptor: int, buffer: bytearray) -> int:
    """Adds what is there to the buffer; 0 when the last writer has gone."""
    chunk = os.read(descriptor, CHUNK_BYTES)
    buffer += chunk
    return len(chunk)


def _exceeded(watched: Watched, watch: Watch) -> Outcome | None:
    """The limit that is broken now, if any. Looks into /proc once a tick, however much output comes."""
    if max(len(watch.payload), len(watch.log)) > watch.limits.output_bytes:
        return Outcome.KILLED_OUTPUT
    used_s = watch.wall_s
    if used_s > watch.limits.wall_s:
        return Outcome.TIMED_OUT
    if used_s < watch.next_look:
        return None
    watch.next_look = used_s + TICK_S
    watch.look(watched.init_pid, watch.usage)
    return Outcome.OUT_OF_MEMORY if _uses_too_much(watched, watch) else None


def _uses_too_much(watched: Watched, watch: Watch) -> bool:
    """Resident memory, or files in /tmp: each costs the kernel memory that no size limit counts."""
    limits = watch.limits
    if limits.tmp_mb and count_files(watched.init_pid, limits.tmp_mb) > limits.tmp_files:
        return True
    return watch.usage.memory_mb > limits.memory_mb
