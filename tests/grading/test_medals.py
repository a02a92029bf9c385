"""Medals: tables of cases, then every decision of the benchmark's own ranking rule."""

import json
import lzma
import math
from pathlib import Path
from typing import Any

import pytest

from grading.medals import (
    Direction,
    LeaderboardError,
    Medal,
    MedalResult,
    Thresholds,
    award_medal,
    medal_positions,
    thresholds_from_leaderboard,
)

DECISIONS = Path(__file__).parents[1] / "data" / "oracle_medals.json.xz"
# Asked with a score of 2.5599999999999996, the very median. Scores here are rounded first, to 2.56, which beats it;
# so are the benchmark's own scores before it ranks them.
UNROUNDED = ["n1000_higher_at_median"]
HIGHER = Thresholds(0.9, 0.8, 0.7, 0.6, exact=True, source="test")
LOWER = Thresholds(0.1, 0.2, 0.3, 0.4, exact=True, source="test")
ROUNDED = Thresholds(0.9, 0.84, 0.7, 0.6, exact=False, source="test")


@pytest.mark.parametrize(
    ("score", "medal", "above_median"),
    [
        (0.95, Medal.GOLD, True),
        (0.9, Medal.GOLD, True),
        (0.899999, Medal.GOLD, True),
        (0.89999, Medal.SILVER, True),
        (0.8, Medal.SILVER, True),
        (0.7, Medal.BRONZE, True),
        (0.69999, Medal.NONE, True),
        (0.6, Medal.NONE, False),
        (0.600004, Medal.NONE, False),
        (0.0, Medal.NONE, False),
        (None, Medal.NONE, False),
        (math.nan, Medal.NONE, False),
        (math.inf, Medal.GOLD, True),
    ],
)
def test_higher_is_better(score: float | None, medal: Medal, above_median: bool) -> None:
    assert award_medal(score, HIGHER, Direction.HIGHER) == MedalResult(medal, above_median, near_cutoff=False)


@pytest.mark.parametrize(
    ("score", "medal", "above_median"),
    [
        (0.1, Medal.GOLD, True),
        (0.10001, Medal.SILVER, True),
        (0.3, Medal.BRONZE, True),
        (0.39999, Medal.NONE, True),
        (0.4, Medal.NONE, False),
        (-1.0, Medal.GOLD, True),
    ],
)
def test_lower_is_better(score: float, medal: Medal, above_median: bool) -> None:
    assert award_medal(score, LOWER, Direction.LOWER) == MedalResult(medal, above_median, near_cutoff=False)


@pytest.mark.parametrize(
    ("score", "near"),
    [
        (0.84, True),
        (0.84001, True),
        (0.83999, True),
        (0.84002, False),
        (0.6, True),
        (0.5, False),
        (math.inf, False),
    ],
)
def test_near_a_rounded_cutoff(score: float, near: bool) -> None:
    assert award_medal(score, ROUNDED, Direction.HIGHER).near_cutoff is near


@pytest.mark.parametrize(
    ("teams", "positions"),
    [
        (1, (1, 1, 1)),
        (9, (1, 1, 3)),
        (99, (9, 19, 39)),
        (100, (10, 20, 40)),
        (249, (10, 49, 99)),
        (250, (10, 50, 100)),
        (999, (11, 50, 100)),
        (1000, (12, 50, 100)),
        (3000, (16, 150, 300)),
    ],
)
def test_positions(teams: int, positions: tuple[int, int, int]) -> None:
    assert medal_positions(teams) == positions


@pytest.mark.parametrize("scores", [[], [math.nan]])
def test_no_cutoffs_without_scores(scores: list[float]) -> None:
    with pytest.raises(LeaderboardError, match="no score"):
        thresholds_from_leaderboard(scores, Direction.HIGHER)


def test_a_board_listed_worst_first_is_refused() -> None:
    with pytest.raises(LeaderboardError, match="best first"):
        thresholds_from_leaderboard([0.1, 0.9], Direction.HIGHER)


def test_every_decision_of_the_benchmark() -> None:
    decisions = json.loads(lzma.decompress(DECISIONS.read_bytes()))
    assert len(decisions) == 497
    assert [decision["tag"] for decision in decisions if not decides_alike(decision)] == UNROUNDED


def decides_alike(decision: dict[str, Any]) -> bool:
    """The benchmark guesses the direction from the ends of the board, ours is declared.

    Cases with a single row or equal ends are therefore decided under the direction the benchmark falls back to,
    higher is better; a competition declared "lower" is the one place where ours departs.
    """
    expected = decision["expected"]
    if "error_type" in expected:
        return decision["scores"] == []
    direction = Direction.LOWER if expected["is_lower_better"] else Direction.HIGHER
    thresholds = thresholds_from_leaderboard([number(s) for s in decision["scores"]], direction)
    result = award_medal(number(decision["score"]), thresholds, direction)
    got = {f"{medal}_medal": result.medal == medal for medal in ("gold", "silver", "bronze")}
    got["any_medal"] = result.medal is not Medal.NONE
    got["above_median"] = result.above_median
    cutoffs = {
        f"{name}_threshold": getattr(thresholds, name) for name in ("gold", "silver", "bronze", "median")
    }
    return all(expected[key] == value for key, value in got.items()) and all(
        same(number(expected[key]), value) for key, value in cutoffs.items()
    )


def number(value: Any) -> Any:
    return float(value) if isinstance(value, str) else value


def same(left: float, right: float) -> bool:
    return left == right or (math.isnan(left) and math.isnan(right))
