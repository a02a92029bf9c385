"""What came of one sandboxed command."""

import os
import signal
from dataclasses import dataclass
from enum import StrEnum

# A command that catches MemoryError says so by leaving with this status: outside, the two look alike.
OUT_OF_MEMORY_EXIT = 77
SIGNALLED = 128  # a shell's and bwrap's way to tell of a signal


class Outcome(StrEnum):
    """How the command ended. All but FINISHED leave a payload that may be cut short."""

    FINISHED = "finished"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    KILLED_OUTPUT = "killed_output"
    CRASHED = "crashed"


@dataclass(frozen=True)
class SandboxResult:
    """The end of one sandbox. `payload` is what was written to RESULT_FD, `log` to stdout and stderr.

    The log may quote answers: for organisers only. `exit_code` is None if the sandbox was killed.
    """

    outcome: Outcome
    payload: bytes
    exit_code: int | None
    wall_s: float
    peak_memory_mb: int
    log: bytes


def exit_code_of_wait(status: int) -> int:
    """The exit status in a wait status, 128 + n for signal n."""
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else SIGNALLED - code


def outcome_of_exit(exit_code: int, *, cpu_used_s: float, cpu_limit_s: int) -> Outcome:
    """The outcome when nobody outside killed the command. The CPU limit ends in SIGKILL, at the latest."""
    spent = exit_code == SIGNALLED + signal.SIGKILL and cpu_used_s >= cpu_limit_s
    if spent or exit_code == SIGNALLED + signal.SIGXCPU:
        return Outcome.TIMED_OUT
    if exit_code == OUT_OF_MEMORY_EXIT:
        return Outcome.OUT_OF_MEMORY
    if exit_code == SIGNALLED + signal.SIGXFSZ:
        return Outcome.KILLED_OUTPUT
    return Outcome.FINISHED if exit_code == 0 else Outcome.CRASHED
