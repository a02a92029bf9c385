"""Slots of the sandbox for each process that runs tests: two that run at a time share no uid, and so no limit on
processes. The first slots belong to sites that tests start.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from grading.sandbox import policy

EACH = 60


@contextmanager
def own_slots() -> Iterator[None]:
    """Moves this process's slots to a block that no other on this machine has, of whichever run of tests."""
    first = policy.FIRST_SLOT_UID
    for number in count(1):
        with _lock(number).open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            policy.FIRST_SLOT_UID = first + EACH * number
            yield
            policy.FIRST_SLOT_UID = first
            return


def _lock(number: int) -> Path:
    return Path(tempfile.gettempdir()) / f"mle-bench-test-slots-{os.geteuid()}-{number}"
