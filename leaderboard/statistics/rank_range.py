"""The ranks an entry might have had, from resampled boards. Pure."""

from collections.abc import Sequence
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from leaderboard.statistics.interval import LEVEL
from leaderboard.statistics.resampling import UNIT, Figures

SCALE = 100 * UNIT + 1
# Resamples at a time: what is held then stays small on a board of thousands.
CHUNK = 50
Ranks = NDArray[np.int32]


def rank_ranges(
    figures: Sequence[Figures], fixed: Sequence[int] = (), level: float = LEVEL
) -> list[tuple[int, int]]:
    """For each entry the lowest and highest rank of the middle 95 % of resamples; equals share the better rank.

    `figures`: in hundredths of a percent, one value per resample; `fixed`: of entries that stay where they are.
    """
    if not figures:
        return []
    codes, standing = _compress(np.stack(figures), fixed)
    ranks = np.concatenate(
        [_ranks(codes[:, at : at + CHUNK], standing) for at in range(0, codes.shape[1], CHUNK)], axis=1
    )
    tail, resamples = (1 - level) / 2, ranks.shape[1]
    ends = [floor(tail * resamples), ceil((1 - tail) * resamples) - 1]
    # Only these two need their place in the order.
    ranks.partition(ends, axis=1)
    return [(best, worst) for best, worst in ranks[:, ends].tolist()]


def _compress(figures: Figures, fixed: Sequence[int]) -> tuple[Ranks, Ranks]:
    """The figures numbered in their order, without the gaps between them, and how many fixed ones have each."""
    occurs = np.zeros(SCALE, dtype=np.bool_)
    occurs[figures] = True
    occurs[list(fixed)] = True
    number = np.cumsum(occurs, dtype=np.int32) - 1
    return number[figures], np.bincount(number[list(fixed)], minlength=number[-1] + 1).astype(np.int32)


def _ranks(codes: Ranks, standing: Ranks) -> Ranks:
    """1 + the number of entries above, for each entry in each of some resamples."""
    resamples, values = codes.shape[1], len(standing)
    places = codes + values * np.arange(resamples, dtype=np.int32)
    counted = np.bincount(places.ravel(), minlength=resamples * values).reshape(resamples, values) + standing
    above = counted.sum(axis=1, keepdims=True) - np.cumsum(counted, axis=1)
    ranks: Ranks = (1 + above.ravel()[places]).astype(np.int32)
    return ranks
