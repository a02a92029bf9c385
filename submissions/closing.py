"""Closing submissions for a while. Bundles still arrive and are confirmed; they wait, and go on in order afterwards."""

from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction

from submissions.models import Closure, Submission, User
from submissions.states import record_event

Status = Submission.Status
LONGEST_REASON = 2000


class ClosingRefused(Exception):
    """Shown to the maintainer: why submissions cannot be closed or opened. Nothing was written."""


def current_closure() -> Closure | None:
    """The closure that holds now; None while submissions are open."""
    return Closure.objects.filter(is_current=True).select_related("closed_by").first()


def close_submissions(by: User, reason: str, now: datetime) -> Closure:
    """Nothing that is confirmed from now on is graded. What was confirmed before goes on."""
    _check(by, reason)
    try:
        with transaction.atomic():
            return Closure.objects.create(reason=reason.strip(), closed_at=now, closed_by=by)
    except IntegrityError as error:
        raise ClosingRefused("Submissions are closed already. Look at the page again.") from error


def open_submissions(by: User, reason: str, now: datetime) -> list[UUID]:
    """Ends the closure. Public ids of those it lets go, in the order in which they were confirmed."""
    _check(by, reason)
    with transaction.atomic():
        ended = Closure.objects.filter(is_current=True).update(
            is_current=False, opened_at=now, opened_by=by, opened_reason=reason.strip()
        )
        if not ended:
            raise ClosingRefused("Submissions are open already. Look at the page again.")
        return release_held(now)


def _check(by: User, reason: str) -> None:
    if not by.may_maintain:
        raise ClosingRefused("Only a maintainer who has signed in with a second factor can do this.")
    if not 0 < len(reason.strip()) <= LONGEST_REASON:
        raise ClosingRefused(
            f"Give a reason of at most {LONGEST_REASON:,} characters. It is shown in public."
        )


def release_held(now: datetime) -> list[UUID]:
    """Lets everything go that is held, in the order of confirmation; nothing while submissions are closed.

    The sweep calls it too: a team may have confirmed in the very moment in which they were opened.
    """
    held = Submission.objects.filter(held_at__isnull=False, status=Status.QUEUED)
    if not held.exists() or current_closure():
        return []
    return [each.public_id for each in held.order_by("confirmed_at", "pk") if _release(each, now)]


def _release(submission: Submission, now: datetime) -> bool:
    with transaction.atomic():
        held = Submission.objects.filter(pk=submission.pk, held_at__isnull=False)
        if not held.update(held_at=None):
            return False
        record_event(submission, "released", at=now)
    return True


def count_held() -> int:
    return Submission.objects.filter(held_at__isnull=False, status=Status.QUEUED).count()
