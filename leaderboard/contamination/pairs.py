"""Two entries of one agent on the competitions both have tried. Pure."""

from dataclasses import dataclass
from math import lcm
from typing import Final

import numpy as np

from leaderboard.contamination.groups import FAR_P, TooFew, spread
from leaderboard.contamination.tally import Medals, Tally, rate_of
from leaderboard.statistics.resampling import SEED, draw_competitions
from leaderboard.statistics.sign_flip import sign_flip_p

LEAST_SHARED: Final = 6


@dataclass(frozen=True)
class Gap:
    """Percent and percentage points: the one entry's medal rate less the other's."""

    one: float
    other: float
    shared: int
    difference: float
    interval: tuple[float, float] | None
    p_value: float

    def is_far(self, points: float) -> bool:
        """Whether the one is ahead by so many points, and by more than chance."""
        return self.difference >= points and self.p_value <= FAR_P


def gap(one: Medals, other: Medals) -> Gap:
    """By the sign-flip test over competitions. Raises TooFew: of fewer than six no outcome could be beyond chance."""
    shared = sorted(one.keys() & other.keys())
    if len(shared) < LEAST_SHARED:
        raise TooFew(f"{len(shared)} competitions in common, fewer than {LEAST_SHARED}")
    rates = rate_of(one, shared), rate_of(other, shared)
    return Gap(
        *rates, len(shared), rates[0] - rates[1], _interval(one, other, shared), _p_value(one, other, shared)
    )


def _interval(one: Medals, other: Medals, shared: list[str]) -> tuple[float, float] | None:
    ahead = np.array([one[each].rate - other[each].rate for each in shared])
    return spread(ahead @ draw_competitions(len(shared), SEED) / len(shared))


def _p_value(one: Medals, other: Medals, shared: list[str]) -> float:
    unit = lcm(*(tally.runs for medals in (one, other) for tally in (medals[each] for each in shared)))
    return sign_flip_p([_parts(one[each], unit) - _parts(other[each], unit) for each in shared])


def _parts(tally: Tally, unit: int) -> int:
    """The rate in whole parts of the unit."""
    return tally.won * (unit // tally.runs)
