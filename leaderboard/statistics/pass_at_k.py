"""The chance of at least one medal in k tries at a competition. Pure. Source: Chen et al. 2021, arXiv:2107.03374."""

from math import comb

import numpy as np

from leaderboard.statistics.grid import Counts


def pass_at_k(counts: Counts, seeds: int, k: int) -> float:
    """Percent, mean over competitions, of 1 - C(n-c, k) / C(n, k) with c medals in n seeds; unbiased for k <= n."""
    if not 1 <= k <= seeds:
        raise ValueError(f"k must be from 1 to {seeds}, the number of seeds")
    alike = np.bincount(counts, minlength=seeds + 1)
    # Whole numbers until the one division: equal counts give equal figures on every machine.
    hits = sum(int(many) * (comb(seeds, k) - comb(seeds - c, k)) for c, many in enumerate(alike))
    return 100 * hits / (comb(seeds, k) * len(counts))


def curve(counts: Counts, seeds: int) -> list[float]:
    """pass@k for k = 1, 2, … up to the number of seeds. The first is Any Medal. Empty where no competition counts."""
    if not len(counts):
        return []
    return [pass_at_k(counts, seeds, k) for k in range(1, seeds + 1)]
