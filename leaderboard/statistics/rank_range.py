"""The ranks an entry might have had, from resampled boards. Pure."""

from collections.abc import Sequence
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leaderboard.statistics.interval import LEVEL
from leaderboard.statistics.resampling import UNIT, Figures

SCALE = 100 * UNIT + 1


def rank_ranges(
    figures: Sequence[Figures] | Figures, fixed: Sequence[int] = (), level: float = LEVEL
) -> NDArray[np.int64]:
    """For each entry the lowest and highest rank of the middle 95 % of resamples; equals share the better rank.

    `figures`: in hundredths of a percent, one value per resample; `fixed`: of entries that stay where they are.
    """
    if not len(figures):
        return np.zeros((0, 2), dtype=np.int64)
    codes, standing = _compress(np.asarray(figures), fixed)
    ranks = _ranks(codes, standing)
    tail, resamples = (1 - level) / 2, ranks.shape[1]
    ends = [floor(tail * resamples), ceil((1 - tail) * resamples) - 1]
    # Only these two need their place in the order.
    ranks.partition(ends, axis=1)
    return ranks[:, ends].astype(np.int64)


def _compress(figures: Figures, fixed: Sequence[int]) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """The figures numbered in their order, without the gaps between them, and how many fixed ones have each.

    By resample, so that each lies in one piece.
    """
    occurs = np.zeros(SCALE, dtype=np.bool_)
    occurs[figures] = True
    occurs[list(fixed)] = True
    number = (np.cumsum(occurs) - 1).astype(np.int16)
    standing = np.bincount(number[list(fixed)], minlength=int(occurs.sum()))
    return np.ascontiguousarray(number[figures].T), standing


def _ranks(codes: NDArray[np.int16], standing: NDArray[np.int64]) -> NDArray[np.signedinteger[Any]]:
    """1 + the number of entries above, by entry and resample, in the smallest numbers that hold them."""
    entries = codes.shape[1] + int(standing.sum())
    ranks = np.empty(codes.shape, dtype=np.int16 if entries < 2**15 else np.int32)
    for those, found in zip(codes, ranks, strict=True):
        below = np.cumsum(np.bincount(those, minlength=len(standing)) + standing)
        np.take((1 + entries - below).astype(ranks.dtype), those, out=found)
    return np.ascontiguousarray(ranks.T)
