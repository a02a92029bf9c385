"""Letting go of work that may last long when the worker is to end: what has begun is given back at once.

The worker's main process asks its children by a signal; one that works raises Stopping there, and one that does not
goes on to end by itself. `keep_lease` is what makes work that may be stopped. Before that, as soon as the worker is
asked to end, `is_ending` says so in all its processes: nothing new is begun.
"""

import mmap
import signal
from collections.abc import Iterator
from contextlib import contextmanager

# Nobody minds it who does not listen, and Celery's processes, which end at most other signals, leave it alone.
STOP = signal.SIGURG
_may_stop = False
# Memory that the worker's main process shares with the children it forks: 1 once it was asked to end.
_ending = mmap.mmap(-1, 1)


class Stopping(BaseException):
    """The worker ends now. No Exception, since it is no failure of what runs: nothing but its edge may catch it."""


def listen() -> None:
    """In a process that works, before it does."""
    signal.signal(STOP, _raise)


def announce_end() -> None:
    """In the worker's main process."""
    _ending[0] = 1


def is_ending() -> bool:
    """Whether this worker takes nothing new any more."""
    return bool(_ending[0])


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
