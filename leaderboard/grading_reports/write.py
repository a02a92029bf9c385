"""Our results in the benchmark's own format, so that its tools read them.

Keys and their order follow the benchmark's grading reports. Strict JSON: what has no score has null, never NaN.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from grading.medals import Medal, Thresholds

NO_PATH = "None"  # what the benchmark writes for a run that was not handed in


@dataclass(frozen=True)
class ReportLine:
    """One run. `path` is its place in a bundle, empty if missing; without thresholds the cut-offs are null."""

    competition: str
    score: float | None
    medal: Medal
    above_median: bool
    is_present: bool
    is_valid: bool
    lower_is_better: bool
    thresholds: Thresholds | None
    graded_at: datetime | None
    path: str = ""


def write_report(lines: Sequence[ReportLine]) -> dict[str, Any]:
    """The report of these runs, as plain JSON, lines in the order given."""
    return {
        "total_runs": len(lines),
        "total_runs_with_submissions": sum(line.is_present for line in lines),
        "total_valid_submissions": sum(line.is_valid for line in lines),
        "total_medals": sum(line.medal is not Medal.NONE for line in lines),
        "total_gold_medals": sum(line.medal is Medal.GOLD for line in lines),
        "total_silver_medals": sum(line.medal is Medal.SILVER for line in lines),
        "total_bronze_medals": sum(line.medal is Medal.BRONZE for line in lines),
        "total_above_median": sum(line.above_median for line in lines),
        "competition_reports": [_write_line(line) for line in lines],
    }


def _write_line(line: ReportLine) -> dict[str, Any]:
    cutoffs = line.thresholds
    return {
        "competition_id": line.competition,
        "score": line.score,
        "gold_threshold": cutoffs.gold if cutoffs else None,
        "silver_threshold": cutoffs.silver if cutoffs else None,
        "bronze_threshold": cutoffs.bronze if cutoffs else None,
        "median_threshold": cutoffs.median if cutoffs else None,
        "any_medal": line.medal is not Medal.NONE,
        "gold_medal": line.medal is Medal.GOLD,
        "silver_medal": line.medal is Medal.SILVER,
        "bronze_medal": line.medal is Medal.BRONZE,
        "above_median": line.above_median,
        "submission_exists": line.is_present,
        "valid_submission": line.is_valid,
        "is_lower_better": line.lower_is_better,
        "created_at": line.graded_at.isoformat() if line.graded_at else None,
        "submission_path": line.path or NO_PATH,
    }
