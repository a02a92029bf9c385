"""The rows of a board as points with whiskers. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leaderboard.charts.chart import Json, fixed, hover
from leaderboard.statistics.ties import FEWEST_COMPETITIONS

Row = Mapping[str, Any]
WHISKERS = (
    "A whisker is the 95 % interval over competitions and seeds or, where there is none, one standard error: the runs "
    f"are not known here, or fewer than {FEWEST_COMPETITIONS} competitions count. Filled marks were graded here, open "
    "ones are self-graded."
)


@dataclass(frozen=True)
class Point:
    """A row with a mean; `low` and `high` end its whisker, None where it has none."""

    row: Row
    mean: float
    low: float | None
    high: float | None

    @property
    def whisker_text(self) -> str:
        """For the table and for pointing at: what the whisker is, in figures."""
        if self.low is None or self.high is None:
            return ""
        if is_interval(self.row):
            return f"{fixed(self.low, 1)}–{fixed(self.high, 1)}"
        return f"± {fixed(self.row['result']['any_medal_sem'])} SEM"


def is_interval(row: Row) -> bool:
    return (row["statistics"] or {}).get("interval_low") is not None


def points_of(rows: Sequence[Row]) -> list[Point]:
    """The rows that attempted the split, in their order."""
    return [_point(row) for row in rows if row["result"]]


def _point(row: Row) -> Point:
    mean, sem = row["result"]["any_medal_mean"], row["result"]["any_medal_sem"]
    if is_interval(row):
        return Point(row, mean, row["statistics"]["interval_low"], row["statistics"]["interval_high"])
    return Point(row, mean, None if sem is None else mean - sem, None if sem is None else mean + sem)


def whiskers(points: Sequence[Point], color: str) -> Json:
    """The error bars of a trace of these points."""
    return {
        "type": "data",
        "symmetric": False,
        "array": [0 if p.high is None else p.high - p.mean for p in points],
        "arrayminus": [0 if p.low is None else p.mean - p.low for p in points],
        "color": color,
        "thickness": 1,
        "width": 3,
    }


def symbols(points: Sequence[Point], shape: str) -> list[str]:
    """Filled for what was graded here, open for what was not."""
    return [shape if p.row["source"] == "graded" else f"{shape}-open" for p in points]


def say(point: Point, *more: str) -> str:
    """What a point says when pointed at."""
    row = point.row
    return hover(
        f"{row['agent']}, {row['organisation']}",
        llms_text(row),
        f"{fixed(point.mean)} %  {point.whisker_text}",
        *more,
        row["source_text"],
    )


def llms_text(row: Row) -> str:
    return ", ".join(row["llms"]) or ("no llm" if row["no_llm"] else "llm undisclosed")
