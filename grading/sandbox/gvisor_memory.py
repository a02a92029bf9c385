"""Measures a running gVisor container from outside, by /proc.

What a container uses lies in one file in memory that its kernel maps into the processes for a while: resident sets show
some of it twice and some not at all. The file's blocks are what it takes.
"""

import os
from contextlib import suppress
from pathlib import Path

from grading.sandbox.watchdog import GONE, KB_PER_MB, Usage, process_tree, processor_s

MEMORY_FILE = "/memfd:runsc-memory"
BLOCK_BYTES = 512
KB = 1024


def measure_container(init_pid: int, usage: Usage) -> None:
    """Updates `usage` with the container's memory file and what runsc's own processes hold besides."""
    pids = process_tree(init_pid)
    kb = sum(map(_private_kb, pids)) + _memory_file_kb(pids)
    usage.memory_mb = kb // KB_PER_MB
    usage.peak_memory_mb = max(usage.peak_memory_mb, usage.memory_mb)
    usage.cpu_s = max([usage.cpu_s, *map(processor_s, pids)])


def _memory_file_kb(pids: list[int]) -> int:
    """That of the first process which has it: its kernel, whose children inherit the same."""
    return next(filter(None, map(_memory_file_of, pids)), 0)


def _memory_file_of(pid: int) -> int:
    with suppress(*GONE, PermissionError):  # An ordinary user may not look into bubblewrap's own processes.
        for name in os.listdir(folder := f"/proc/{pid}/fd"):
            with suppress(*GONE):
                if os.readlink(f"{folder}/{name}").startswith(MEMORY_FILE):
                    return os.stat(f"{folder}/{name}").st_blocks * BLOCK_BYTES // KB
    return 0


def _private_kb(pid: int) -> int:
    """Memory of its own, in KB; 0 for a zombie or a process that is gone."""
    with suppress(*GONE):
        for line in Path(f"/proc/{pid}/status").read_bytes().splitlines():
            if line.startswith(b"RssAnon"):
                return int(line.split()[1])
    return 0
