"""What the board might have been: the figures of many entries on the same redrawn competitions. Pure.

Source: as of `interval`; joint ranks by bootstrap: Goldstein & Spiegelhalter, League Tables and Their
Limitations (1996).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leaderboard.ranking import DECIMALS
from leaderboard.statistics.draws import Wins, draw_bits, tabulate_wins
from leaderboard.statistics.grid import Grid

RESAMPLES = 1000
# Any number will do; it stands in each snapshot, so that whoever has the medals can repeat the ranges.
SEED = 2410
# Figures in whole hundredths of a percent, as they are printed: what cannot be told apart there shares a rank.
UNIT = 10**DECIMALS
# Entries at a time: what is held then stays small on a board of thousands.
CHUNK = 256
Figures = NDArray[np.int16]
Weights = NDArray[np.int64]


@lru_cache(maxsize=16)
def draw_competitions(competitions: int, seed: int, resamples: int = RESAMPLES) -> Weights:
    """How often each competition is drawn in each resample; shape (competitions, resamples). Do not change it."""
    generator = np.random.default_rng(seed)
    shares = np.full(competitions, 1 / competitions)
    drawn = generator.multinomial(competitions, shares, size=resamples)
    return np.ascontiguousarray(drawn.T)


def resample_figures(grids: Mapping[int, Grid], weights: Weights, seed: int) -> dict[int, Figures]:
    """By entry its Any Medal on every resample: all on the same competitions, each on its own redrawn seeds.

    An entry's draws depend on its number and medals alone, so that a new entry moves nobody else's.
    """
    found: dict[int, Figures] = {}
    for seeds, entries in sorted(_by_seeds(grids).items()):
        chances = [tabulate_wins(len(weights), count, seeds) for count in range(1, seeds)]
        for at in range(0, len(entries), CHUNK):
            some = entries[at : at + CHUNK]
            drawn = _resample([grids[entry] for entry in some], some, weights, chances, seed)
            found.update(zip(some, drawn, strict=True))
    return found


def _by_seeds(grids: Mapping[int, Grid]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for entry in sorted(grids):
        found[grids[entry].seeds].append(entry)
    return found


def _resample(
    grids: Sequence[Grid], entries: Sequence[int], weights: Weights, chances: Sequence[Wins], seed: int
) -> Figures:
    """Competitions with equally many medals are drawn as one: a sum of binomials of one chance is binomial.

    Of entries with equally many seeds; shape (entries, resamples). A masked competition has no medal.
    """
    seeds, drawn = grids[0].seeds, weights.astype(np.float32)
    counts = np.stack([grid.medals.sum(axis=0) for grid in grids])
    medals = seeds * _count(counts == seeds, drawn)
    for count, wins in enumerate(chances, start=1):
        bits = draw_bits(seed, entries, count, weights.shape[1])
        medals += wins[_count(counts == count, drawn), bits]
    figures: Figures = np.rint(100 * UNIT * medals / (seeds * _count_counted(grids, drawn))).astype(np.int16)
    return figures


def _count_counted(grids: Sequence[Grid], drawn: NDArray[np.float32]) -> NDArray[np.int32]:
    """As many as there are, unless some are masked: then as many as were drawn of those that count, at least 1."""
    counted = np.full((len(grids), drawn.shape[1]), len(drawn), dtype=np.int32)
    some = [at for at, grid in enumerate(grids) if grid.counted is not None]
    if some:
        masks = np.stack([each for at in some if (each := grids[at].counted) is not None])
        counted[some] = np.maximum(_count(masks, drawn), 1)
    return counted


def _count(chosen: NDArray[Any], drawn: NDArray[np.float32]) -> NDArray[np.int32]:
    """How many of the chosen competitions each resample has. Whole numbers so small are exact as floats."""
    found: NDArray[np.int32] = (chosen.astype(np.float32) @ drawn).astype(np.int32)
    return found
