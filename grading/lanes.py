"""Whose turn it is. Those who share a word (submissions passes the organisation's) share one lane of the queue.

Each lane has a clock of the seconds of grading it was given. The lane with the least goes next, and its clock is put
forward: by what its gradings have lately taken while this one runs, then by what it took. So whoever has much in the
queue, or slow things, waits for himself: with n lanes that have work each gets a share of 1/n, and none waits for ever.
A lane that comes back starts where the least of those with work stands, so that idle time is no credit. Priorities
have lanes of their own.
"""

from datetime import datetime

from django.db import connection
from django.db.models import F, FloatField, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Coalesce, Greatest

from grading.models import Grading, GradingLane

State = Grading.State
# What one grading counts at the least, so that what costs nothing takes turns too.
LEAST_S = 0.05
# How much one grading changes what its lane is expected to take.
WEIGHT = 0.2
# Other workers may be about to take what was found, each time anew; then the next ring finds it.
TRIES = 5


def join_lane(word: str, priority: int) -> GradingLane:
    """The lane, with its clock no earlier than that of the others with work. Call it outside a transaction."""
    lane, _ = GradingLane.objects.get_or_create(word=word, priority=priority)
    start = _start(priority)
    GradingLane.objects.filter(pk=lane.pk, clock__lt=start).update(clock=start)
    return lane


def _start(priority: int) -> float:
    """The least clock of the lanes that have work; where none has any, the latest, so that all are alike again."""
    lanes = GradingLane.objects.filter(priority=priority)
    at_work = Grading.objects.filter(lane=OuterRef("pk"), state__in=[State.QUEUED, State.RUNNING])
    busy = lanes.annotate(any=Subquery(at_work.values("pk")[:1])).filter(any__isnull=False)
    for clocks in (busy.order_by("clock"), lanes.order_by("-clock")):
        clock = clocks.values_list("clock", flat=True).first()
        if clock is not None:
            return clock
    return 0.0


def choose_next(now: datetime) -> tuple[int, int] | None:
    """Ids of the grading that is next and of its lane; None where nothing is due. In a transaction it is locked."""
    passed: list[int] = []
    for _ in range(TRIES):
        lane_id = _lanes_with_work(now).exclude(pk__in=passed).values_list("pk", flat=True).first()
        if lane_id is None:
            return None
        for waiting in (lost(now), due(now)):
            grading_id = _unlocked(waiting.filter(lane=lane_id)).values_list("pk", flat=True).first()
            if grading_id is not None:
                return grading_id, lane_id
        passed.append(lane_id)  # All that it has is being taken at this moment.
    return None


def _lanes_with_work(now: datetime) -> QuerySet[GradingLane]:
    """In the order in which they are served.

    A value for each lane and no EXISTS, which PostgreSQL may answer by reading everything that waits.
    """
    found = [Subquery(work.filter(lane=OuterRef("pk")).values("pk")[:1]) for work in (lost(now), due(now))]
    lanes = GradingLane.objects.annotate(first=Coalesce(*found)).filter(first__isnull=False)
    return lanes.order_by("priority", "clock", "pk")


def due(now: datetime) -> QuerySet[Grading]:
    """Waiting, and not for a pause to end."""
    return Grading.objects.filter(state=State.QUEUED, not_before__lte=now).order_by("not_before", "pk")


def lost(now: datetime) -> QuerySet[Grading]:
    """Held by a worker whose lease ran out."""
    return Grading.objects.filter(state=State.RUNNING, lease_until__lt=now).order_by("lease_until", "pk")


def _unlocked(found: QuerySet[Grading]) -> QuerySet[Grading]:
    """Without those that another worker is taking; SQLite has one writer at a time."""
    if connection.features.has_select_for_update_skip_locked:
        return found.select_for_update(skip_locked=True)
    return found


def spend_turn(lane_id: int) -> None:
    """Puts the lane's clock forward by what one of its gradings is expected to take."""
    GradingLane.objects.filter(pk=lane_id).update(clock=F("clock") + F("expected_s"))


def learn_pace(lane_id: int | None, took_s: float | None) -> None:
    """Charges the lane with what a grading took in place of what was expected, and expects it rather the next time."""
    if lane_id is None or took_s is None:
        return
    moved = F("expected_s") * (1 - WEIGHT) + WEIGHT * took_s
    least = Cast(Value(LEAST_S), FloatField())
    charged = F("clock") - F("expected_s") + max(took_s, LEAST_S)
    GradingLane.objects.filter(pk=lane_id).update(clock=charged, expected_s=Greatest(moved, least))
