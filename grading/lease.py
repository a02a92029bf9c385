"""What everything that is claimed has in common: taking it, keeping it while its work runs, ringing for what waits."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, connection
from django.db.models import F, Q, QuerySet

from grading.stopping import stoppable

log = logging.getLogger(__name__)
# A few at a time: a ring for each of a long queue, every few seconds, would outrun the workers for good.
RING_AGAIN_AFTER, RINGS_AT_ONCE = timedelta(seconds=10), 20
# Clocks of hosts may differ by so much. A time further ahead than any that is written was written before a clock was
# put back, and nobody is to wait until the clock comes there again.
CLOCKS_APART = timedelta(minutes=2)
# After the first, the second and any later attempt that failed by a fault of ours: a store that is full or away for a
# minute costs no submission.
PAUSES = (timedelta(seconds=2), timedelta(seconds=10), timedelta(seconds=60))


def claim_columns(now: datetime, lease: timedelta) -> dict[str, Any]:
    """What a claim writes beside the status: the lease, and a fencing token that outdates all earlier ones."""
    return {
        "lease_until": now + lease,
        "fencing_token": F("fencing_token") + 1,
        "attempts": F("attempts") + 1,
    }


def not_rung_lately(now: datetime) -> Q:
    return Q(rung_at=None) | Q(rung_at__lt=now - RING_AGAIN_AFTER) | Q(rung_at__gt=now + CLOCKS_APART)


def pause_after(attempts: int) -> timedelta:
    """How long what failed by a fault of ours rests, after so many attempts (1 or more)."""
    return PAUSES[min(attempts, len(PAUSES)) - 1]


def released_columns(now: datetime) -> dict[str, Any]:
    """What is written beside the status where a claim is given back without fault: the attempt does not count."""
    return {"lease_until": None, "attempts": F("attempts") - 1}


def mend_leases(held: QuerySet[Any], now: datetime, lease: timedelta) -> int:
    """Ends leases that end later than any can, since the clock was put back. Returns how many."""
    return held.filter(lease_until__gt=now + lease + CLOCKS_APART).update(lease_until=now)


def mend_pauses(waiting: QuerySet[Any], now: datetime) -> int:
    """Ends pauses that end later than any can, since the clock was put back. Returns how many."""
    return waiting.filter(not_before__gt=now + PAUSES[-1] + CLOCKS_APART).update(not_before=now)


@contextmanager
def keep_lease(extend: Callable[[], bool], lease: timedelta) -> Iterator[None]:
    """Calls `extend` three times per lease until the block ends or it says the claim is lost.

    The block may be left by Stopping, where the worker is to end: then the claim has to be given back.
    A killed worker stops extending, so its claim runs out and somebody else takes over.
    """
    done = threading.Event()
    keeper = threading.Thread(
        target=_extend_until, args=(done, extend, lease.total_seconds() / 3), daemon=True
    )
    keeper.start()
    try:
        with stoppable():
            yield
    finally:
        done.set()
        keeper.join()


def _extend_until(done: threading.Event, extend: Callable[[], bool], period_s: float) -> None:
    try:
        while not done.wait(period_s):
            if not _try(extend):
                return
    finally:
        connection.close()


def _try(extend: Callable[[], bool]) -> bool:
    """Whether to go on. A database that is away for a moment is not a reason to stop."""
    try:
        return extend()
    except DatabaseError as error:
        log.warning("a lease was not extended: %s", type(error).__name__)
        return True
