"""Ringing a task once the transaction stands. A ring may get lost: the row is the truth, the sweeper finds it."""

import logging
from collections.abc import Collection, Sequence
from itertools import islice

from celery import current_app
from django.db import transaction
from kombu.exceptions import KombuError

from grading.fault_points import fault_point
from grading.lease import RINGS_AT_ONCE

RING_DUE = fault_point("ring_due")
RING_SENT = fault_point("ring_sent")
log = logging.getLogger(__name__)


def ring(task: str, *args: object) -> None:
    """Sends the task by name after commit. A broker that is away is logged, and nothing else happens."""
    transaction.on_commit(lambda: _send(task, args))


def ring_graders(gradings: Collection[int]) -> None:
    """Wakes grading workers for what waits now: some, since each takes what is next until nothing waits.

    Where there are more workers than that, the sweep wakes others every few seconds.
    """
    for grading_id in islice(gradings, RINGS_AT_ONCE):
        ring("grading.tasks.grade", grading_id)


def _send(task: str, args: Sequence[object]) -> None:
    RING_DUE.reach()
    try:
        # Once: whoever waits for an answer is not to wait for a broker as well.
        current_app.send_task(task, args=list(args), ignore_result=True, retry=False)
    except (OSError, KombuError, *current_app.connection_for_write().connection_errors) as error:
        log.warning("could not ring %s%s: %s; the sweeper will", task, tuple(args), type(error).__name__)
        return
    RING_SENT.reach()
