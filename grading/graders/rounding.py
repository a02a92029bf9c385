"""Rounding as the benchmark does. Without NumPy, which most processes that compare scores never need."""

from __future__ import annotations

import math

SCALE = 1e5


def round_score(score: float) -> float:
    """The score to 5 decimals as NumPy rounds: times 1e5, half to even, divided by 1e5. Not finite, it stays so."""
    scaled = score * SCALE
    return math.copysign(round(scaled) / SCALE, score) if math.isfinite(scaled) else scaled
