"""Whose turn it is. Those who share a word (submissions passes the organisation's) share one lane of the queue.

Each lane has a clock of the seconds of grading it was given. The lane with the least goes next, and its clock is put
forward: by what its gradings have lately taken while this one runs, then by what it took. So whoever has much in the
queue, or slow things, waits for himself: with n lanes that have work each gets a share of 1/n, and none waits for ever.
A lane that comes back starts where the least of those with work stands, so that idle time is no credit. Priorities
have lanes of their own.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import OuterRef, QuerySet, Subquery

from grading.models import Grading, GradingLane

State = Grading.State
# What one grading counts at the least, so that what costs nothing takes turns too.
LEAST_S = 0.05
# How much one grading changes what its lane is expected to take.
WEIGHT = 0.2
# In the order in which they are taken: those of a worker whose lease ran out, and those that wait for no pause to end.
# As `lost` and `due` say it in querysets, which a test holds against them.
LOST = "state = 'running' AND lease_until < %(now)s ORDER BY lease_until, id"
DUE = "state = 'queued' AND not_before <= %(now)s ORDER BY not_before, id"
# Lanes with work in the order in which they are served, and of each whether a worker was lost there. A value for each
# lane and no EXISTS, which PostgreSQL may answer by reading everything that waits. Not all: where other workers are
# about to take all that five lanes have, the next ring finds the rest.
LANES = f"""
    SELECT id, lost_id FROM (
        SELECT lane.id, lane.priority, lane.clock,
            (SELECT id FROM grading_grading WHERE lane_id = lane.id AND {LOST} LIMIT 1) AS lost_id,
            (SELECT id FROM grading_grading WHERE lane_id = lane.id AND {DUE} LIMIT 1) AS due_id
        FROM grading_gradinglane AS lane
    ) AS lanes
    WHERE COALESCE(lost_id, due_id) IS NOT NULL
    ORDER BY priority, clock, id LIMIT 5
"""  # noqa: S608 - Of constants alone.
# The first of a lane that no other worker is taking; SQLite has one writer at a time. As `claim_columns` has it.
TAKE = """
    UPDATE grading_grading SET state = 'running', lease_until = %(lease_until)s,
        fencing_token = fencing_token + 1, attempts = attempts + 1
    WHERE id = (SELECT id FROM grading_grading WHERE lane_id = %(lane)s AND {first} LIMIT 1 {lock})
    RETURNING id, fencing_token
"""
ROW_LOCK = "FOR UPDATE SKIP LOCKED"
SPEND = "UPDATE grading_gradinglane SET clock = clock + expected_s WHERE id = %s"
LEARN = """
    UPDATE grading_gradinglane SET clock = clock - expected_s + %(charged)s, expected_s = CASE
        WHEN expected_s * (1 - %(weight)s) + %(learnt)s > %(least)s
        THEN expected_s * (1 - %(weight)s) + %(learnt)s ELSE %(least)s END
    WHERE id = %(lane)s
"""


@dataclass(frozen=True)
class Taken:
    """A grading that is ours. `token`: by which we are told from those who had it before and after."""

    grading_id: int
    token: int


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


def take_next(now: datetime, lease: timedelta) -> Taken | None:
    """Takes what is next, and puts its lane's clock forward by what one of its gradings is expected to take.

    None where nothing is due. Call it in a transaction. In SQL, since making the same of querysets costs more than all
    that the database does.
    """
    moment, until = (connection.ops.adapt_datetimefield_value(at) for at in (now, now + lease))
    with connection.cursor() as cursor:
        cursor.execute(LANES, {"now": moment})
        for lane_id, lost_id in cursor.fetchall():
            for first in (LOST, DUE) if lost_id else (DUE,):
                cursor.execute(_take(first), {"lane": lane_id, "now": moment, "lease_until": until})
                if row := cursor.fetchone():
                    cursor.execute(SPEND, [lane_id])
                    return Taken(*row)
    return None


def _take(first: str) -> str:
    return TAKE.format(
        first=first, lock=ROW_LOCK if connection.features.has_select_for_update_skip_locked else ""
    )


def due(now: datetime) -> QuerySet[Grading]:
    """Waiting, and not for a pause to end."""
    return Grading.objects.filter(state=State.QUEUED, not_before__lte=now).order_by("not_before", "pk")


def lost(now: datetime) -> QuerySet[Grading]:
    """Held by a worker whose lease ran out."""
    return Grading.objects.filter(state=State.RUNNING, lease_until__lt=now).order_by("lease_until", "pk")


def learn_pace(lane_id: int | None, took_s: float | None) -> None:
    """Charges the lane with what a grading took in place of what was expected, and expects it rather the next time."""
    if lane_id is None or took_s is None:
        return
    told = {"lane": lane_id, "charged": max(took_s, LEAST_S), "weight": WEIGHT, "least": LEAST_S}
    with connection.cursor() as cursor:
        cursor.execute(LEARN, {**told, "learnt": WEIGHT * took_s})
