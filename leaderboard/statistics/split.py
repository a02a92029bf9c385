"""What the medals of one split say of each entry, whichever boards it stands on. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from leaderboard.aggregation import Figure
from leaderboard.statistics.grid import Counts, Flags, Grid, figure_of
from leaderboard.statistics.interval import Interval, bootstrap_interval
from leaderboard.statistics.pass_at_k import curve
from leaderboard.statistics.resampling import SEED, Figures, draw_competitions, resample_figures
from leaderboard.statistics.ties import FEWEST_COMPETITIONS

# Of what kind, such as masks, and which of these.
Part = tuple[str, str]


@dataclass(frozen=True)
class EntryFigures:
    """`interval`: None where there is none to give. `parts`: Any Medal over a part of the competitions."""

    grid: Grid
    interval: Interval | None
    pass_at_k: list[float]
    parts: Mapping[Part, Figure]


@dataclass(frozen=True)
class SplitFigures:
    """By entry, for those whose runs are known. `resampled` is empty where competitions are too few to resample.

    `sizes`: the number of competitions of each part.
    """

    competitions: int
    sizes: Mapping[Part, int]
    entries: Mapping[int, EntryFigures]
    resampled: Mapping[int, Figures]

    @property
    def is_enough(self) -> bool:
        return has_enough(self.competitions)


def has_enough(competitions: int) -> bool:
    """Whether so many competitions can tell two agents apart."""
    return competitions >= FEWEST_COMPETITIONS


def study_split(
    competitions: int, grids: Mapping[int, Grid], parts: Mapping[Part, Flags], seed: int = SEED
) -> SplitFigures:
    """The figures of a split. `grids`: of its competitions; `parts`: which of these each part has, at least one."""
    enough = has_enough(competitions)
    return SplitFigures(
        competitions=competitions,
        sizes={part: int(columns.sum()) for part, columns in parts.items()},
        entries=_study_entries(grids, parts, enough),
        resampled=resample_figures(grids, draw_competitions(competitions, seed), seed) if enough else {},
    )


def _study_entries(
    grids: Mapping[int, Grid], parts: Mapping[Part, Flags], enough: bool
) -> dict[int, EntryFigures]:
    if not grids:
        return {}
    columns = np.stack(list(parts.values()), axis=1).astype(np.int64)
    return {entry: _study(grid, list(parts), columns, enough) for entry, grid in grids.items()}


def _study(grid: Grid, parts: Sequence[Part], columns: Counts, enough: bool) -> EntryFigures:
    """`columns`: shape (competitions, parts), 1 where the part has the competition."""
    alike = tuple(np.bincount(grid.counts, minlength=grid.seeds + 1).tolist())
    won, sizes = grid.medals @ columns, columns.sum(axis=0)
    return EntryFigures(
        grid=grid,
        interval=_interval(alike) if enough else None,
        pass_at_k=_curve(alike),
        parts={part: figure_of(won[:, at], int(sizes[at])) for at, part in enumerate(parts)},
    )


@lru_cache(maxsize=2**14)
def _interval(alike: tuple[int, ...]) -> Interval | None:
    """`alike`: the number of competitions with 0, 1, … medals, which is all an interval depends on."""
    return bootstrap_interval(_counts(alike), len(alike) - 1)


@lru_cache(maxsize=2**14)
def _curve(alike: tuple[int, ...]) -> list[float]:
    return curve(_counts(alike), len(alike) - 1)


def _counts(alike: tuple[int, ...]) -> Counts:
    return np.repeat(np.arange(len(alike)), alike)
