"""Letting go of work that may last long when the worker is to end: what has begun is given back at once.

The worker's main process asks its children by a signal; one that works raises Stopping there, and one that does not
goes on to end by itself. `keep_lease` is what makes work that may be stopped.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

# Nobody minds it who does not listen, and Celery's processes, which end at most other signals, leave it alone.
STOP = signal.SIGURG
_may_stop = False


class Stopping(BaseException):
    """The worker ends now. No Exception, since it is no failure of what runs: nothing but its edge may catch it."""


def listen() -> None:
    """In a process that works, before it does."""
    signal.signal(STOP, _raise)


@contextmanager
def stoppable() -> Iterator[None]:
    """Within it the signal raises Stopping; outside it does nothing, so that no result is lost on its way."""
    global _may_stop
    _may_stop = True
    try:
        yield
    finally:
        _may_stop = False


def _raise(number: int, frame: object) -> None:
    global _may_stop
    if _may_stop:
        _may_stop = False  # Once: the way out must not be disturbed.
        raise Stopping
