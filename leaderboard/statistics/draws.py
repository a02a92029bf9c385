"""Random draws for many entries at once, each the same whoever else is there. Pure.

Source: SplitMix64: Steele, Lea & Flood, Fast Splittable Pseudorandom Number Generators (2014); drawing by the
inverse of the distribution: Devroye, Non-Uniform Random Variate Generation (1986), III.2.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from leaderboard.statistics.binomial import chances_of

# A draw is one of so many equally likely ones: fine enough for a thousand resamples, and small in memory.
BITS = 14
Bits = NDArray[np.uint16]
Wins = NDArray[np.int16]
_STEP, _FIRST, _SECOND = (
    np.uint64(number) for number in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)
_PER_WORD = 4


def draw_bits(seed: int, entries: Sequence[int], stream: int, number: int) -> Bits:
    """So many draws for each entry, shape (entries, number), each of 0 to 2**BITS - 1."""
    start = _mix(np.array([seed, stream], dtype="<u8"))
    own = _mix(np.array(entries, dtype="<u8") + start[0]) ^ start[1]
    steps = _STEP * np.arange(1, -(-number // _PER_WORD) + 1, dtype="<u8")
    words = _mix(own[:, None] + steps)
    return (words.view("<u2") >> np.uint16(16 - BITS))[:, :number]


def _mix(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    words = words + _STEP
    words = (words ^ (words >> np.uint64(30))) * _FIRST
    words = (words ^ (words >> np.uint64(27))) * _SECOND
    return words ^ (words >> np.uint64(31))


@lru_cache(maxsize=32)
def tabulate_wins(competitions: int, count: int, seeds: int) -> Wins:
    """Wins by number of competitions drawn and draw, shape (competitions + 1, 2**BITS).

    Of competitions with `count` medals in `seeds` seeds, each of which is redrawn so often. Do not change the array.
    """
    table = np.zeros((competitions + 1, 2**BITS), dtype=np.int16)
    once, chances = chances_of(seeds, count, seeds), np.ones(1)
    for drawn in range(1, competitions + 1):
        chances = np.convolve(chances, once)
        ends = np.rint(chances.cumsum() * 2**BITS).astype(np.int64)
        table[drawn] = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
    return table
