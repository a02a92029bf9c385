"""Measures a running sandbox from outside, by /proc."""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

KB_PER_MB = 1024
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
GONE = (FileNotFoundError, ProcessLookupError)


@dataclass
class Usage:
    """Resident memory of the tree now, the most seen so far, and the most processor time of one process."""

    memory_mb: int = 0
    peak_memory_mb: int = 0
    cpu_s: float = 0.0


def measure(init_pid: int, usage: Usage) -> None:
    """Updates `usage` with the sum of resident sets over `init_pid` and its descendants.

    Pages shared after a fork count once for each process: the limit is kept, a little early. A process alone
    adds its high-water mark to the peak, so that a spike between two looks is seen as well.
    """
    resident, highest = 0, 0
    for pid in process_tree(init_pid):
        now, high = _resident_kb(pid)
        resident, highest = resident + now, max(highest, high)
        usage.cpu_s = max(usage.cpu_s, processor_s(pid))
    usage.memory_mb = resident // KB_PER_MB
    usage.peak_memory_mb = max(usage.peak_memory_mb, usage.memory_mb, highest // KB_PER_MB)


def process_tree(pid: int) -> list[int]:
    """The process and all its descendants. Orphans too: they become children of the sandbox's init."""
    found, left = [], [pid]
    while left:
        found.append(left.pop())
        left += _children(found[-1])
    return found


def count_files(init_pid: int, tmp_mb: int) -> int:
    """Inodes in use in the sandbox's /tmp, a tmpfs of `tmp_mb`. 0 before it is mounted and after its end."""
    try:
        stats = os.statvfs(f"/proc/{init_pid}/root/tmp")
    except GONE:
        return 0
    is_ours = stats.f_blocks * stats.f_frsize <= tmp_mb << 20  # the host's /tmp is what is seen at first
    return stats.f_files - stats.f_ffree if is_ours else 0


def _children(pid: int) -> list[int]:
    """Children of every thread: the kernel lists each under the thread that forked it."""
    children: list[int] = []
    with suppress(*GONE):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(*GONE):
                children += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    return children


def _resident_kb(pid: int) -> tuple[int, int]:
    """Resident size now and at its highest, in KB; zeros for a zombie or a process that is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_bytes()
    except GONE:
        return 0, 0
    fields = dict(
        line.split(b":", 1) for line in status.splitlines() if line.startswith((b"VmRSS", b"VmHWM"))
    )
    return _kb(fields.get(b"VmRSS")), _kb(fields.get(b"VmHWM"))


def processor_s(pid: int) -> float:
    """Seconds of processor time, user and system; 0.0 for a process that is gone."""
    try:
        status = Path(f"/proc/{pid}/stat").read_bytes()
    except GONE:
        return 0.0
    fields = status.rpartition(b")")[2].split()  # the name before it may hold spaces
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def _kb(field: bytes | None) -> int:
    return int(field.split()[0]) if field else 0
