"""What reading one bundle may cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Limits of one reading. Sizes in bytes; `clock` returns seconds and is read only to measure `seconds`.

    The defaults keep the reader itself to about 32 MB of memory: `xz_memory` and `zstd_window` are what the
    decoders of an archive and of one file inside it may hold at the same time; they admit `xz -7` and
    `zstd -19`. A manifest of 50,000 long names takes about as much.
    """

    clock: Callable[[], float]
    seconds: float = 3600.0
    total_bytes: int = 20 * GIB
    member_bytes: int = 2 * GIB
    members: int = 50_000
    seeds: int = 100
    checkpoints: int = 100  # Of one run: each is graded.
    ratio: int = 200
    ratio_floor_bytes: int = 32 * MIB
    run_card_bytes: int = 256 * KIB
    grading_report_bytes: int = MIB
    extension_header_bytes: int = 64 * KIB
    extension_headers: int = 8
    extension_records: int = 256
    path_bytes: int = 1024
    paths_bytes: int = 8 * MIB
    streams: int = 1024
    xz_memory: int = 20 * MIB
    zstd_window: int = 8 * MIB
    problems: int = 100
