"""Whether this host can isolate graders. Without that it grades nothing, and says why."""

import socket
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings

from grading.capacity import slots_here
from grading.graders.version import GRADER_VERSION
from grading.models import GradingHost
from grading.sandbox.canary import check_isolation
from grading.sandbox.cold import ColdPool
from grading.sandbox.errors import SandboxError, SandboxUnavailable
from grading.sandbox.gvisor import GVisorPool
from grading.sandbox.gvisor_canary import check_containers
from grading.sandbox.policy import Mode
from grading.sandbox.pool import Pool
from grading.sandbox.warm import WarmPool
from grading.sandbox.warm_canary import check_walls

CANARY_EVERY = timedelta(hours=1)


@dataclass(frozen=True)
class Isolation:
    """The sandboxes of this process, and when they last showed that they hold."""

    pool: Pool
    checked_at: datetime


_isolation: Isolation | None = None


def isolated_pool(now: datetime, slot: int = 0) -> Pool:
    """The sandboxes to grade in: the canary's last good answer in this process is less than an hour old.

    Raises SandboxUnavailable with the remedy; the grading stays queued.
    """
    global _isolation
    if _isolation is None or now - _isolation.checked_at > CANARY_EVERY:
        end_pool()
        _, pool = inspect_host(now, slot)
        _isolation = Isolation(pool, now)
    return _isolation.pool


def end_pool() -> None:
    """Ends the sandboxes of this process."""
    global _isolation
    if _isolation is not None:
        _isolation.pool.close()
        _isolation = None


def keep_checked(now: datetime) -> None:
    """Runs the canary where its last answer on this host is an hour old: no grading may have come that would have.

    In a slot that no grading has. Raises SandboxUnavailable after recording a bad one.
    """
    if GradingHost.objects.filter(name=socket.gethostname(), checked_at__gt=now - CANARY_EVERY).exists():
        return
    _, pool = inspect_host(now, slot=settings.GRADING_SLOTS)
    pool.close()


def inspect_host(now: datetime, slot: int = 0) -> tuple[GradingHost, Pool]:
    """Runs the canary, records what it saw, good or bad, and returns the sandboxes it has tried.

    Raises SandboxUnavailable after recording a bad one.
    """
    try:
        pool, seen = _in_gvisor(slot) if settings.SANDBOX == "gvisor" else _in_bubblewrap(slot)
    except SandboxUnavailable as error:
        _record(now, is_isolated=False, reason=str(error))
        raise
    try:
        return _record(now, is_isolated=True, **seen), pool
    except Exception:
        pool.close()
        raise


def _in_gvisor(slot: int) -> tuple[Pool, dict[str, object]]:
    """Containers, or SandboxUnavailable: who asked for them wants nothing less."""
    pool = GVisorPool(slot)
    report = check_containers(pool, slot)
    return pool, _columns(report.mode, pool, report.version, report.path, report.probes)


def _in_bubblewrap(slot: int) -> tuple[Pool, dict[str, object]]:
    report = check_isolation(slot=slot)
    pool, probes, reason = _best_pool(slot)
    seen = _columns(report.mode, pool, report.version, report.path, (*report.probes, *probes))
    return pool, {**seen, "reason": reason}


def _columns(mode: Mode, pool: Pool, version: str, path: Path, probes: Sequence[str]) -> dict[str, object]:
    return {
        "mode": f"{mode}, {pool.kind}",
        "sandbox_version": version,
        "sandbox_path": str(path),
        "probes": list(probes),
        "reason": "",
    }


def _best_pool(slot: int) -> tuple[Pool, list[str], str]:
    """Warm sandboxes with the names of the probes that held, or cold ones and the reason."""
    pool = WarmPool([slot])
    try:
        return pool, [f"warm: {name}" for name in check_walls(pool, slot)], ""
    except SandboxError as error:
        pool.close()
        return ColdPool(slot), [], f"Each grading starts a sandbox of its own, which takes longer. {error}"


def _record(now: datetime, **columns: object) -> GradingHost:
    host, _ = GradingHost.objects.update_or_create(
        name=socket.gethostname(),
        defaults={
            **columns,
            "checked_at": now,
            "grader_version": GRADER_VERSION,
            "slots": slots_here(settings.GRADING_SLOTS, settings.GRADING_MEMORY_MB),
        },
    )
    return host
