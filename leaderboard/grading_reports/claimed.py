"""A team's own grading report, read line by line. It proves nothing: it is only held against our grading."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from grading.medals import Medal

MEDAL_KEYS = (
    (Medal.GOLD, "gold_medal"),
    (Medal.SILVER, "silver_medal"),
    (Medal.BRONZE, "bronze_medal"),
)


@dataclass(frozen=True)
class ClaimedLine:
    """What a report says of one run. `folders`: the parts of the path it names, among them the run group.

    None stands for what the line does not say.
    """

    competition: str
    score: float | None
    is_present: bool | None
    is_valid: bool | None
    medal: Medal | None
    above_median: bool | None
    folders: frozenset[str] = frozenset()


def read_claims(report: Any) -> list[ClaimedLine]:
    """The lines of a report, or of a list of reports, in order. What is no line of a report is left out."""
    reports = report if isinstance(report, list) else [report]
    listed = [each.get("competition_reports") for each in reports if isinstance(each, Mapping)]
    lines = [line for lines in listed if isinstance(lines, list) for line in lines]
    return [_read_line(line) for line in lines if _is_line(line)]


def _is_line(line: Any) -> bool:
    return isinstance(line, Mapping) and isinstance(line.get("competition_id"), str)


def _read_line(line: Mapping[str, Any]) -> ClaimedLine:
    return ClaimedLine(
        competition=line["competition_id"],
        score=_number(line.get("score")),
        is_present=_flag(line, "submission_exists"),
        is_valid=_flag(line, "valid_submission"),
        medal=_medal(line),
        above_median=_flag(line, "above_median"),
        folders=_folders(line.get("submission_path")),
    )


def _number(value: Any) -> float | None:
    """A finite number; true and false are numbers to Python, but not to a reader."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def _flag(line: Mapping[str, Any], key: str) -> bool | None:
    value = line.get(key)
    return value if isinstance(value, bool) else None


def _medal(line: Mapping[str, Any]) -> Medal | None:
    """The best medal the line claims; None where it leaves one of the three open."""
    flags = {medal: _flag(line, key) for medal, key in MEDAL_KEYS}
    won = [medal for medal, is_won in flags.items() if is_won]
    if won:
        return won[0]
    return None if None in flags.values() else Medal.NONE


def _folders(path: Any) -> frozenset[str]:
    return frozenset(PurePosixPath(path).parts[:-1]) if isinstance(path, str) else frozenset()
