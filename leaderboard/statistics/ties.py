"""Who cannot be told apart from the leader of a board. Pure."""

from dataclasses import dataclass
from math import lcm

import numpy as np
from numpy.typing import NDArray

from leaderboard.statistics.holm import adjust
from leaderboard.statistics.level import ALPHA
from leaderboard.statistics.sign_flip import p_value

Table = NDArray[np.int16]
Flags = NDArray[np.bool_]
# Below, even an agent ahead on every competition has p = 2 / 2**5 > ALPHA: the test could not tell anybody apart.
FEWEST_COMPETITIONS = 6


@dataclass(frozen=True)
class Comparisons:
    """Each entry against the leader. `differing`: competitions on which their medal rates differ.

    `p_value` by the sign-flip test, `p_adjusted` by Holm over all comparisons of the board.
    """

    differing: NDArray[np.int64]
    p_value: NDArray[np.float64]
    p_adjusted: NDArray[np.float64]

    @property
    def is_tied(self) -> Flags:
        return self.p_adjusted > ALPHA


def compare_with_leader(seeds: NDArray[np.int64], medals: Table, counted: Flags) -> Comparisons:
    """Every other entry of a board against its leader, as `sign_flip` compares two, all on the same competitions.

    The leader is the first. `medals` and `counted`: shape (entries, competitions), as in `columns.Columns`.
    """
    # What is masked for one of the two says nothing about them, just as what does not differ.
    both = counted[1:] & counted[0]
    differing, p_values = np.zeros(len(both), dtype=np.int64), np.ones(len(both))
    for number in np.unique(seeds[1:]).tolist():
        those = np.flatnonzero(seeds[1:] == number)
        unit = lcm(int(seeds[0]), number)
        ahead = unit // int(seeds[0]) * medals[0] - unit // number * medals[1:][those]
        differing[those], p_values[those] = _compare(ahead * both[those], unit)
    return Comparisons(differing, p_values, adjust(p_values))


def _compare(ahead: Table, unit: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """How many competitions differ, and p. `ahead`: by how much the leader is, a rate of 1 being `unit`."""
    sizes = np.abs(ahead)
    often = np.stack([(sizes == size).sum(axis=1) for size in range(1, unit + 1)], axis=1)
    seen = np.column_stack([often, np.abs(ahead.sum(axis=1, dtype=np.int64))])
    # Few cases occur among thousands of entries.
    cases, which = np.unique(seen, axis=0, return_inverse=True)
    chances = [
        p_value(tuple((size, many) for size, many in enumerate(times, 1) if many), total)
        for *times, total in cases.tolist()
    ]
    return often.sum(axis=1), np.array(chances)[which.ravel()]
