"""Asking for gradings beside the old ones, behind the runs of teams. No pin is touched here."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db import transaction

from grading.grade import newest_grading
from grading.graders.version import GRADER_VERSION
from grading.lanes import join_lane
from grading.lease import RING_AGAIN_AFTER, RINGS_AT_ONCE, not_rung_lately
from grading.models import AnswersVersion, Blob, Grading

# Databases take only so many values in one query.
BATCH = 500


class Asked(StrEnum):
    """What became of one wish for a grading."""

    NEW = "asked for now"
    WAITING = "asked for before and not done yet"
    DONE = "done before with the same answers and grader"


@dataclass(frozen=True)
class Regrade:
    """A wish and what became of it. The grading is None only in a dry run, where it would be new."""

    asked: Asked
    grading: Grading | None


@dataclass(frozen=True)
class Progress:
    """How many of some gradings are done, and how they ended."""

    total: int
    done: int
    outcomes: dict[str, int]

    @property
    def is_complete(self) -> bool:
        return self.done == self.total


def request_regrade(
    blob: Blob, competition_id: str, answers: AnswersVersion | None, now: datetime, dry_run: bool = False
) -> Regrade:
    """The grading of this CSV with these answers and the present grader: the one there is, or a new one.

    One that ended for reasons of the machine is asked for again. Twice at once is the same as once.
    """
    lane = None if dry_run else join_lane("", Grading.Priority.REGRADE)
    with transaction.atomic():
        Blob.objects.select_for_update().get(pk=blob.pk)
        last = newest_grading(blob, competition_id, answers)
        if last and last.state != Grading.State.DONE:
            return Regrade(Asked.WAITING, last)
        if last and not last.may_differ:
            return Regrade(Asked.DONE, last)
        if lane is None:
            return Regrade(Asked.NEW, None)
        grading = Grading.objects.create(
            blob=blob,
            competition_id=competition_id,
            answers=answers,
            grader_version=GRADER_VERSION,
            repeat=last.repeat + 1 if last else 0,
            priority=lane.priority,
            lane=lane,
            not_before=now,
        )
        return Regrade(Asked.NEW, grading)


def take_unrung_regrades(now: datetime) -> list[int]:
    """Ids of some regrades that are due and not rung lately, marked as rung now.

    The sweep does this every few seconds; whoever waits for the end may do it more often. No more are out at a time.
    """
    due = Grading.objects.claimable(now).filter(priority=Grading.Priority.REGRADE)
    out = due.filter(rung_at__gte=now - RING_AGAIN_AFTER).count()
    unrung = due.filter(not_rung_lately(now)).order_by("not_before", "pk")
    chosen = list(unrung.values_list("pk", flat=True)[: max(0, RINGS_AT_ONCE - out)])
    Grading.objects.filter(pk__in=chosen).update(rung_at=now)
    return chosen


def progress_of(gradings: Sequence[int]) -> Progress:
    """How far these gradings are."""
    outcomes: Counter[str] = Counter()
    for start in range(0, len(gradings), BATCH):
        done = Grading.objects.filter(pk__in=gradings[start : start + BATCH], state=Grading.State.DONE)
        outcomes.update(done.values_list("outcome", flat=True))
    return Progress(len(gradings), outcomes.total(), dict(outcomes))
