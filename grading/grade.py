"""One grading, from the request to its recorded result.

The row is the queue's truth. A claim is a conditional update that carries a lease and a fencing token: a worker
that was away for longer than its lease finds its token outdated, and its result is dropped.
"""

import logging
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction

from grading.graders.version import GRADER_VERSION
from grading.lanes import due, join_lane, learn_pace, lost, take_next
from grading.lease import (
    RINGS_AT_ONCE,
    mend_leases,
    mend_pauses,
    not_rung_lately,
    pause_after,
    released_columns,
)
from grading.models import AnswersVersion, Blob, Grading, GradingLane, GradingQuerySet, Ring
from grading.verdict import Verdict

log = logging.getLogger(__name__)
# Those of a grading for which it was the last: nothing that waits in its lane is to ring the same. As values and no
# EXISTS, for the reason that `lanes` gives.
LAST_RINGS = """
    SELECT ring.id, ring.grading_id, ring.task, ring.argument FROM grading_ring AS ring
    WHERE ring.grading_id = %(grading)s AND (
        SELECT waiting.id FROM grading_grading AS waiting
        JOIN grading_ring AS same ON same.grading_id = waiting.id
        WHERE waiting.lane_id = %(lane)s AND waiting.state IN ('queued', 'running')
            AND same.task = ring.task AND same.argument = ring.argument
        LIMIT 1
    ) IS NULL
"""


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
    lane: GradingLane | None = None,
) -> Grading:
    """The one grading of this CSV with the newest answers and grader; `ring` is told when it is done.

    One that ended for reasons of the machine is asked for again, so that a fault of ours does not stick to the file.
    One that waits where others are served first comes forward to where this one would. `lane`: as `join_lane` gives
    it, once for all that are asked for together; without it the one for those who have no word.
    """
    lane = lane or join_lane("", Grading.Priority.TEAM)
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
                defaults={"not_before": now, "priority": lane.priority, "lane": lane},
            )
        elif grading.priority > lane.priority:
            Grading.objects.filter(pk=grading.pk).update(priority=lane.priority, lane=lane)
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


def claim_grading(now: datetime) -> GradingClaim | None:
    """The claim to whatever is next, or None where nothing is due. Which it is, `lanes` says, and no message."""
    with transaction.atomic():
        taken = take_next(now, settings.GRADING_LEASE)
    if taken is None:
        return None
    grading = Grading.objects.select_related("blob", "answers").get(pk=taken.grading_id)
    return GradingClaim(grading, taken.token)


def _held(claim: GradingClaim) -> GradingQuerySet:
    return Grading.objects.filter(pk=claim.grading.pk, state=Grading.State.RUNNING, fencing_token=claim.token)


def extend_lease(claim: GradingClaim, now: datetime) -> bool:
    """Whether the claim still stands; if so it is good for another lease."""
    return bool(_held(claim).update(lease_until=now + settings.GRADING_LEASE))


def record_verdict(claim: GradingClaim, verdict: Verdict, now: datetime) -> list[Ring]:
    """The rings to send; empty where the claim was lost, and then nothing is written.

    None where others of its lane are to ring the same: who waits for hundreds of runs is told once. Asked only when the
    result stands, so that of two that end at the same moment at least the later one sees both.
    """
    if not _record(claim, verdict, now):
        log.warning("grading %s was taken over; this result is dropped", claim.grading.pk)
        return []
    return _last_rings(claim.grading)


def _record(claim: GradingClaim, verdict: Verdict, now: datetime) -> bool:
    with transaction.atomic():
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
        if recorded:
            learn_pace(claim.grading.lane_id, verdict.wall_s)
    return bool(recorded)


def _last_rings(grading: Grading) -> list[Ring]:
    return list(Ring.objects.raw(LAST_RINGS, {"grading": grading.pk, "lane": grading.lane_id}))


def give_back(claim: GradingClaim, fault: Verdict, now: datetime) -> list[Ring]:
    """Queues the grading again after a fault of ours; after the last attempt the fault is its result."""
    if claim.grading.attempts >= settings.GRADING_ATTEMPTS:
        return record_verdict(claim, fault, now)
    later = now + pause_after(claim.grading.attempts)
    _held(claim).update(state=Grading.State.QUEUED, lease_until=None, not_before=later, rung_at=None)
    return []


def release(claim: GradingClaim, now: datetime) -> None:
    """Queues the grading again since its worker ends; others may take it at once."""
    columns = released_columns(now)
    _held(claim).update(state=Grading.State.QUEUED, not_before=now, rung_at=None, **columns)


def mend_times(now: datetime) -> None:
    """Nothing waits for a moment that a clock put back has moved out of reach."""
    mend_leases(Grading.objects.filter(state=Grading.State.RUNNING), now, settings.GRADING_LEASE)
    mend_pauses(Grading.objects.filter(state=Grading.State.QUEUED), now)


def take_unrung(now: datetime) -> list[int]:
    """Ids of some gradings that are due, held by nobody and not rung lately, marked as rung now.

    In any order that is cheap: a ring wakes a worker, and the worker takes what is next.
    """
    chosen: list[int] = []
    for waiting in (lost(now), due(now)):
        unrung = waiting.filter(not_rung_lately(now)).values_list("pk", flat=True)
        chosen += unrung[: RINGS_AT_ONCE - len(chosen)]
    Grading.objects.filter(pk__in=chosen).update(rung_at=now)
    return chosen
