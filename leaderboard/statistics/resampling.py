"""What the board might have been: the figures of many entries on the same redrawn competitions. Pure.

Source: as of `interval`; joint ranks by bootstrap: Goldstein & Spiegelhalter, League Tables and Their
Limitations (1996).
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from leaderboard.ranking import DECIMALS
from leaderboard.statistics.grid import Counts, Grid

RESAMPLES = 1000
# Any number will do; it stands in each snapshot, so that whoever has the medals can repeat the ranges.
SEED = 2410
# Figures in whole hundredths of a percent, as they are printed: what cannot be told apart there shares a rank.
UNIT = 10**DECIMALS
Figures = NDArray[np.int16]
Weights = NDArray[np.int64]


def draw_competitions(competitions: int, seed: int, resamples: int = RESAMPLES) -> Weights:
    """How often each competition is drawn in each resample; shape (competitions, resamples)."""
    generator = np.random.default_rng(seed)
    shares = np.full(competitions, 1 / competitions)
    drawn = generator.multinomial(competitions, shares, size=resamples)
    return np.ascontiguousarray(drawn.T)


def resample_figures(grids: Mapping[int, Grid], weights: Weights, seed: int) -> dict[int, Figures]:
    """By entry its Any Medal on every resample: all on the same competitions, each on its own redrawn seeds.

    An entry's draws depend on its number and medals alone, so that a new entry moves nobody else's.
    """
    return {
        entry: _resample(grid.counts, grid.seeds, weights, np.random.default_rng([seed, entry]))
        for entry, grid in sorted(grids.items())
    }


def _resample(counts: Counts, seeds: int, weights: Weights, generator: np.random.Generator) -> Figures:
    """Competitions with equally many medals are drawn as one: a sum of binomials of one chance is binomial."""
    medals = seeds * weights[counts == seeds].sum(axis=0)
    for count in range(1, seeds):
        if (counts == count).any():
            trials = seeds * weights[counts == count].sum(axis=0)
            medals += _draw_binomial(trials, count / seeds, generator)
    figures: Figures = np.rint(100 * UNIT * medals / (seeds * len(counts))).astype(np.int16)
    return figures


def _draw_binomial(trials: Weights, chance: float, generator: np.random.Generator) -> Weights:
    """One draw for each number of trials. In order of these, since the generator is slow where they change."""
    order = np.argsort(trials.astype(np.int16), kind="stable")
    drawn = np.empty_like(trials)
    drawn[order] = generator.binomial(trials[order], chance)
    return drawn
