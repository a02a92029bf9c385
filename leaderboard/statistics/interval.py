"""An interval for Any Medal that counts the sampling of competitions as well as that of seeds. Pure.

Source: Efron & Tibshirani, An Introduction to the Bootstrap (1993), ch. 13 (percentile interval); Davison & Hinkley,
Bootstrap Methods and their Application (1997), 3.8 (hierarchical data: resample the groups, then within them); of
sums by Fourier transform: Brigham, The Fast Fourier Transform (1974), ch. 7.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from leaderboard.statistics.binomial import chances_of
from leaderboard.statistics.grid import Counts

LEVEL = 0.95
# The number of competitions with 0, 1, … medals in all seeds: all that an interval depends on.
Alike = tuple[int, ...]
# How many are computed at a time.
CHUNK = 512
# Chances closer than this are equal but for rounding.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Interval:
    """Two percentages, 0-100."""

    low: float
    high: float


def count_alike(counts: Counts, seeds: int) -> Alike:
    """`counts`: medals of each competition in `seeds` seeds."""
    return tuple(np.bincount(counts, minlength=seeds + 1).tolist())


def bootstrap_intervals(wanted: Iterable[Alike], level: float = LEVEL) -> dict[Alike, Interval | None]:
    """Percentile intervals of the hierarchical bootstrap: competitions drawn again, then seeds within each.

    The bootstrap distribution is computed as a whole instead of being sampled: it is what endless resamples would
    give, the same for the same medals. None where every run came out alike: resampling cannot show what was never
    seen, and would call that certain.
    """
    found: dict[Alike, Interval | None] = {}
    by_shape: dict[tuple[int, int], list[Alike]] = defaultdict(list)
    for alike in set(wanted):
        if sum(alike) in (alike[0], alike[-1]):
            found[alike] = None
        else:
            by_shape[len(alike) - 1, sum(alike)].append(alike)
    for (seeds, competitions), group in by_shape.items():
        for at in range(0, len(group), CHUNK):
            some = group[at : at + CHUNK]
            found.update(zip(some, _intervals(some, seeds, competitions, level), strict=True))
    return found


def _intervals(some: Sequence[Alike], seeds: int, competitions: int, level: float) -> list[Interval]:
    """When a competition is drawn, then its seeds, `c` of n medals give Binomial(n, c/n)."""
    once = np.stack([chances_of(seeds, count, seeds) for count in range(seeds + 1)])
    runs = seeds * competitions
    length = 2 ** (runs + 1).bit_length()
    # The distribution of a sum of equal draws is a power of the transform of one.
    waves = np.fft.rfft(np.array(some) @ once / competitions, length, axis=1) ** competitions
    within = np.fft.irfft(waves, length, axis=1)[:, : runs + 1].cumsum(axis=1)
    tail = (1 - level) / 2
    low, high = ((within < share - ROUNDING).sum(axis=1).tolist() for share in (tail, 1 - tail))
    return [Interval(100 * first / runs, 100 * last / runs) for first, last in zip(low, high, strict=True)]
