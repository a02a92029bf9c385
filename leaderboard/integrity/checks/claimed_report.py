"""Does the team's own grading report say what our grading says?"""

from typing import Final

from leaderboard.grading_reports import Comparison
from leaderboard.integrity.checks.base import (
    Check,
    Disclosure,
    Severity,
    Verdict,
    contradicted,
    counted,
    machine_checked,
)

_SHOWN: Final = 10


def judge(disclosure: Disclosure) -> Verdict:
    report = disclosure.entry.report
    if report is None:
        return machine_checked("The bundle holds no grading report of the team's own.", "none")
    lines, agreeing = report.lines, report.agreeing
    facts = {"lines": lines, "agreeing": agreeing, "unreported": report.unreported}
    if lines == agreeing:
        return machine_checked(
            f"{counted(lines, 'line')} of the team's own report, each as graded here.", "agrees", **facts
        )
    return contradicted(
        f"{lines - agreeing} of {counted(lines, 'line')} of the team's own report differ from our grading: "
        f"{_places(report)}.",
        "differs",
        **facts,
    )


def _places(report: Comparison) -> str:
    """Where, never by how much: before publication nobody is shown a score."""
    places = list(dict.fromkeys((each.seed, each.competition) for each in report.differences))
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return ", ".join("/".join(filter(None, place)) for place in places[:_SHOWN]) + more


# Needed by no track: who hands a report in must not be worse off than who does not. People look at it.
CHECK = Check(
    code="claimed-report",
    title="The team's own grading report",
    severity=Severity.WARNING,
    sentence="Where the bundle holds a grading report, each of its lines says what was graded here.",
    tracks=(),
    fields=(),
    judge=judge,
)
