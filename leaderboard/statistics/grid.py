"""The medals of one entry as a table: seeds down, competitions across. Pure."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leaderboard.aggregation import Figure, mean_and_sem

Flags = NDArray[np.bool_]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Grid:
    """`medals`: shape (seeds, competitions), whether the run earned any medal. A missing run earned none.

    `counted`: which competitions count; None where all do. Those masked are nothing to any figure.
    """

    medals: Flags
    counted: Flags | None = None

    @property
    def seeds(self) -> int:
        return len(self.medals)

    @property
    def competitions(self) -> int:
        """The number of those that count."""
        return int(self.medals.shape[1] if self.counted is None else self.counted.sum())

    @property
    def counts(self) -> Counts:
        """Medals of each competition that counts, over all seeds."""
        counts: Counts = self.counted_of(self.medals.sum(axis=0))
        return counts

    def counted_of(self, values: NDArray[Any]) -> NDArray[Any]:
        """What counts of values by competition."""
        return values if self.counted is None else values[self.counted]

    def part(self, columns: NDArray[Any]) -> "Grid":
        """The grid of those competitions alone."""
        counted = None if self.counted is None else self.counted[columns]
        return Grid(self.medals[:, columns], None if counted is None or counted.all() else counted)

    def figure(self) -> Figure:
        """Any Medal in percent, mean and SEM over seeds, as in `aggregation.aggregate`."""
        won: Counts = (self.medals if self.counted is None else self.medals[:, self.counted]).sum(axis=1)
        return figure_of(won, self.competitions)

    def shared(self, other: "Grid") -> tuple["Grid", "Grid"]:
        """The two on the competitions that count for both."""
        both = [each.counted for each in (self, other) if each.counted is not None]
        if not both:
            return self, other
        columns = np.logical_and.reduce(both)
        return Grid(self.medals[:, columns]), Grid(other.medals[:, columns])


def figure_of(won: Counts, competitions: int) -> Figure:
    """Any Medal in percent from the medals of each seed."""
    return _figure(tuple(sorted(won.tolist())), competitions)


@lru_cache(maxsize=2**14)
def _figure(won: tuple[int, ...], competitions: int) -> Figure:
    """Sums are exact, so that the order of seeds is nothing: few cases occur among thousands of entries."""
    return mean_and_sem([100 * medals / competitions for medals in won])


def fill_grid(
    seeds: Sequence[str],
    competitions: Sequence[str],
    medalled: Iterable[tuple[str, str]],
    masked: Collection[str] = (),
) -> Grid:
    """The grid with those seeds and competitions in that order. `medalled`: seed and competition of each medal."""
    rows = {seed: at for at, seed in enumerate(seeds)}
    columns = {competition: at for at, competition in enumerate(competitions) if competition not in masked}
    medals = np.zeros((len(seeds), len(competitions)), dtype=np.bool_)
    for seed, competition in medalled:
        if competition in columns:
            medals[rows[seed], columns[competition]] = True
    return Grid(medals, _all_but(competitions, masked))


def _all_but(competitions: Sequence[str], masked: Collection[str]) -> Flags | None:
    if not any(competition in masked for competition in competitions):
        return None
    return np.array([competition not in masked for competition in competitions], dtype=np.bool_)
