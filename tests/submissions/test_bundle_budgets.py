"""What reading a bundle may cost: memory, and every limit, passed by as little as can be. And every code is tried."""

import gzip
import itertools
import tracemalloc
from typing import Any

import pytest

from submissions.bundle import Code
from tests.submissions import bundles as b
from tests.submissions.test_bundle_hostile import ALL, GZ_RUN, nested, refusal

HUNGRY = [name for name in ALL if name.startswith("bomb:") or "bomb" in name or "huge" in name]


@pytest.mark.parametrize("name", HUNGRY)
def test_memory_stays_small(name: str) -> None:
    data = ALL[name][1]()
    tracemalloc.start()
    try:
        refusal(data)
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


RUN_FILE = b.RUN.partition("/")[2].encode()
CHECKPOINT = b.RUN.rpartition("/")[0].encode() + b"/checkpoints/%d/submission.csv"
BUDGETS: dict[Code, tuple[bytes, dict[str, Any]]] = {
    Code.ARCHIVE_TOO_LARGE: (b.run_tar(), {"total_bytes": 1000}),
    Code.TOTAL_TOO_LARGE: (gzip.compress(b.run_tar()), {"total_bytes": 1000}),
    Code.MEMBER_TOO_LARGE: (b.run_tar(b.tar_member(b"code/x", b"x" * 99)), {"member_bytes": 98}),
    Code.TOO_MANY_MEMBERS: (b.run_tar(b.tar_member(b"code/x")), {"members": 1}),
    Code.TOO_MANY_SEEDS: (
        b.run_tar(*(b.tar_member(b"s%d/" % n + RUN_FILE, b.CSV) for n in range(2))),
        {"seeds": 2},
    ),
    Code.TOO_MANY_CHECKPOINTS: (
        b.run_tar(*(b.tar_member(CHECKPOINT % hours, b.CSV) for hours in range(3))),
        {"checkpoints": 2},
    ),
    Code.RATIO_EXCEEDED: (gzip.compress(b.run_tar()), {"ratio": 2, "ratio_floor_bytes": 10}),
    Code.PATHS_TOO_LONG: (b.run_tar(b.tar_member(b"code/x")), {"paths_bytes": 10}),
    Code.RUN_CARD_TOO_LARGE: (b.tar({"run_card.yaml": b"abc", b.RUN: b.CSV}), {"run_card_bytes": 2}),
    Code.TOO_MANY_PROBLEMS: (b.run_tar(*(b.tar_member(b"../%d" % n) for n in range(9))), {"problems": 8}),
}


@pytest.mark.parametrize(("code", "data", "limits"), [(c, *case) for c, case in BUDGETS.items()])
def test_budgets(code: Code, data: bytes, limits: dict[str, Any]) -> None:
    assert refusal(data, **limits).problems[-1].code is code


def test_the_limit_for_one_file_binds_after_decompression() -> None:
    data = nested(GZ_RUN, gzip.compress(b.CSV * 100))
    assert [p.code for p in refusal(data, member_bytes=1000).problems] == [Code.MEMBER_TOO_LARGE]


def test_time_is_told_by_the_clock_given() -> None:
    ticks = itertools.count()
    limits = {"clock": lambda: float(next(ticks)), "seconds": 0.5}
    assert refusal(b.run_tar(), **limits).problems[-1].code is Code.OUT_OF_TIME


def test_every_code_is_tried() -> None:
    tried = {code for code, _ in ALL.values()} | BUDGETS.keys() | {Code.OUT_OF_TIME}
    assert tried == set(Code)
    assert len(ALL) >= 55
