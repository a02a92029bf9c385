"""The medals of one entry as a table: seeds down, competitions across. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from leaderboard.aggregation import Figure, mean_and_sem

Flags = NDArray[np.bool_]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Grid:
    """`medals`: shape (seeds, competitions), whether the run earned any medal. A missing run earned none."""

    medals: Flags

    @property
    def seeds(self) -> int:
        return len(self.medals)

    @property
    def competitions(self) -> int:
        return int(self.medals.shape[1])

    @property
    def counts(self) -> Counts:
        """Medals of each competition, over all seeds."""
        counts: Counts = self.medals.sum(axis=0)
        return counts

    def part(self, columns: Flags) -> "Grid":
        """The grid of those competitions alone."""
        return Grid(self.medals[:, columns])

    def figure(self) -> Figure:
        """Any Medal in percent, mean and SEM over seeds, as in `aggregation.aggregate`."""
        return figure_of(self.medals.sum(axis=1), self.competitions)


def figure_of(won: Counts, competitions: int) -> Figure:
    """Any Medal in percent from the medals of each seed."""
    return _figure(tuple(sorted(won.tolist())), competitions)


@lru_cache(maxsize=2**14)
def _figure(won: tuple[int, ...], competitions: int) -> Figure:
    """Sums are exact, so that the order of seeds is nothing: few cases occur among thousands of entries."""
    return mean_and_sem([100 * medals / competitions for medals in won])


def fill_grid(seeds: Sequence[str], competitions: Sequence[str], medalled: Iterable[tuple[str, str]]) -> Grid:
    """The grid with those seeds and competitions in that order. `medalled`: seed and competition of each medal."""
    rows = {seed: at for at, seed in enumerate(seeds)}
    columns = {competition: at for at, competition in enumerate(competitions)}
    medals = np.zeros((len(seeds), len(competitions)), dtype=np.bool_)
    for seed, competition in medalled:
        medals[rows[seed], columns[competition]] = True
    return Grid(medals)
