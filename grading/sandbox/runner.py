"""Runs one command in the sandbox, under watch, and says how it ended."""

import os
import selectors
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from grading.sandbox.errors import SandboxError
from grading.sandbox.host import Host, this_host
from grading.sandbox.launch import Sandbox, launched, start_failure
from grading.sandbox.policy import Limits, Mount
from grading.sandbox.result import OUT_OF_MEMORY_EXIT, Outcome, SandboxResult, outcome_of_exit
from grading.sandbox.watchdog import Usage, count_files, measure

__all__ = ["OUT_OF_MEMORY_EXIT", "Outcome", "SandboxResult", "run_sandboxed"]

TICK_S = 0.02
CHUNK_BYTES = 1 << 16
NOT_EXECUTED = (126, 127)  # what setpriv and prlimit leave with when they could not start the command


@dataclass
class _Watch:
    """What is known of a sandbox while it runs."""

    limits: Limits
    deadline: float
    next_look: float = 0.0
    usage: Usage = field(default_factory=Usage)
    payload: bytearray = field(default_factory=bytearray)
    log: bytearray = field(default_factory=bytearray)


def run_sandboxed(
    command: Sequence[str],
    *,
    mounts: Sequence[Mount] = (),
    limits: Limits | None = None,
    stdin: bytes = b"",
    slot: int = 0,
    host: Host | None = None,
) -> SandboxResult:
    """How `command` ended and what it wrote to the descriptor in $RESULT_FD. "python" is this interpreter.

    `slot` numbers the sandboxes that run at the same time on this machine; two must not share one. Blocks
    until nothing of the sandbox is left. Raises SandboxError for a fault of the machine, SandboxUnavailable
    where it cannot be isolated; never runs a command with less isolation.
    """
    limits = limits or Limits()
    host = host or this_host()
    with launched(command, host=host, mounts=mounts, limits=limits, stdin=stdin, slot=slot) as sandbox:
        started = time.monotonic()
        watch = _Watch(limits, deadline=started + limits.wall_s)
        sandbox.release()
        killed = _watch_until_end(sandbox, watch)
        wall_s = time.monotonic() - started
        sandbox.kill()
        sandbox.wait()
        return _conclude(sandbox, watch, killed, wall_s)


def _watch_until_end(sandbox: Sandbox, watch: _Watch) -> Outcome | None:
    """Reads and measures until the command ends (None) or must be killed (why)."""
    with selectors.DefaultSelector() as selector:
        for descriptor, buffer in (
            (sandbox.result, watch.payload),
            (sandbox.log, watch.log),
            (sandbox.bwrap, None),
        ):
            selector.register(descriptor, selectors.EVENT_READ, buffer)
        while True:
            events = selector.select(TICK_S)
            if any(key.fd == sandbox.bwrap for key, _ in events):
                return None
            for key, _ in events:
                if not _read(key.fd, key.data):
                    selector.unregister(key.fd)
            if exceeded := _exceeded(sandbox, watch):
                return exceeded


def _read(descriptor: int, buffer: bytearray) -> int:
    """Adds what is there to the buffer; 0 when the last writer has gone."""
    chunk = os.read(descriptor, CHUNK_BYTES)
    buffer += chunk
    return len(chunk)


def _exceeded(sandbox: Sandbox, watch: _Watch) -> Outcome | None:
    """The limit that is broken now, if any. Looks into /proc once a tick, however much output comes."""
    if max(len(watch.payload), len(watch.log)) > watch.limits.output_bytes:
        return Outcome.KILLED_OUTPUT
    now = time.monotonic()
    if now > watch.deadline:
        return Outcome.TIMED_OUT
    if now < watch.next_look:
        return None
    watch.next_look = now + TICK_S
    measure(sandbox.init_pid, watch.usage)
    return Outcome.OUT_OF_MEMORY if _uses_too_much(sandbox, watch) else None


def _uses_too_much(sandbox: Sandbox, watch: _Watch) -> bool:
    """Resident memory, or files in /tmp: each costs the kernel memory that no size limit counts."""
    limits = watch.limits
    if limits.tmp_mb and count_files(sandbox.init_pid, limits.tmp_mb) > limits.tmp_files:
        return True
    return watch.usage.memory_mb > limits.memory_mb


def _conclude(sandbox: Sandbox, watch: _Watch, killed: Outcome | None, wall_s: float) -> SandboxResult:
    """The result of a sandbox in which nothing is alive any more."""
    for descriptor, buffer in ((sandbox.result, watch.payload), (sandbox.log, watch.log)):
        while _read(descriptor, buffer):
            pass  # at most what a pipe holds, since the writers are dead
    limits = watch.limits
    exit_code = None if killed else _exit_code(sandbox, bytes(watch.log))
    if not killed and max(len(watch.payload), len(watch.log)) > limits.output_bytes:
        killed = Outcome.KILLED_OUTPUT
    return SandboxResult(
        outcome=killed
        or outcome_of_exit(exit_code or 0, cpu_used_s=watch.usage.cpu_s, cpu_limit_s=limits.cpu_s),
        payload=bytes(watch.payload[: limits.output_bytes]),
        exit_code=exit_code,
        wall_s=wall_s,
        peak_memory_mb=watch.usage.peak_memory_mb,
        log=bytes(watch.log[: limits.output_bytes]),
    )


def _exit_code(sandbox: Sandbox, log: bytes) -> int:
    """The command's own exit status. Raises if it never began, which is not its fault."""
    exit_code = sandbox.exit_code()
    if exit_code is None:
        raise start_failure(log)
    if exit_code in NOT_EXECUTED:
        raise SandboxError(
            f"The sandboxed command could not be started: {log.decode(errors='replace').strip()[-500:]}"
        )
    return exit_code
