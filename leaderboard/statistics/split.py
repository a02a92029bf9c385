"""What the medals of one split say of each entry, whichever boards it stands on. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from leaderboard.aggregation import Figure
from leaderboard.statistics.grid import Flags, Grid
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
        entries={entry: _study(grid, parts, enough) for entry, grid in grids.items()},
        resampled=resample_figures(grids, draw_competitions(competitions, seed), seed) if enough else {},
    )


def _study(grid: Grid, parts: Mapping[Part, Flags], enough: bool) -> EntryFigures:
    return EntryFigures(
        grid=grid,
        interval=bootstrap_interval(grid.counts, grid.seeds) if enough else None,
        pass_at_k=curve(grid.counts, grid.seeds),
        parts={part: grid.part(columns).figure() for part, columns in parts.items()},
    )
