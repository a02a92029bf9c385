"""The yardstick: reads files with pyarrow as they come, and does nothing else. Started as a process of its own.

    python -m bench.bare_read FILE …

Prints one JSON object: the seconds reading alone took, and the largest resident memory of the process in MiB.
"""

import json
import sys
import time

from pyarrow import ArrowInvalid, csv

LONG_LINES = 64 << 20


def read_all(paths: list[str]) -> float:
    """Seconds to read the files one after the other, each dropped before the next pair begins."""
    started = time.perf_counter()
    for path in paths:
        (read_lines if path.endswith(".jsonl") else read_csv)(path)
    return time.perf_counter() - started


def read_csv(path: str) -> None:
    try:
        csv.read_csv(path)
    except ArrowInvalid:  # Masks of large pictures: a line longer than a block.
        csv.read_csv(path, read_options=csv.ReadOptions(block_size=LONG_LINES))


def read_lines(path: str) -> None:
    # Imported where it is needed: the other files must not pay for it.
    from pyarrow import json as lines

    lines.read_json(path, read_options=lines.ReadOptions(block_size=LONG_LINES))


def peak_memory_mb() -> float:
    """Of this program alone: what the kernel tells parents would count the memory of the one that started it."""
    with open("/proc/self/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def main() -> None:
    seconds = read_all(sys.argv[1:] or sys.stdin.read().split("\n"))
    print(json.dumps({"read_s": seconds, "peak_mb": peak_memory_mb()}))


if __name__ == "__main__":
    main()
