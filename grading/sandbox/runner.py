"""Runs one command in a sandbox made for it alone, under watch, and says how it ended."""

from collections.abc import Sequence
from functools import partial

from grading.sandbox.errors import SandboxError
from grading.sandbox.host import Host, this_host
from grading.sandbox.launch import Sandbox, launched, start_failure
from grading.sandbox.policy import Limits, Mount
from grading.sandbox.result import OUT_OF_MEMORY_EXIT, Outcome, SandboxResult
from grading.sandbox.watch import Watch, conclude, watch_until_end

__all__ = ["OUT_OF_MEMORY_EXIT", "Outcome", "SandboxResult", "run_sandboxed"]

NOT_EXECUTED = (126, 127)  # what setpriv and prlimit leave with when they could not start the command


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
        watch = Watch(limits)
        sandbox.release()
        killed = watch_until_end(sandbox, watch)
        wall_s = watch.wall_s
        sandbox.kill()
        sandbox.wait()
        return conclude(sandbox, watch, killed, wall_s, partial(_exit_code, sandbox, watch.log))


def _exit_code(sandbox: Sandbox, log: bytearray) -> int:
    """The command's own exit status. Raises if it never began, which is not its fault."""
    exit_code = sandbox.exit_code()
    if exit_code is None:
        raise start_failure(bytes(log))
    if exit_code in NOT_EXECUTED:
        raise SandboxError(
            f"The sandboxed command could not be started: {log.decode(errors='replace').strip()[-500:]}"
        )
    return exit_code
