"""Whether this host can isolate graders. Without that it grades nothing, and says why."""

import socket
from datetime import datetime, timedelta

from grading.graders.version import GRADER_VERSION
from grading.models import GradingHost
from grading.sandbox.canary import check_isolation
from grading.sandbox.errors import SandboxUnavailable

CANARY_EVERY = timedelta(hours=1)
_last_good: datetime | None = None


def require_isolation(now: datetime) -> None:
    """Runs the canary when its last good answer in this process is an hour old.

    Raises SandboxUnavailable with the remedy; the grading stays queued.
    """
    global _last_good
    if _last_good is None or now - _last_good > CANARY_EVERY:
        inspect_host(now)
        _last_good = now


def inspect_host(now: datetime) -> GradingHost:
    """Runs the canary and records what it saw, good or bad. Raises SandboxUnavailable after recording a bad one."""
    try:
        report = check_isolation()
    except SandboxUnavailable as error:
        _record(now, is_isolated=False, reason=str(error))
        raise
    return _record(
        now,
        is_isolated=True,
        mode=str(report.mode),
        sandbox_version=report.bwrap_version,
        sandbox_path=str(report.bwrap_path),
        probes=list(report.probes),
        reason="",
    )


def _record(now: datetime, **columns: object) -> GradingHost:
    host, _ = GradingHost.objects.update_or_create(
        name=socket.gethostname(), defaults={**columns, "checked_at": now, "grader_version": GRADER_VERSION}
    )
    return host
