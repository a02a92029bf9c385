"""Published entries on several competitions, and what shows of their masks."""

from typing import Any

from leaderboard.models import Entry
from tests import factories as make
from tests.leaderboard.boards import make_published
from tests.leaderboard.standings import standing_of

SPLITS = {"low-a": "low", "low-b": "low", "medium-a": "medium", "high-a": "high"}
# Gold from 0.9, silver from 0.8, bronze from 0.7, median 0.5.
SCORES = {
    "s1": {"low-a": 0.95, "low-b": 0.75, "medium-a": 0.2, "high-a": 0.95},
    "s2": {"low-a": 0.95, "low-b": 0.4, "medium-a": 0.2, "high-a": None},
}


def make_maskable(slug: str = "bench", **columns: Any) -> Entry:
    """Two seeds on four competitions; the second has no run on one of them that is valid."""
    return make_published(make.make_benchmark(slug, SPLITS), SCORES, scope="all", **columns)


def row_of(entry: Entry, split: str = "all", track: str = "clean") -> dict[str, Any]:
    found: dict[str, Any] = standing_of(entry, track, split).row
    return found


def masked_runs(entry: Entry) -> list[tuple[str, int]]:
    """Competition and decision of every masked run."""
    runs = entry.runs.filter(masked_by__isnull=False).order_by("competition", "seed")
    return [(run.competition_id, run.masked_by_id or 0) for run in runs]
