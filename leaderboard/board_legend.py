"""The line below a board that explains its bars and ranks: of what is drawn there, and of nothing else. Pure."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from leaderboard.disclosure import QUESTIONS
from leaderboard.shown import Row
from leaderboard.statistics.ties import FEWEST_COMPETITIONS

BARS = "any_medal"
INTERVAL = "the 95 % interval over competitions and seeds"
DISCLOSED = f"Disclosed counts what rows are compared by: {', '.join(QUESTIONS)}."
RANGE = "“1–3” is a rank range: these entries cannot be told apart."


def legend_of(rows: Collection[Row], columns: Collection[str], without_intervals: bool = False) -> str:
    """What the marks of these rows mean. `without_intervals`: none apply to these figures."""
    return " ".join(_sentences(rows, columns, without_intervals))


def _sentences(rows: Collection[Row], columns: Collection[str], without_intervals: bool) -> Iterator[str]:
    if BARS in columns and any(row["result"] for row in rows):
        yield f"A bar shows the mean{_whiskers(rows, without_intervals)}."
    if any(_has_range(row) for row in rows):
        yield RANGE
    if rows and "disclosed" in columns:
        yield DISCLOSED


def _whiskers(rows: Iterable[Row], without_intervals: bool) -> str:
    drawn = [row for row in rows if row["result"]]
    solid = any(_has_interval(row) for row in drawn)
    dashed = [row for row in drawn if not _has_interval(row) and row["result"]["any_medal_sem"]]
    said = [INTERVAL] * solid
    if dashed:
        said.append(
            f"dashed, one standard error over seeds where there is no interval ({_why(dashed, without_intervals)})"
        )
    return f"; its whisker is {' or, '.join(said)}" if said else ""


def _why(dashed: Iterable[Row], without_intervals: bool) -> str:
    if without_intervals:
        return "intervals are computed for the whole board of now alone"
    sources = {row["source"] for row in dashed}
    reasons = ["the single runs are not known here"] * ("imported" in sources)
    return " or ".join(
        reasons + [f"fewer than {FEWEST_COMPETITIONS} competitions count"] * (sources != {"imported"})
    )


def _statistics(row: Row) -> dict[str, Any]:
    return row["statistics"] or {}


def _has_interval(row: Row) -> bool:
    return _statistics(row).get("interval_low") is not None


def _has_range(row: Row) -> bool:
    """As the rank is printed: of one place alone it is the rank."""
    low = _statistics(row).get("rank_low")
    return row["rank"] is not None and low is not None and low != _statistics(row).get("rank_high")
