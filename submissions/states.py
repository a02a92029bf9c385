"""Moving a submission from one status to the next, with its event. The only place that writes a status."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from submissions.models import Event, Submission, User

Status = Submission.Status

# What may follow what. A status never goes back, and the exits lead nowhere.
NEXT: Mapping[str, frozenset[str]] = {
    Status.UPLOADING: frozenset({Status.RECEIVED, Status.ABANDONED, Status.WITHDRAWN}),
    Status.RECEIVED: frozenset({Status.CHECKING, Status.WITHDRAWN}),
    Status.CHECKING: frozenset({Status.AWAITING_TEAM, Status.REJECTED}),
    Status.AWAITING_TEAM: frozenset({Status.QUEUED, Status.WITHDRAWN, Status.ABANDONED}),
    Status.QUEUED: frozenset({Status.GRADING, Status.WITHDRAWN}),
    Status.GRADING: frozenset({Status.GRADED, Status.GRADING_FAILED}),
    # Once graded, an attempt is on record: only a decision takes it off a board. If its team could take it back,
    # or see its scores by doing so, withdrawing would be a way to climb on them.
    Status.GRADED: frozenset({Status.IN_REVIEW}),
    Status.IN_REVIEW: frozenset({Status.PUBLISHED}),
    Status.PUBLISHED: frozenset({Status.WITHDRAWN}),
}


class StatusConflict(Exception):
    """The submission is not, or no longer, where this step begins. Nothing was written."""


def move(
    submission: Submission,
    after: str,
    *,
    at: datetime,
    actor: User | None = None,
    detail: Any = None,
    **columns: Any,
) -> None:
    """Sets the status (and other columns) if the row still stands where `submission` says; else StatusConflict."""
    before = submission.status
    if after not in NEXT.get(before, frozenset()):
        raise StatusConflict(f"{before} does not lead to {after}")
    with transaction.atomic():
        moved = Submission.objects.filter(pk=submission.pk, status=before).update(status=after, **columns)
        if not moved:
            raise StatusConflict(f"no longer {before}")
        record_event(submission, "status", at=at, actor=actor, before=before, after=after, detail=detail)
    submission.refresh_from_db()


def record_event(
    submission: Submission,
    kind: str,
    *,
    at: datetime,
    actor: User | None = None,
    before: str = "",
    after: str = "",
    detail: Any = None,
) -> Event:
    return Event.objects.create(
        submission=submission,
        kind=kind,
        before=before,
        after=after,
        actor=actor,
        detail=detail or {},
        effective_at=at,
    )
