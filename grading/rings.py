"""Ringing a task once the transaction stands. A ring may get lost: the row is the truth, the sweeper finds it."""

import logging
from collections.abc import Sequence

from celery import current_app
from django.db import transaction

log = logging.getLogger(__name__)


def ring(task: str, *args: object) -> None:
    """Sends the task by name after commit. A broker that is away is logged, and nothing else happens."""
    transaction.on_commit(lambda: _send(task, args))


def _send(task: str, args: Sequence[object]) -> None:
    try:
        current_app.send_task(task, args=list(args), ignore_result=True)
    except (OSError, current_app.connection_for_write().connection_errors) as error:
        log.warning("could not ring %s%s: %s; the sweeper will", task, tuple(args), type(error).__name__)
