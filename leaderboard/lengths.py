"""How long lists are: a long one is counted once a minute, a short one each time."""

import time
from collections.abc import Callable, Hashable

from leaderboard.kept import Shelf

# To count a list this long takes longer than to show a page of it, and nobody needs it to the line.
LONG, KEPT_S, LISTS = 1_000, 60.0, 1_000
_lengths: Shelf[tuple[int, float]] = Shelf(LISTS, lambda _: 1)


def length_of(key: Hashable, count: Callable[[], int]) -> int:
    """The length of the list of that name, counted now or, if it is long, within the last minute."""
    now = time.monotonic()
    length, until = _lengths.get(key) or (0, now)
    if now >= until:
        length = count()
        if length > LONG:
            _lengths.put(key, (length, now + KEPT_S))
    return length


def forget() -> None:
    """Nothing is kept any more; for tests."""
    _lengths.clear()
