"""How long to wait after a failed try."""

from datetime import datetime, time, timedelta

FIRST = timedelta(minutes=1)
LONGEST = timedelta(hours=6)
ATTEMPTS = 12  # With the waits below, about twenty hours.
DIGEST_AT = time(7, 0)


def wait_after(failures: int) -> timedelta:
    """A minute after the first failure, then twice as long each time, six hours at most."""
    doublings = min(max(failures, 1) - 1, 20)
    return min(FIRST * (1 << doublings), LONGEST)


def next_digest(now: datetime) -> datetime:
    """The next seven o'clock UTC; `now` is in UTC."""
    today = datetime.combine(now.date(), DIGEST_AT, now.tzinfo)
    return today if now < today else today + timedelta(days=1)
