"""Proves that a gVisor container holds, by running the canary's attacks in one."""

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from os import uname
from pathlib import Path

from grading.sandbox.bwrap import bwrap_version
from grading.sandbox.canary import CANARY_WALL_S, PROBES, IsolationReport, require_all, verdicts_of, wanted_of
from grading.sandbox.errors import SandboxError, SandboxUnavailable
from grading.sandbox.gvisor import GVisorPool, runsc_version
from grading.sandbox.policy import Limits, user_of_slot
from grading.sandbox.result import Outcome, SandboxResult

REMEDY = (
    "gVisor needs user namespaces, as root too: sysctl user.max_user_namespaces above 0. What it said stands above; "
    "MLEB_SANDBOX=bwrap grades without it. See docs/sandbox.md."
)
HELD_MB = 64
# What it answers comes from the kernel it runs on, and what it holds must be seen from outside.
KERNEL = f"""
import json, os, time
held = bytearray(b"x") * ({HELD_MB} << 20)
os.write(int(os.environ["RESULT_FD"]), json.dumps([os.uname().release, os.uname().version]).encode())
time.sleep(1)
"""


def check_containers(
    pool: GVisorPool, slot: int = 0, limits: Limits | None = None, *, hidden: Sequence[Path] | None = None
) -> IsolationReport:
    """The report of containers that hold. `hidden` (by default the vault) must be absent inside.

    Raises SandboxUnavailable naming every probe that failed, or that gVisor does not start, and how to mend it.
    """
    started = time.monotonic()
    try:
        verdicts = _verdicts(pool, slot, replace(limits or Limits(), wall_s=CANARY_WALL_S), hidden)
    except SandboxUnavailable:
        raise
    except SandboxError as error:
        raise SandboxUnavailable(f"gVisor does not start: {error}", REMEDY) from error
    require_all(verdicts)
    version = f"{bwrap_version(pool.host.tools.bwrap)}, runsc {runsc_version(pool.runsc)}"
    return IsolationReport(pool.host.mode, version, pool.runsc, tuple(verdicts), time.monotonic() - started)


def _verdicts(pool: GVisorPool, slot: int, limits: Limits, hidden: Sequence[Path] | None) -> dict[str, str]:
    with wanted_of(limits, hidden, has_proc=False) as wanted:
        wanted["uid"] = user_of_slot(slot)
        result = pool.run_code(PROBES, stdin=json.dumps(wanted).encode(), limits=limits)
    return {**verdicts_of(result), **kernel_verdicts(pool.run_code(KERNEL, limits=limits))}


def kernel_verdicts(result: SandboxResult) -> dict[str, str]:
    """Whether it ran on another kernel than this host's, and whether its memory was counted."""
    if result.outcome is not Outcome.FINISHED:
        return {"kernel": f"the code that asks for the kernel ended as {result.outcome}"}
    is_hosts = json.loads(result.payload) == [uname().release, uname().version]
    is_seen = result.peak_memory_mb >= HELD_MB
    return {
        "kernel": "runs on the host's kernel" if is_hosts else "",
        "memory_file": "" if is_seen else f"{result.peak_memory_mb} MB were seen of {HELD_MB} MB in use",
    }
