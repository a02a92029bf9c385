"""Whether an entry is ahead of others in one group of competitions more than in another. Pure.

For each competition: how far the entry's medal rate is above that of the others. The mean of that in the one group
less the mean in the other is the difference. Its interval is a bootstrap over competitions, its p the share of random
groups of the same size with as much or more (Good, Permutation, Parametric and Bootstrap Tests of Hypotheses, 2005).
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from leaderboard.contamination.tally import Medals, expected_rates, rate_of
from leaderboard.statistics.resampling import SEED, draw_competitions

# Fewer competitions in a group, or fewer other entries, say nothing.
LEAST_COMPETITIONS: Final = 3
LEAST_OTHERS: Final = 3
SHUFFLES: Final = 10_000
TAIL: Final = 2.5
# Far outside: so many percentage points, and so seldom by chance.
FAR_POINTS: Final = 20.0
FAR_P: Final = 0.01
Excess = NDArray[np.float64]


class TooFew(Exception):
    """Nothing can be said. Says what there is too little of."""


@dataclass(frozen=True)
class Contrast:
    """Percent and percentage points. `own` and `others`: medal rates in the one group and in the other."""

    own: tuple[float, float]
    others: tuple[float, float]
    sizes: tuple[int, int]
    difference: float
    interval: tuple[float, float] | None
    p_value: float

    @property
    def is_far(self) -> bool:
        return self.difference >= FAR_POINTS and self.p_value <= FAR_P


def contrast(medals: Medals, others: Sequence[Medals], group: Set[str], rest: Set[str]) -> Contrast:
    """Of the competitions that the entry and enough others have tried. Raises TooFew."""
    if len(others) < LEAST_OTHERS:
        raise TooFew(f"{len(others)} other entries, fewer than {LEAST_OTHERS}")
    expected = expected_rates(others, LEAST_OTHERS)
    known = expected.keys() & medals.keys()
    one, other = sorted(known & group), sorted(known & rest)
    if min(len(one), len(other)) < LEAST_COMPETITIONS:
        raise TooFew(
            f"{len(one)} competitions against {len(other)}, fewer than {LEAST_COMPETITIONS} in a group"
        )
    excess_one, excess_other = _excess(medals, expected, one), _excess(medals, expected, other)
    return Contrast(
        own=(rate_of(medals, one), rate_of(medals, other)),
        others=(_mean(expected, one), _mean(expected, other)),
        sizes=(len(one), len(other)),
        difference=float(excess_one.mean() - excess_other.mean()),
        interval=spread(_redraw(excess_one, SEED) - _redraw(excess_other, SEED + 1)),
        p_value=_p_value(excess_one, excess_other),
    )


def _excess(medals: Medals, expected: Mapping[str, float], competitions: Sequence[str]) -> Excess:
    return np.array([medals[each].rate - expected[each] for each in competitions])


def _mean(expected: Mapping[str, float], competitions: Sequence[str]) -> float:
    return sum(expected[each] for each in competitions) / len(competitions)


def spread(drawn: Excess) -> tuple[float, float] | None:
    """95 % of what was drawn. None where all came out alike: redrawing cannot show what was never seen."""
    low, high = np.percentile(drawn, [TAIL, 100 - TAIL])
    return (float(low), float(high)) if high - low > 1e-6 else None


def _redraw(excess: Excess, seed: int) -> Excess:
    """Means over competitions drawn again; each group by itself."""
    means: Excess = excess @ draw_competitions(len(excess), seed) / len(excess)
    return means


def _p_value(one: Excess, other: Excess) -> float:
    """One-sided. Counts what was seen among the shuffles, so that it is never 0."""
    pooled = np.concatenate([one, other])
    shuffled = np.random.default_rng(SEED).permuted(np.tile(pooled, (SHUFFLES, 1)), axis=1)
    # The mean of the one group says it all: the sum of both is always the same.
    reached = shuffled[:, : len(one)].mean(axis=1) >= one.mean() - 1e-9
    return float((1 + reached.sum()) / (1 + SHUFFLES))
