"""Who cannot be told apart from the leader of a board. Pure."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leaderboard.statistics.grid import Grid
from leaderboard.statistics.holm import adjust
from leaderboard.statistics.sign_flip import p_value

ALPHA = 0.05
# Below, even an agent ahead on every competition has p = 2 / 2**5 > ALPHA: the test could not tell anybody apart.
FEWEST_COMPETITIONS = 6


@dataclass(frozen=True)
class Comparison:
    """An entry against the leader. `differing`: competitions on which their medal rates differ.

    `p_value` by the sign-flip test, `p_adjusted` by Holm over all comparisons of the board.
    """

    differing: int
    p_value: float
    p_adjusted: float

    @property
    def is_tied(self) -> bool:
        return self.p_adjusted > ALPHA


def compare_with_leader(leader: Grid, others: Mapping[int, Grid]) -> dict[int, Comparison]:
    """Every other entry of a board against its leader, as `sign_flip` compares two, all on the same competitions."""
    found: dict[int, tuple[int, float]] = {}
    by_seeds: dict[int, list[int]] = defaultdict(list)
    for entry, grid in others.items():
        by_seeds[grid.seeds].append(entry)
    for entries in by_seeds.values():
        found |= zip(entries, _compare(leader, [others[entry] for entry in entries]), strict=True)
    adjusted = adjust([found[entry][1] for entry in others])
    return {entry: Comparison(*found[entry], each) for entry, each in zip(others, adjusted, strict=True)}


def _compare(leader: Grid, others: Sequence[Grid]) -> list[tuple[int, float]]:
    """How many competitions differ, and p, for grids with equally many seeds."""
    unit = lcm(leader.seeds, others[0].seeds)
    ahead = unit // leader.seeds * _counts(leader) - unit // others[0].seeds * np.stack(
        [_counts(grid) for grid in others]
    )
    # What is masked for one of the two says nothing about them, just as what does not differ.
    ahead *= _counted(leader) & np.stack([_counted(grid) for grid in others])
    often = np.stack([(np.abs(ahead) == size).sum(axis=1) for size in range(1, unit + 1)], axis=1)
    return [
        (sum(times), p_value(tuple((size, many) for size, many in enumerate(times, 1) if many), abs(total)))
        for times, total in zip(often.tolist(), ahead.sum(axis=1).tolist(), strict=True)
    ]


def _counts(grid: Grid) -> NDArray[Any]:
    counts: NDArray[Any] = grid.medals.sum(axis=0)
    return counts


def _counted(grid: Grid) -> NDArray[Any]:
    return np.ones(grid.medals.shape[1], dtype=np.bool_) if grid.counted is None else grid.counted
