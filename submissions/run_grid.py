"""Run lines arranged for a page: competitions down, seeds across. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from grading.splits import Split
from submissions.run_line import RunLine, label_order


@dataclass(frozen=True)
class GridRow:
    """A competition with one line per seed; None where the bundle has no such run."""

    competition: str
    cells: tuple[RunLine | None, ...]


@dataclass(frozen=True)
class GridSplit:
    """The rows of one split."""

    label: str
    rows: tuple[GridRow, ...]


@dataclass(frozen=True)
class Grid:
    """The whole table. Its columns are the seeds, in order of their labels."""

    seeds: tuple[str, ...]
    splits: tuple[GridSplit, ...]


def grid(lines: Sequence[RunLine]) -> Grid:
    """The table of the lines; empty for none."""
    seeds = tuple(sorted({line.seed for line in lines}, key=label_order))
    present = [split for split in Split.stored() if any(line.split == split for line in lines)]
    splits = [
        GridSplit(split.label, tuple(_rows([line for line in lines if line.split == split], seeds)))
        for split in present
    ]
    return Grid(seeds, tuple(splits))


def _rows(lines: Sequence[RunLine], seeds: Sequence[str]) -> list[GridRow]:
    by_competition = groupby(
        sorted(lines, key=lambda line: line.competition), key=lambda line: line.competition
    )
    rows = []
    for competition, group in by_competition:
        cells = {line.seed: line for line in group}
        rows.append(GridRow(competition, tuple(cells.get(seed) for seed in seeds)))
    return rows
