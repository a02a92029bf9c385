"""Proves at worker start that the sandbox holds, by running attacks inside it."""

import json
import os
import secrets
import socket
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grading.sandbox import probes
from grading.sandbox.bwrap import bwrap_version
from grading.sandbox.errors import NAMESPACE_REMEDY, SandboxUnavailable
from grading.sandbox.host import Host, this_host
from grading.sandbox.policy import NOBODY, Limits, Mode, grading_mounts, user_of_slot
from grading.sandbox.result import Outcome, SandboxResult
from grading.sandbox.runner import run_sandboxed
from grading.vault import default_vault_root

PROBES = Path(probes.__file__).read_text()
CANARY_WALL_S = 30.0
GIB = 1 << 30
INTERPRETER_MB = 4  # less than any Python takes; bwrap's own process alone takes 1
NAMESPACES = ("net", "pid", "ipc", "uts", "mnt")
REMEDIES = {
    "watchdog": "The kernel must list children in /proc (CONFIG_PROC_CHILDREN), and show /proc to this user.",
    "processes": "In user mode the limit on processes needs Linux 5.14 or newer.",
    "hidden_paths": "Move the vault away from /usr, site-packages and the interpreter (MLEB_VAULT).",
    "secret_file": "Point TMPDIR away from /usr and the interpreter.",
}


@dataclass(frozen=True)
class IsolationReport:
    """What the canary saw: all of `probes` held. Version and path are of the program that makes the walls."""

    mode: Mode
    version: str
    path: Path
    probes: tuple[str, ...]
    seconds: float


def check_isolation(
    limits: Limits | None = None,
    *,
    slot: int = 0,
    hidden: Sequence[Path] | None = None,
    host: Host | None = None,
) -> IsolationReport:
    """The report of a sandbox that holds. `hidden` (by default the vault) must be absent inside.

    Raises SandboxUnavailable naming every probe that failed and how to mend it, SandboxError for a fault that
    may pass.
    """
    started = time.monotonic()
    host = host or this_host()
    version = bwrap_version(host.tools.bwrap)
    limits = replace(limits or Limits(), wall_s=CANARY_WALL_S)
    with wanted_of(limits, hidden, has_proc=host.mode is not Mode.INNER) as wanted:
        wanted["uid"] = user_of_slot(slot) if host.mode is Mode.ROOT else NOBODY
        if host.mode is Mode.INNER:
            wanted["too_many_processes"] = 0
        verdicts = _run_probes(limits, slot, wanted, host)
    require_all(verdicts)
    return IsolationReport(host.mode, version, host.tools.bwrap, tuple(verdicts), time.monotonic() - started)


@contextmanager
def wanted_of(limits: Limits, hidden: Sequence[Path] | None, *, has_proc: bool) -> Iterator[dict[str, Any]]:
    """What the probes must look for, while the secrets that they must not find are there."""
    with _planted() as planted:
        yield {
            **planted,
            "uid": NOBODY,
            "has_proc": has_proc,
            "hostname": socket.gethostname(),
            "namespaces": {name: os.readlink(f"/proc/self/ns/{name}") for name in NAMESPACES},
            "hidden": [str(path) for path in ([default_vault_root()] if hidden is None else hidden)],
            "too_many_bytes": max(8 * GIB, 2 * (limits.memory_mb << 20)),
            "too_many_processes": limits.processes + 8,
            "pids": 0,
        }


def _run_probes(limits: Limits, slot: int, wanted: dict[str, Any], host: Host) -> dict[str, str]:
    with tempfile.NamedTemporaryFile() as submission:
        result = run_sandboxed(
            ["python", "-I", "-c", PROBES],
            mounts=grading_mounts(submission=Path(submission.name)),
            limits=limits,
            stdin=json.dumps(wanted).encode(),
            slot=slot,
            host=host,
        )
    return verdicts_of(result)


def verdicts_of(result: SandboxResult) -> dict[str, str]:
    if result.outcome is Outcome.FINISHED and result.payload:
        seen = result.peak_memory_mb >= INTERPRETER_MB
        watchdog = "" if seen else f"saw {result.peak_memory_mb} MB of an interpreter that needs more"
        return {**json.loads(result.payload), "watchdog": watchdog}
    said = result.log.decode(errors="replace").strip()[-500:]
    return {"start": f"the probes ended as {result.outcome}: {said}"}


@contextmanager
def _planted() -> Iterator[dict[str, object]]:
    """A secret in a file, one in this process's environment, and a listener: none may be seen."""
    name = f"CANARY_{secrets.token_hex(8)}"
    os.environ[name] = "canary"
    try:
        with tempfile.NamedTemporaryFile() as secret, socket.create_server(("127.0.0.1", 0)) as listener:
            os.fchmod(secret.fileno(), 0o644)
            yield {"secret_file": secret.name, "secret_name": name, "port": listener.getsockname()[1]}
    finally:
        del os.environ[name]


def require_all(verdicts: dict[str, str]) -> None:
    """Raises SandboxUnavailable with every probe that found a fault."""
    failed = {name: fault for name, fault in verdicts.items() if fault}
    if not failed:
        return
    reason = (
        "The sandbox does not hold: " + "; ".join(f"{name}: {fault}" for name, fault in failed.items()) + "."
    )
    raise SandboxUnavailable(
        reason, " ".join(dict.fromkeys(REMEDIES.get(name, NAMESPACE_REMEDY) for name in failed))
    )
