"""Whether two agents can be told apart: the sign-flip test of paired differences. Pure.

Source: Good, Permutation, Parametric and Bootstrap Tests of Hypotheses (2005), ch. 3 (matched pairs).
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import lcm

import numpy as np

from leaderboard.statistics.binomial import Chances, chances_of
from leaderboard.statistics.grid import Grid

Sizes = tuple[tuple[int, int], ...]


def compare(one: Grid, other: Grid) -> list[int]:
    """By competition how much the medal rate of the one is above the other's, in whole parts of a common unit.

    Only competitions that count for both: what is masked for one of them says nothing about the two.
    """
    one, other = one.shared(other)
    unit = lcm(one.seeds, other.seeds)
    ahead = one.counts * (unit // one.seeds) - other.counts * (unit // other.seeds)
    return [int(part) for part in ahead]


def sign_flip_p(differences: Sequence[int]) -> float:
    """Two-sided p: how often the sum is at least so far from 0 if each difference had either sign by even chance.

    Exact for any number of differences, since these are whole numbers: no flip is left out and none is sampled.
    1.0 where nothing differs.
    """
    sizes = Counter(abs(difference) for difference in differences if difference)
    return p_value(tuple(sorted(sizes.items())), abs(sum(differences)))


@lru_cache(maxsize=2**15)
def p_value(sizes: Sizes, observed: int) -> float:
    """The same from the absolute differences in rising order, each with how often it occurs, and their distance from 0.

    Kept, since an entry is often compared on several boards with the same leader.
    """
    if observed == 0:
        return 1.0
    chances = _chances_of_sums(sizes)
    middle = len(chances) // 2
    # The distribution is symmetric: both tails are as heavy.
    return min(1.0, 2 * float(chances[middle + observed :].sum()))


@lru_cache(maxsize=4096)
def _chances_of_sums(sizes: Sizes) -> Chances:
    """Chances of every sum from the lowest to the highest. `sizes`: absolute difference and how often it occurs."""
    chances = np.ones(1)
    for size, times in sizes:
        # With p of `times` at plus, these sum to size * (2p - times): steps of two sizes.
        sums = np.zeros(2 * size * times + 1)
        sums[:: 2 * size] = chances_of(times, 1, 2)
        chances = np.convolve(chances, sums)
    return chances
