"""One grading, from the request to its recorded result.

The row is the queue's truth. A claim is a conditional update that carries a lease and a fencing token: a worker
that was away for longer than its lease finds its token outdated, and its result is dropped.
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from grading.graders.version import GRADER_VERSION
from grading.lease import RINGS_AT_ONCE, claim_columns, not_rung_lately
from grading.models import AnswersVersion, Blob, Grading, GradingQuerySet, Ring
from grading.verdict import Verdict

log = logging.getLogger(__name__)
# Checkpoints, which nobody waits for, come behind regrades. A file that is asked for as a run too comes forward.
LAST = 2 * Grading.Priority.REGRADE
RETRY_AFTER = (timedelta(seconds=2), timedelta(seconds=10), timedelta(seconds=60))


@dataclass(frozen=True)
class GradingClaim:
    """The right to grade: valid while the row still carries this token."""

    grading: Grading
    token: int

    @property
    def is_spent(self) -> bool:
        """Whether every attempt before this one was lost without a word: a file that kills its workers."""
        return self.grading.attempts > settings.GRADING_ATTEMPTS


def request_grading(
    blob: Blob,
    competition_id: str,
    ring: tuple[str, str],
    now: datetime,
    priority: int = Grading.Priority.TEAM,
) -> Grading:
    """The one grading of this CSV with the newest answers and grader; `ring` is told when it is done.

    One that ended for reasons of the machine is asked for again, so that a fault of ours does not stick to the file.
    One that waits where others are served first comes forward to where this one would.
    """
    answers = newest_answers(competition_id)
    with transaction.atomic():
        grading = newest_grading(blob, competition_id, answers)
        if grading is None or grading.may_differ:
            grading, _ = Grading.objects.get_or_create(
                blob=blob,
                competition_id=competition_id,
                answers=answers,
                grader_version=GRADER_VERSION,
                repeat=grading.repeat + 1 if grading else 0,
                defaults={"not_before": now, "priority": priority},
            )
        elif grading.priority > priority:
            Grading.objects.filter(pk=grading.pk).update(priority=priority)
        task, argument = ring
        Ring.objects.get_or_create(grading=grading, task=task, argument=argument)
    return grading


def newest_answers(competition_id: str) -> AnswersVersion | None:
    """The answers that count now."""
    return AnswersVersion.objects.filter(competition_id=competition_id).order_by("-number").first()


def newest_grading(blob: Blob, competition_id: str, answers: AnswersVersion | None) -> Grading | None:
    """The last grading of this CSV that was asked for with these answers and the present grader."""
    asked = Grading.objects.filter(
        blob=blob, competition_id=competition_id, answers=answers, grader_version=GRADER_VERSION
    )
    return asked.order_by("-repeat").first()


def claim_grading(grading_id: int, now: datetime) -> GradingClaim | None:
    """The claim, or None where somebody else holds or has finished it, or where others are served first."""
    with transaction.atomic():
        claimed = (
            Grading.objects.claimable(now)
            .filter(_is_next(now), pk=grading_id)
            .update(
                state=Grading.State.RUNNING,
                **claim_columns(now, settings.GRADING_LEASE),
            )
        )
        if not claimed:
            return None
        grading = Grading.objects.select_related("blob", "answers").get(pk=grading_id)
    return GradingClaim(grading, grading.fencing_token)


def _is_next(now: datetime) -> Q:
    """A regrade is not taken while a team's run could be, and what comes last while either could.

    The sweep rings for it again.
    """
    ahead = Grading.objects.claimable(now).filter(priority__lt=OuterRef("priority"))
    return Q(priority=Grading.Priority.TEAM) | ~Q(Exists(ahead))


def _held(claim: GradingClaim) -> GradingQuerySet:
    return Grading.objects.filter(pk=claim.grading.pk, state=Grading.State.RUNNING, fencing_token=claim.token)


def extend_lease(claim: GradingClaim, now: datetime) -> bool:
    """Whether the claim still stands; if so it is good for another lease."""
    return bool(_held(claim).update(lease_until=now + settings.GRADING_LEASE))


def record_verdict(claim: GradingClaim, verdict: Verdict, now: datetime) -> list[Ring]:
    """The rings to send; empty where the claim was lost, and then nothing is written."""
    recorded = _held(claim).update(
        state=Grading.State.DONE,
        lease_until=None,
        outcome=verdict.outcome,
        score=verdict.score,
        code=verdict.code,
        message=verdict.message,
        wall_s=verdict.wall_s,
        peak_memory_mb=verdict.peak_memory_mb,
        graded_with=GRADER_VERSION,
        graded_at=now,
    )
    if not recorded:
        log.warning("grading %s was taken over; this result is dropped", claim.grading.pk)
        return []
    return list(Ring.objects.filter(grading=claim.grading))


def give_back(claim: GradingClaim, fault: Verdict, now: datetime) -> list[Ring]:
    """Queues the grading again after a fault of ours; after the last attempt the fault is its result."""
    if claim.grading.attempts >= settings.GRADING_ATTEMPTS:
        return record_verdict(claim, fault, now)
    pause = RETRY_AFTER[min(claim.grading.attempts, len(RETRY_AFTER)) - 1]
    _held(claim).update(state=Grading.State.QUEUED, lease_until=None, not_before=now + pause, rung_at=None)
    return []


def take_unrung(now: datetime) -> list[int]:
    """Ids of some gradings that are due, held by nobody and not rung lately, marked as rung now.

    Teams' runs before regrades, and these before what comes last.
    """
    due = Grading.objects.claimable(now).filter(not_rung_lately(now))
    chosen = list(due.order_by("priority", "not_before", "pk").values_list("pk", flat=True)[:RINGS_AT_ONCE])
    Grading.objects.filter(pk__in=chosen).update(rung_at=now)
    return chosen
