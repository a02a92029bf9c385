"""The ranks an entry might have had, from resampled boards. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leaderboard.statistics.columns import Places
from leaderboard.statistics.interval import LEVEL
from leaderboard.statistics.resampling import UNIT, Figures

SCALE = 100 * UNIT + 1
# Numbers counted at a time, and entries looked at at a time: what is used again is still near.
TALLIED, ENTRIES = 2**16, 128
Ranks = NDArray[np.int32]


@dataclass(frozen=True)
class Numbered:
    """The figures of many entries, numbered in their order without the gaps between them.

    `number`: by figure; `codes`: shape (resamples, entries), so that each resample lies in one piece.
    """

    number: NDArray[np.int16]
    codes: NDArray[np.int16]

    @property
    def numbers(self) -> int:
        return int(self.number[-1]) + 1


def number_figures(figures: Figures, fixed: Sequence[int]) -> Numbered:
    """`figures`: shape (entries, resamples), in hundredths of a percent; `fixed`: others that may stand beside them."""
    occurs = np.zeros(SCALE, dtype=np.bool_)
    occurs[list(fixed)] = True
    for at in range(0, len(figures), ENTRIES):
        occurs[figures[at : at + ENTRIES]] = True
    number = (np.cumsum(occurs) - 1).astype(np.int16)
    codes = np.empty(figures.shape[::-1], dtype=np.int16)
    for at in range(0, len(figures), ENTRIES):
        codes[:, at : at + ENTRIES] = number[figures[at : at + ENTRIES]].T
    return Numbered(number, codes)


def rank_ranges(
    numbered: Numbered, here: Places, fixed: Sequence[int] = (), level: float = LEVEL
) -> NDArray[np.int64]:
    """For each entry the lowest and highest rank of the middle 95 % of resamples; equals share the better rank.

    `here`: which of the numbered ones are on the board; `fixed`: the figures of those on it that stay where they are.
    """
    found = np.zeros((len(here), 2), dtype=np.int64)
    if not len(here):
        return found
    standing = np.bincount(numbered.number[list(fixed)], minlength=numbered.numbers)
    ranks = _ranks(np.take(numbered.codes, here, axis=1), standing)
    tail, resamples = (1 - level) / 2, len(ranks)
    ends = floor(tail * resamples), ceil((1 - tail) * resamples) - 1
    for at in range(0, len(found), ENTRIES):
        # Put in order, 32 bits take half the time of 16.
        some = np.ascontiguousarray(ranks[:, at : at + ENTRIES].T, dtype=np.int32)
        found[at : at + ENTRIES] = _middle(some, *ends)
    return found


def _middle(ranks: Ranks, low: int, high: int) -> Ranks:
    """Of each row the values that would stand at the two places, were it in rising order. Disturbs the rows."""
    # Only these two need their place in the order; both at once would take twice as long.
    ranks.partition(high, axis=1)
    last = ranks[:, high].copy()
    ranks[:, : high + 1].partition(low, axis=1)
    return np.column_stack([ranks[:, low], last])


def _ranks(codes: NDArray[np.int16], standing: NDArray[np.int64]) -> NDArray[np.signedinteger[Any]]:
    """1 + the number of entries above, by resample and entry, in the smallest numbers that hold them."""
    (resamples, entries), numbers = codes.shape, len(standing)
    everybody = 1 + entries + int(standing.sum())
    ranks = np.empty(codes.shape, dtype=np.int16 if everybody < 2**15 else np.int32)
    step = max(1, TALLIED // (entries + numbers))
    for at in range(0, resamples, step):
        those = codes[at : at + step]
        # Each resample counts numbers of its own.
        own = those + numbers * np.arange(len(those))[:, None]
        often = np.bincount(own.ravel(), minlength=numbers * len(those)).reshape(-1, numbers)
        above = (everybody - np.cumsum(often + standing, axis=1)).astype(ranks.dtype)
        np.take(above.ravel(), own, out=ranks[at : at + step])
    return ranks
