"""One validity check, from the claim to its recorded outcome, and when it is forgotten.

As gradings have it: the row is the queue's truth, a claim is a conditional update with a lease and a fencing token.
"""

import logging
import os
import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.core.files.storage import storages
from django.db import transaction
from django.db.models import F

from grading.bucket import BucketStorage
from grading.lease import (
    RINGS_AT_ONCE,
    claim_columns,
    mend_leases,
    mend_pauses,
    not_rung_lately,
    released_columns,
)
from submissions.models import ValidityCheck
from submissions.models.validity import CheckQuerySet

log = logging.getLogger(__name__)
State, Outcome = ValidityCheck.State, ValidityCheck.Outcome
RETRY_AFTER = timedelta(seconds=2)
OURS = "Something failed on our side. Nothing is known to be wrong with your file: send it again, or ask a maintainer."


@dataclass(frozen=True)
class Found:
    """What a check comes to. `reasons`: objects with code, message."""

    outcome: str
    reasons: list[dict[str, str]] = field(default_factory=list)


FAULT = Found(Outcome.FAILED, [{"code": "failed", "message": OURS}])


@dataclass(frozen=True)
class CheckClaim:
    """The right to check: valid while the row still carries this token."""

    check: ValidityCheck
    token: int

    @property
    def is_spent(self) -> bool:
        """Whether every attempt before this one was lost without a word: a file that kills its workers."""
        return self.check.attempts > settings.VALIDITY_ATTEMPTS


def claim_check(public_id: str, now: datetime) -> CheckClaim | None:
    """The claim, or None where somebody else holds or has finished it."""
    with transaction.atomic():
        claimed = (
            ValidityCheck.objects.claimable(now)
            .filter(public_id=public_id)
            .update(
                state=State.RUNNING,
                **claim_columns(now, settings.VALIDITY_LEASE),
            )
        )
        if not claimed:
            return None
        check = ValidityCheck.objects.select_related("answers").get(public_id=public_id)
    return CheckClaim(check, check.fencing_token)


def _held(claim: CheckClaim) -> CheckQuerySet:
    return ValidityCheck.objects.filter(pk=claim.check.pk, state=State.RUNNING, fencing_token=claim.token)


def extend_check(claim: CheckClaim, now: datetime) -> bool:
    """Whether the claim still stands; if so it is good for another lease."""
    return bool(_held(claim).update(lease_until=now + settings.VALIDITY_LEASE))


def record_found(claim: CheckClaim, found: Found, now: datetime) -> None:
    """Writes the outcome and deletes the file; nothing where the claim was lost."""
    recorded = _held(claim).update(
        state=State.DONE,
        lease_until=None,
        outcome=found.outcome,
        reasons=found.reasons,
        checked_at=now,
    )
    if recorded:
        delete_file(claim.check)
    else:
        log.warning("%s was taken over; this result is dropped", claim.check)


def give_back(claim: CheckClaim, now: datetime) -> None:
    """Queues the check again after a fault of ours; after the last attempt the fault is its outcome."""
    if claim.check.attempts >= settings.VALIDITY_ATTEMPTS:
        record_found(claim, FAULT, now)
        return
    _held(claim).update(state=State.QUEUED, lease_until=None, not_before=now + RETRY_AFTER, rung_at=None)


def release(claim: CheckClaim, now: datetime) -> None:
    """Queues the check again since its worker ends; others may take it at once."""
    _held(claim).update(state=State.QUEUED, not_before=now, rung_at=None, **released_columns(now))


def mend_times(now: datetime) -> None:
    """Nothing waits for a moment that a clock put back has moved out of reach."""
    mend_leases(ValidityCheck.objects.filter(state=State.RUNNING), now, settings.VALIDITY_LEASE)
    mend_pauses(ValidityCheck.objects.filter(state=State.QUEUED), now)


def take_unrung(now: datetime) -> list[str]:
    """Ids of some checks that are due, held by nobody and not rung lately, marked as rung now."""
    due = ValidityCheck.objects.claimable(now).filter(not_rung_lately(now))
    chosen = list(due.order_by("not_before", "pk").values_list("public_id", flat=True)[:RINGS_AT_ONCE])
    ValidityCheck.objects.filter(public_id__in=chosen).update(rung_at=now)
    return [str(public_id) for public_id in chosen]


def delete_file(check: ValidityCheck) -> None:
    """Twice is once: deleting what is gone changes nothing."""
    if check.key:
        storages["validity"].delete(check.key)
        ValidityCheck.objects.filter(pk=check.pk).update(key="")


def give_up_old(now: datetime) -> int:
    """Ends checks that waited as long as a file is kept, and deletes the files of ended ones. Returns how many."""
    old = ValidityCheck.objects.exclude(key="").filter(created_at__lt=now - settings.VALIDITY_FILE_RETENTION)
    for check in old:
        ValidityCheck.objects.filter(pk=check.pk).exclude(state=State.DONE).update(
            state=State.DONE,
            lease_until=None,
            fencing_token=F("fencing_token") + 1,
            outcome=FAULT.outcome,
            reasons=FAULT.reasons,
            checked_at=now,
        )
        delete_file(check)
    return len(old)


def delete_stray_uploads(now: datetime) -> int:
    """Deletes files that a killed process stored for a check and never recorded. Returns how many."""
    store = storages["validity"]
    if not isinstance(store, BucketStorage):
        return delete_strays(Path(store.path("")))
    strays = list(store.written_before(now - settings.VALIDITY_FILE_RETENTION))
    for key in strays:
        store.delete(key)
    return len(strays)


def delete_strays(folder: Path) -> int:
    """Deletes files of the folder that are older than a file is kept: a killed process left them. Returns how many."""
    if not folder.is_dir():
        return 0
    oldest = time.time() - settings.VALIDITY_FILE_RETENTION.total_seconds()
    strays = [each for each in os.scandir(folder) if each.stat(follow_symlinks=False).st_mtime < oldest]
    for stray in strays:
        Path(stray.path).unlink(missing_ok=True)
    return len(strays)


def forget_old(now: datetime) -> int:
    """Deletes rows that were kept as long as we said. Returns how many."""
    deleted, _ = ValidityCheck.objects.filter(created_at__lt=now - settings.VALIDITY_RETENTION).delete()
    return deleted
