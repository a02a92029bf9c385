"""Keeping a claim alive while its work runs."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db import DatabaseError, connection

log = logging.getLogger(__name__)


@contextmanager
def keep_lease(extend: Callable[[], bool], lease: timedelta) -> Iterator[None]:
    """Calls `extend` three times per lease until the block ends or it says the claim is lost.

    A killed worker stops extending, so its claim runs out and somebody else takes over.
    """
    done = threading.Event()
    keeper = threading.Thread(
        target=_extend_until, args=(done, extend, lease.total_seconds() / 3), daemon=True
    )
    keeper.start()
    try:
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
