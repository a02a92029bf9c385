"""The boards of a benchmark put in order, from what is stored of its entries."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grading.models import Benchmark
from grading.splits import Split
from leaderboard.board_lines import Lines
from leaderboard.models import StoredRow
from leaderboard.statistics.board import NOBODY, Ranked, Studied, study_boards
from leaderboard.statistics.columns import Columns
from leaderboard.statistics.masks import Mask
from leaderboard.statistics.resampling import RESAMPLES
from leaderboard.statistics.ties import Comparisons

NAMES = ("entry", "track", "figure", "run_on", "seeds", "medals", "counted", "resampled", "masked")


def order_split(
    benchmark: Benchmark,
    split: Split,
    competitions: int,
    boards: Mapping[str, Collection[str]],
    ranked: Collection[str],
    parts: Mapping[str, str],
) -> dict[str, Lines]:
    """The lines of every board of a split that has any. `boards`: the tracks each shows; `ranked`: those ranked."""
    columns = read_columns(benchmark, split, competitions)
    studied = study_boards(columns, boards, ranked)
    return {name: _lines(each, columns, parts) for name, each in studied.items() if len(each.order)}


def read_columns(benchmark: Benchmark, split: Split, competitions: int) -> Columns:
    """Of the rows that are shown now. One query."""
    found = StoredRow.objects.filter(benchmark=benchmark, split=split.value, until=None).order_by()
    # Here, since the database would move all that is read of each.
    rows = sorted(found.values_list(*NAMES), key=itemgetter(0))
    read = dict(zip(NAMES, zip(*rows, strict=True) if rows else [()] * len(NAMES), strict=True))
    moving = [at for at, draws in enumerate(read["resampled"]) if draws]
    return Columns(
        entries=np.array(read["entry"], dtype=np.int64),
        tracks=np.array(read["track"], dtype=np.str_),
        figures=np.array([np.nan if each is None else each for each in read["figure"]], dtype=np.float64),
        days=np.array([day.toordinal() for day in read["run_on"]], dtype=np.int64),
        seeds=np.array(read["seeds"], dtype=np.int64),
        medals=_table(read["medals"], "<i2", competitions, 0),
        counted=_table(read["counted"], "?", competitions, True),
        moving=np.array(moving, dtype=np.int64),
        resampled=_table([read["resampled"][at] for at in moving], "<i2", RESAMPLES, 0),
        masked=_table(read["masked"], "<f8", len(Mask), np.nan),
    )


def _table(rows: Iterable[bytes], kind: str, width: int, usual: Any) -> NDArray[Any]:
    """The bytes of each row in a table; those that have none are filled with what is usual."""
    empty = np.full(width, usual, dtype=kind).tobytes()
    table: NDArray[Any] = np.frombuffer(b"".join(row or empty for row in rows), dtype=kind)
    return table.reshape(-1, width)


def _lines(studied: Studied, columns: Columns, parts: Mapping[str, str]) -> Lines:
    ranked, lines = studied.ranked, len(studied.order)
    return Lines(
        entry=columns.entries[studied.order].tolist(),
        rank=_fill(ranked.ranks, lines),
        rank_low=_fill(ranked.low, lines),
        rank_high=_fill(ranked.high, lines),
        **_compared(ranked, lines),
        mask_ranks={
            mask.value: _fill(each, lines) for mask, each in zip(Mask, ranked.mask_ranks, strict=True)
        },
        leader=None if ranked.leader == NOBODY else int(columns.entries[ranked.leader]),
        parts=parts,
    )


def _fill(values: NDArray[Any], lines: int) -> list[int | None]:
    """Of ranked lines, and of the others below them; 0 is none."""
    return [value or None for value in values.tolist()] + [None] * (lines - len(values))


def _compared(ranked: Ranked, lines: int) -> dict[str, Sequence[Any]]:
    names = ("differing", "p_value", "p_adjusted")
    if ranked.comparisons is None:
        return {name: [None] * lines for name in names}
    return {name: _spread(ranked.compared, ranked.comparisons, name, lines) for name in names}


def _spread(places: NDArray[np.int64], comparisons: Comparisons, name: str, lines: int) -> list[Any]:
    spread: list[Any] = [None] * lines
    for place, value in zip(places.tolist(), getattr(comparisons, name).tolist(), strict=True):
        spread[place] = value
    return spread
