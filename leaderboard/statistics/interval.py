"""An interval for Any Medal that counts the sampling of competitions as well as that of seeds. Pure.

Source: Efron & Tibshirani, An Introduction to the Bootstrap (1993), ch. 13 (percentile interval); Davison & Hinkley,
Bootstrap Methods and their Application (1997), 3.8 (hierarchical data: resample the groups, then within them).
"""

from dataclasses import dataclass

import numpy as np

from leaderboard.statistics.binomial import Chances, chances_of, repeat
from leaderboard.statistics.grid import Counts

LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """Two percentages, 0-100."""

    low: float
    high: float


def bootstrap_interval(counts: Counts, seeds: int, level: float = LEVEL) -> Interval | None:
    """Percentile interval of the hierarchical bootstrap: competitions drawn again, then seeds within each.

    `counts`: medals of each competition in `seeds` seeds. The bootstrap distribution is computed as a whole
    instead of being sampled: it is what endless resamples would give, the same for the same medals. None where
    every run came out alike: resampling cannot show what was never seen, and would call that certain.
    """
    if not counts.any() or (counts == seeds).all():
        return None
    within = repeat(_one_competition(counts, seeds), len(counts)).cumsum()
    tail = (1 - level) / 2
    low, high = np.searchsorted(within, [tail, 1 - tail])
    runs = seeds * len(counts)
    return Interval(100 * float(low) / runs, 100 * float(high) / runs)


def _one_competition(counts: Counts, seeds: int) -> Chances:
    """Chances of 0, 1, … medals when a competition is drawn, then its seeds: `c` of n medals give Binomial(n, c/n)."""
    alike = np.bincount(counts, minlength=seeds + 1) / len(counts)
    chances: Chances = sum(
        (share * chances_of(seeds, count, seeds) for count, share in enumerate(alike) if share),
        start=np.zeros(seeds + 1),
    )
    return chances
