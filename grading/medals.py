"""Which medal a score earns, and where the cut-offs of a human leaderboard lie.

Source: MLE-bench README and Kaggle's rules for medals.

A medal is inclusive (a score equal to the gold cut-off is gold); above the median is strict. Scores are
rounded to 5 decimals before anything is compared. A score that is missing or NaN earns nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from statistics import median

DECIMALS = 5
# How far a cut-off taken from a table of rounded scores may be from the true one.
ROUNDING = Decimal("1e-5")


class Medal(StrEnum):
    GOLD = "gold"
    SILVER = "silver"
    BRONZE = "bronze"
    NONE = "none"


class Direction(StrEnum):
    HIGHER = "higher"
    LOWER = "lower"


class LeaderboardError(Exception):
    """A human leaderboard from which no cut-offs follow."""


@dataclass(frozen=True)
class Thresholds:
    """Cut-off scores. `exact` is false where they were copied from a table rounded to 5 decimals."""

    gold: float
    silver: float
    bronze: float
    median: float
    exact: bool
    source: str
    num_teams: int | None = None


@dataclass(frozen=True)
class MedalResult:
    medal: Medal
    above_median: bool
    near_cutoff: bool


NOTHING = MedalResult(Medal.NONE, above_median=False, near_cutoff=False)


def award_medal(score: float | None, thresholds: Thresholds, direction: Direction) -> MedalResult:
    """The best medal the score earns, whether it beats the median, whether a rounded cut-off may mislead."""
    if score is None or math.isnan(score):
        return NOTHING
    rounded = round(score, DECIMALS)
    return MedalResult(
        medal=_best_medal(rounded, thresholds, direction),
        above_median=_is_better(rounded, thresholds.median, direction),
        near_cutoff=not thresholds.exact and _is_near(rounded, thresholds),
    )


def _best_medal(score: float, thresholds: Thresholds, direction: Direction) -> Medal:
    for medal, cutoff in (
        (Medal.GOLD, thresholds.gold),
        (Medal.SILVER, thresholds.silver),
        (Medal.BRONZE, thresholds.bronze),
    ):
        if score == cutoff or _is_better(score, cutoff, direction):
            return medal
    return Medal.NONE


def _is_better(score: float, other: float, direction: Direction) -> bool:
    return score < other if direction is Direction.LOWER else score > other


def _is_near(score: float, thresholds: Thresholds) -> bool:
    """Within 1e-5 of any cut-off, counted in decimals: 0.84 and 0.84001 are near."""
    cutoffs = (thresholds.gold, thresholds.silver, thresholds.bronze, thresholds.median)
    if not math.isfinite(score):
        return False
    return any(abs(Decimal(repr(score)) - Decimal(repr(cutoff))) <= ROUNDING for cutoff in cutoffs)


def medal_positions(teams: int) -> tuple[int, int, int]:
    """The last places, counted from 1, that earn gold, silver and bronze among this many teams.

    | teams    | gold       | silver | bronze |
    |----------|------------|--------|--------|
    | 1-99     | 10 %       | 20 %   | 40 %   |
    | 100-249  | 10         | 20 %   | 40 %   |
    | 250-999  | 10 + 0.2 % | 50     | 100    |
    | 1000-    | 10 + 0.2 % | 5 %    | 10 %   |

    Percentages are rounded down; every place is at least 1.
    """
    if teams < 100:
        return max(1, int(0.1 * teams)), max(1, int(0.2 * teams)), max(1, int(0.4 * teams))
    if teams < 250:
        return 10, int(0.2 * teams), int(0.4 * teams)
    if teams < 1000:
        return 10 + int(0.002 * teams), 50, 100
    return 10 + int(0.002 * teams), int(0.05 * teams), int(0.1 * teams)


def thresholds_from_leaderboard(
    scores: Sequence[float], direction: Direction, source: str = "human leaderboard"
) -> Thresholds:
    """Exact cut-offs of a leaderboard in its own order, best first, not sorted again. Median without NaN.

    Raises LeaderboardError for an empty board, for one without any number, and for one listed worst first.
    """
    known = [float(score) for score in scores if not math.isnan(score)]
    if not known:
        raise LeaderboardError(
            "The leaderboard holds no score. Load the file with one row per team, best first."
        )
    if _is_better(float(scores[-1]), float(scores[0]), direction):
        raise LeaderboardError(
            f"The last score is better than the first, but {direction} is better in this competition. "
            "Sort the leaderboard best first, or mend `direction` in the competition's file."
        )
    gold, silver, bronze = (float(scores[place - 1]) for place in medal_positions(len(scores)))
    return Thresholds(gold, silver, bronze, median(known), exact=True, source=source, num_teams=len(scores))
