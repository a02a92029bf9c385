"""Whether a file may be checked in this process: it must see no vault, and its sandboxes must hold."""

import socket
from datetime import datetime, timedelta

from billiard.process import current_process

from grading.sandbox.canary import check_isolation
from grading.sandbox.errors import SandboxUnavailable
from grading.vault import default_vault_root
from submissions.models import ValidityHost

CANARY_EVERY = timedelta(hours=1)
REMEDY = (
    "Start it by `manage.py run_site`, which hides the vault, or on a host that has none; unset MLEB_VAULT."
)
# Apart from the slots of gradings on the same machine: two sandboxes at a time must not share one. The first is the
# idle canary's.
FIRST_SLOT = 400
_last_good: datetime | None = None


def require_isolation(now: datetime) -> None:
    """Runs the canary when its last good answer in this process is an hour old.

    Raises SandboxUnavailable with the remedy; the check stays queued.
    """
    global _last_good
    if _last_good is None or now - _last_good > CANARY_EVERY:
        inspect_host(now)
        _last_good = now


def keep_checked(now: datetime) -> None:
    """Runs the canary where its last answer on this host is an hour old, whether or not a file comes to be checked.

    Raises SandboxUnavailable after recording a bad one.
    """
    if not ValidityHost.objects.filter(name=socket.gethostname(), checked_at__gt=now - CANARY_EVERY).exists():
        inspect_host(now, FIRST_SLOT)


def own_slot() -> int:
    """Of this process of the worker."""
    return FIRST_SLOT + 1 + int(getattr(current_process(), "index", 0))


def inspect_host(now: datetime, slot: int | None = None) -> ValidityHost:
    """Runs the canary and records what it saw, good or bad. Raises SandboxUnavailable after recording a bad one."""
    try:
        _require_no_vault()
        report = check_isolation(slot=own_slot() if slot is None else slot)
    except SandboxUnavailable as error:
        _record(now, is_isolated=False, reason=str(error))
        raise
    return _record(
        now,
        is_isolated=True,
        mode=str(report.mode),
        sandbox_version=report.version,
        probes=["no_vault", *report.probes],
        reason="",
    )


def _require_no_vault() -> None:
    if default_vault_root().exists():
        raise SandboxUnavailable("This process sees a vault of answers, and must not.", REMEDY)


def _record(now: datetime, **columns: object) -> ValidityHost:
    host, _ = ValidityHost.objects.update_or_create(
        name=socket.gethostname(), defaults={**columns, "checked_at": now}
    )
    return host
