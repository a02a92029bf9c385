"""How much waits in each queue, for how long, and how many workers would be enough. The database counts, no broker."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from django.db.models import Count, Min, Q

from grading.models import Grading
from leaderboard.models import EvidenceReading, Likeness, Notice
from submissions.models import Submission, ValidityCheck

Status = Submission.Status


@dataclass(frozen=True)
class Pace:
    """Of a queue's work: seconds for one piece of it, and how many seconds it may wait."""

    takes_s: float
    may_wait_s: float


# Rounded up from what was seen here. Somebody waits before the screen for a validity check, nobody for evidence.
PACES: Mapping[str, Pace] = {
    "intake": Pace(20, 300),
    "grading": Pace(2, 900),
    "validity": Pace(3, 30),
    "evidence": Pace(30, 1800),
    "housekeeping": Pace(0.5, 60),
    "notices": Pace(1, 120),
}
MOST_WORKERS = 64


@dataclass(frozen=True)
class QueueDepth:
    """One queue: what waits, what is worked on, since when the oldest waits (None where nothing does)."""

    name: str
    waiting: int
    running: int
    oldest_s: float | None
    suggested_workers: int


def suggest_workers(waiting: int, running: int, pace: Pace, most: int = MOST_WORKERS) -> int:
    """How many workers would empty the queue in the time it may wait: 0 where there is nothing, else 1 to `most`.

    As many as are busy at the least, so that none is taken away from its work.
    """
    needed = ceil(waiting * pace.takes_s / pace.may_wait_s)
    return min(most, max(needed, running, 1 if waiting else 0))


def read_queues(now: datetime) -> list[QueueDepth]:
    """Every queue with work of its own, in the order of a submission's way."""
    counted = {
        "intake": _intake(),
        "grading": _leased(Grading),
        "validity": _leased(ValidityCheck),
        "evidence": _leased(EvidenceReading),
        "housekeeping": _housekeeping(),
        "notices": _notices(now),
    }
    return [_depth(name, *counts, now) for name, counts in counted.items()]


Counts = tuple[int, int, datetime | None]


def _depth(name: str, waiting: int, running: int, oldest: datetime | None, now: datetime) -> QueueDepth:
    age_s = max(0.0, (now - oldest).total_seconds()) if oldest else None
    return QueueDepth(name, waiting, running, age_s, suggest_workers(waiting, running, PACES[name]))


def _intake() -> Counts:
    """Bundles, and the predictions of submissions that are to be read for likeness."""
    bundles = Submission.objects.filter(status__in=[Status.RECEIVED, Status.CHECKING]).aggregate(
        waiting=Count("pk", filter=Q(status=Status.RECEIVED)),
        running=Count("pk", filter=Q(status=Status.CHECKING)),
        oldest=Min("upload__completed_at", filter=Q(status=Status.RECEIVED)),
    )
    State = Likeness.State
    unread = Likeness.objects.filter(state__in=[State.DUE, State.READING]).aggregate(
        waiting=Count("pk", filter=Q(state=State.DUE)), running=Count("pk", filter=Q(state=State.READING))
    )
    return (
        bundles["waiting"] + unread["waiting"],
        bundles["running"] + unread["running"],
        bundles["oldest"],
    )


def _leased(model: type[Grading | ValidityCheck | EvidenceReading]) -> Counts:
    """Of work that workers claim one by one."""
    State = model.State
    counted = model.objects.filter(state__in=[State.QUEUED, State.RUNNING]).aggregate(
        waiting=Count("pk", filter=Q(state=State.QUEUED)),
        running=Count("pk", filter=Q(state=State.RUNNING)),
        oldest=Min("created_at", filter=Q(state=State.QUEUED)),
    )
    return counted["waiting"], counted["running"], counted["oldest"]


def _housekeeping() -> Counts:
    """Graded submissions whose review is to be opened; some wait for their evidence to be read."""
    return Submission.objects.filter(status=Status.GRADED).count(), 0, None


def _notices(now: datetime) -> Counts:
    due = Notice.objects.due(now).aggregate(waiting=Count("pk"), oldest=Min("next_try_at"))
    return due["waiting"], 0, due["oldest"]
