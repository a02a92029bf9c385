"""What intake can tell of a bundle's CSVs before anything is graded: those that cannot be valid, as an event."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any, Final

from grading.catalogue import job_for, shipped_competitions
from grading.graders.job import Job
from grading.graders.verdict import InvalidSubmission
from grading.models import AnswersVersion
from submissions.bundle import Kind, Manifest, Member
from submissions.bundle.layout import COMPRESSIONS
from submissions.csv_outline import Expected, find_unlike
from submissions.models import Submission
from submissions.run_line import label_order
from submissions.spool import Spool
from submissions.states import record_event

CSVS_CHECKED: Final = "csvs_checked"
LISTED_AT_MOST = 50
# For a whole bundle, whose team waits: what is not looked at by then is left to grading. A file is not broken off.
LOOKED_FOR_S: Final = 30
Problem = dict[str, str]


@dataclass(frozen=True)
class Outlook:
    """`looked_at`: CSVs of known competitions. `unlike`: how many cannot be valid; `problems`: of the first of them.

    `passed_over`: those for which no time was left.
    """

    looked_at: int = 0
    unlike: int = 0
    problems: tuple[Problem, ...] = ()
    passed_over: int = 0

    @property
    def unlisted(self) -> int:
        return self.unlike - len({each["where"] for each in self.problems})


def look_through(manifest: Manifest, spool: Spool, clock: Callable[[], float] = time.monotonic) -> Outlook:
    """The outlook of the predictions in the spool, before they are moved out of it."""
    csvs = [each for each in manifest.members if each.kind is Kind.SUBMISSION]
    expected = _expected({each.competition_id or "" for each in csvs})
    known = sorted(
        (each for each in csvs if each.competition_id in expected),
        key=lambda each: (each.competition_id or "", label_order(each.seed or "")),
    )
    found = list(_look_at(known, spool, expected, clock))
    unlike = [problems for problems in found if problems]
    listed = tuple(chain.from_iterable(unlike[:LISTED_AT_MOST]))
    return Outlook(len(found), len(unlike), listed, len(known) - len(found))


def _look_at(
    known: Sequence[Member], spool: Spool, expected: Mapping[str, Expected], clock: Callable[[], float]
) -> Iterator[list[Problem]]:
    """The problems of each, as far as the time goes. Equal files of a competition are read once."""
    begun = clock()
    read: dict[tuple[str, str], list[InvalidSubmission]] = {}
    for each in known:
        competition = each.competition_id or ""
        key = (competition, each.sha256)
        if key not in read:
            if clock() - begun > LOOKED_FOR_S:
                return
            with spool.open(each.path) as file:
                read[key] = find_unlike(file, expected[competition])
        yield [_problem(each, reason) for reason in read[key]]


def _expected(competitions: Iterable[str]) -> dict[str, Expected]:
    """Of those the catalogue has. One query."""
    versions = AnswersVersion.objects.filter(competition__in=competitions).order_by("number")
    rows = dict(versions.values_list("competition_id", "rows"))
    return {
        spec.id: Expected(Job.from_dict(job_for(spec)), rows.get(spec.id))
        for spec in map(shipped_competitions().get, competitions)
        if spec
    }


def _problem(member: Member, reason: InvalidSubmission) -> Problem:
    where = f"{member.seed}/{member.competition_id}"
    return {"code": reason.code, "where": where, "message": reason.message}


def record_outlook(submission: Submission, outlook: Outlook, now: datetime) -> None:
    """Once for each bundle that was read, where anything could be looked at."""
    if outlook.looked_at:
        detail = {
            "looked_at": outlook.looked_at,
            "unlike": outlook.unlike,
            "csv_problems": list(outlook.problems),
            "passed_over": outlook.passed_over,
        }
        record_event(submission, CSVS_CHECKED, at=now, detail=detail)


def outlook_of(submission: Submission) -> Outlook:
    """As it was recorded; an empty one where nothing was."""
    said: Any = submission.events.filter(kind=CSVS_CHECKED).values_list("detail", flat=True).first()
    if not said:
        return Outlook()
    problems = tuple(said["csv_problems"])
    return Outlook(said["looked_at"], said["unlike"], problems, said.get("passed_over", 0))


def left_out(ignored: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of what a bundle's reading left aside, the files of predictions: most likely a slip in a folder's name."""
    return [each for each in ignored if str(each.get("path", "")).rpartition("/")[2] in COMPRESSIONS]
