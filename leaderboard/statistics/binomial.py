"""Binomial probabilities. Pure."""

from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

Chances = NDArray[np.float64]


@lru_cache(maxsize=4096)
def chances_of(trials: int, wins: int, of: int) -> Chances:
    """Chances of 0, 1, … `trials` successes, each having the chance `wins / of`. Do not change the array."""
    if wins in (0, of):
        certain = np.zeros(trials + 1)
        certain[trials if wins else 0] = 1.0
        return certain
    # In whole numbers up to the last division, so that no power underflows.
    total = of**trials
    terms = (comb(trials, k) * wins**k * (of - wins) ** (trials - k) for k in range(trials + 1))
    return np.array([term / total for term in terms])
