"""How many gradings at the same time this machine holds: no more than it has cores, nor than fit into its memory.

In a container what it may use counts, not what the machine has: both kinds of control groups are asked.
"""

import os
from collections.abc import Callable
from pathlib import Path

MB = 1 << 20
# For worker, templates and system.
RESERVED_MB = 1024
# A control group of the first kind says "no limit" by a number that no machine has.
UNLIMITED_MB = 1 << 40
CGROUP = Path("/sys/fs/cgroup")


def count_slots(cores: float, memory_mb: float, grading_mb: int) -> int:
    """At least one. `grading_mb`: what one grading may use at the most."""
    return max(1, min(int(cores), int((memory_mb - RESERVED_MB) // grading_mb)))


def slots_here(wanted: int, grading_mb: int) -> int:
    """`wanted`, or where that is 0 as many as this machine holds."""
    return wanted or count_slots(cores_here(), memory_here_mb(), grading_mb)


def cores_here(group: Path = CGROUP) -> float:
    """Those this process may run on, or the share of time that its control group gets."""
    own = float(len(os.sched_getaffinity(0)))
    quotas = (_quota(_words(group / "cpu.max")), _quota(_first_kind(group)))
    return min([own, *(quota for quota in quotas if quota)])


def _first_kind(group: Path) -> list[str]:
    return [*_words(group / "cpu/cpu.cfs_quota_us"), *_words(group / "cpu/cpu.cfs_period_us")]


def _quota(words: list[str]) -> float | None:
    """Cores out of microseconds of time and of the period they are for; None where there is no limit."""
    if len(words) != 2 or words[0] in ("max", "-1"):
        return None
    return int(words[0]) / int(words[1])


def memory_here_mb(group: Path = CGROUP, machine: Callable[[], float] | None = None) -> float:
    """Of the machine, or of its control group where that is less."""
    whole = (machine or _machine_mb)()
    limits = [_words(group / name) for name in ("memory.max", "memory/memory.limit_in_bytes")]
    found = [int(words[0]) / MB for words in limits if words and words[0] != "max"]
    return min([whole, *(limit for limit in found if limit < UNLIMITED_MB)])


def _machine_mb() -> float:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / MB


def _words(path: Path) -> list[str]:
    try:
        return path.read_text().split()
    except OSError:
        return []
