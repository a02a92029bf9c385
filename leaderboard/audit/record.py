"""Writes and forgets lines of the audit log."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone

from leaderboard.audit.acts import Act
from leaderboard.audit.current import current_address, current_person
from leaderboard.models.audit import AuditRecord

LONGEST = 200


def record(
    act: Act,
    what: object = "",
    account: Any = None,
    actor: Any = None,
    detail: Mapping[str, Any] | None = None,
) -> None:
    """One line: what was done, to whose account, by whom (who is signed in, if not given) and from where."""
    AuditRecord.objects.create(
        at=timezone.now(),
        act=act.value,
        actor=actor or current_person(),
        account=account,
        what=str(what)[:LONGEST],
        address=current_address(),
        detail=dict(detail or {}),
    )


def forget_before(moment: datetime) -> int:
    """Deletes what is older. How many lines that were."""
    return AuditRecord.objects.filter(at__lt=moment).forget()
