"""What the medals of one split say of each entry, whichever boards it stands on. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from leaderboard.aggregation import Figure
from leaderboard.statistics.grid import Counts, Flags, Grid, figure_of
from leaderboard.statistics.interval import Alike, Interval, bootstrap_intervals, count_alike
from leaderboard.statistics.pass_at_k import curve
from leaderboard.statistics.resampling import SEED, Figures, draw_competitions, resample_figures
from leaderboard.statistics.ties import FEWEST_COMPETITIONS

# Of what kind, such as masks, and which of these.
Part = tuple[str, str]


@dataclass(frozen=True)
class EntryFigures:
    """`interval`: None where there is none to give. `parts`: Any Medal over a part of the competitions.

    `sizes`: how many competitions of each part count; parts of which none does are left out of both.
    """

    grid: Grid
    interval: Interval | None
    pass_at_k: list[float]
    parts: Mapping[Part, Figure]
    sizes: Mapping[Part, int]

    @property
    def is_enough(self) -> bool:
        return has_enough(self.grid.competitions)


@dataclass(frozen=True)
class SplitFigures:
    """By entry, for those whose runs are known. `resampled` is empty where competitions are too few to resample.

    `sizes`: the number of competitions of each part. `emptied`: entries for which every competition is masked.
    `named`: parts whose figures are made only when asked for, as `parts` writes them.
    """

    competitions: int
    sizes: Mapping[Part, int]
    entries: Mapping[int, EntryFigures]
    resampled: Mapping[int, Figures]
    emptied: frozenset[int] = frozenset()
    named: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_enough(self) -> bool:
        return has_enough(self.competitions)


def has_enough(competitions: int) -> bool:
    """Whether so many competitions can tell two agents apart."""
    return competitions >= FEWEST_COMPETITIONS


def study_split(
    competitions: int,
    grids: Mapping[int, Grid],
    parts: Mapping[Part, Flags],
    seed: int = SEED,
    emptied: Collection[int] = (),
) -> SplitFigures:
    """The figures of a split. `grids`: of its competitions; `parts`: which of these each part has, at least one."""
    enough = has_enough(competitions)
    entries = _study_entries(grids, parts)
    moving = {entry: grids[entry] for entry, figures in entries.items() if figures.is_enough}
    return SplitFigures(
        competitions=competitions,
        sizes={part: int(columns.sum()) for part, columns in parts.items()},
        entries=entries,
        resampled=resample_figures(moving, draw_competitions(competitions, seed), seed) if enough else {},
        emptied=frozenset(emptied),
    )


def _study_entries(grids: Mapping[int, Grid], parts: Mapping[Part, Flags]) -> dict[int, EntryFigures]:
    if not grids:
        return {}
    columns = np.stack(list(parts.values()), axis=1).astype(np.int64)
    sizes = _sizes(parts, columns)
    alike = {entry: count_alike(grid.counts, grid.seeds) for entry, grid in grids.items()}
    intervals = bootstrap_intervals(each for each in alike.values() if has_enough(sum(each)))
    return {
        entry: _study(
            grid, alike[entry], intervals, list(parts), columns, sizes if grid.counted is None else None
        )
        for entry, grid in grids.items()
    }


def _study(
    grid: Grid,
    alike: Alike,
    intervals: Mapping[Alike, Interval | None],
    parts: Sequence[Part],
    columns: Counts,
    sizes: Mapping[Part, int] | None,
) -> EntryFigures:
    """`columns`: shape (competitions, parts), 1 where the part has the competition. `sizes`: where all count."""
    won = grid.medals @ columns
    own = _sizes(parts, grid.counted_of(columns)) if sizes is None else sizes
    return EntryFigures(
        grid=grid,
        interval=intervals.get(alike),
        pass_at_k=_curve(alike),
        parts={part: figure_of(won[:, at], own[part]) for at, part in enumerate(parts) if part in own},
        sizes=own,
    )


def _sizes(parts: Iterable[Part], columns: Counts) -> dict[Part, int]:
    """How many competitions each part has, of those of which some are there."""
    return {part: size for part, size in zip(parts, columns.sum(axis=0).tolist(), strict=True) if size}


@lru_cache(maxsize=2**14)
def _curve(alike: Alike) -> list[float]:
    return curve(np.repeat(np.arange(len(alike)), alike), len(alike) - 1)
