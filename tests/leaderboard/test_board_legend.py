"""The line below a board explains what is drawn on it, and nothing that is not."""

from typing import Any

import pytest

from leaderboard.board_legend import DISCLOSED, INTERVAL, RANGE, legend_of

DASHED = "dashed, one standard error over seeds where there is no interval"


def row(source: str = "graded", sem: float | None = 1.0, rank: int | None = 1, **statistics: Any) -> Any:
    result = {"any_medal_mean": 50.0, "any_medal_sem": sem}
    return {"source": source, "rank": rank, "result": result, "statistics": statistics or None}


SURE = row(interval_low=40.0, interval_high=60.0, rank_low=1, rank_high=1)
RANGED = row(interval_low=40.0, interval_high=60.0, rank_low=1, rank_high=3)
IMPORTED, FEW = row("imported"), row()


@pytest.mark.parametrize(
    ("rows", "without_intervals", "said"),
    [
        ([], False, ""),
        ([SURE], False, f"A bar shows the mean; its whisker is {INTERVAL}."),
        ([RANGED], False, f"A bar shows the mean; its whisker is {INTERVAL}. {RANGE}"),
        (
            [IMPORTED],
            False,
            f"A bar shows the mean; its whisker is {DASHED} (the single runs are not known here).",
        ),
        (
            [FEW],
            False,
            f"A bar shows the mean; its whisker is {DASHED} (fewer than 6 competitions count).",
        ),
        (
            [SURE, IMPORTED, FEW],
            False,
            f"A bar shows the mean; its whisker is {INTERVAL} or, {DASHED} (the single runs are not known here or "
            "fewer than 6 competitions count).",
        ),
        (
            [FEW],
            True,
            f"A bar shows the mean; its whisker is {DASHED} (intervals are computed for the whole board of now alone).",
        ),
        ([row(sem=None)], False, "A bar shows the mean."),
        ([row(sem=0.0)], False, "A bar shows the mean."),
    ],
)
def test_it_says_what_is_drawn(rows: Any, without_intervals: bool, said: str) -> None:
    assert legend_of(rows, ("rank", "any_medal"), without_intervals) == said


def test_without_bars_it_says_nothing_of_them() -> None:
    assert legend_of([SURE], ("rank",)) == ""
    assert legend_of([RANGED], ("rank",)) == RANGE


def test_the_count_of_disclosed_says_of_what() -> None:
    assert legend_of([SURE], ("disclosed",)) == DISCLOSED
    assert "LLM, version, hours" in DISCLOSED
    assert legend_of([], ("disclosed",)) == ""


def test_an_unranked_row_shows_no_range() -> None:
    unranked = row(rank=None, interval_low=40.0, interval_high=60.0, rank_low=1, rank_high=3)
    assert RANGE not in legend_of([unranked], ("any_medal",))
