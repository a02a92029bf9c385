"""What intake can tell of a bundle's CSVs before anything is graded: those that cannot be valid, as an event."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any, Final

from grading.catalogue import job_for, shipped_competitions
from grading.graders.job import Job
from grading.models import AnswersVersion
from submissions.bundle import Kind, Manifest, Member
from submissions.csv_outline import Expected, find_unlike
from submissions.models import Submission
from submissions.run_line import label_order
from submissions.spool import Spool
from submissions.states import record_event

CSVS_CHECKED: Final = "csvs_checked"
LISTED_AT_MOST = 50
Problem = dict[str, str]


@dataclass(frozen=True)
class Outlook:
    """`looked_at`: CSVs of known competitions. `unlike`: how many cannot be valid; `problems`: of the first of them."""

    looked_at: int = 0
    unlike: int = 0
    problems: tuple[Problem, ...] = ()

    @property
    def unlisted(self) -> int:
        return self.unlike - len({each["where"] for each in self.problems})


def look_through(manifest: Manifest, spool: Spool) -> Outlook:
    """The outlook of the predictions in the spool, before they are moved out of it."""
    csvs = [each for each in manifest.members if each.kind is Kind.SUBMISSION]
    expected = _expected({each.competition_id or "" for each in csvs})
    known = sorted(
        (each for each in csvs if each.competition_id in expected),
        key=lambda each: (each.competition_id or "", label_order(each.seed or "")),
    )
    found = [(each, list(_problems(each, spool, expected[each.competition_id or ""]))) for each in known]
    unlike = [problems for _, problems in found if problems]
    return Outlook(len(known), len(unlike), tuple(chain.from_iterable(unlike[:LISTED_AT_MOST])))


def _expected(competitions: Iterable[str]) -> dict[str, Expected]:
    """Of those the catalogue has. One query."""
    versions = AnswersVersion.objects.filter(competition__in=competitions).order_by("number")
    rows = dict(versions.values_list("competition_id", "rows"))
    return {
        spec.id: Expected(Job.from_dict(job_for(spec)), rows.get(spec.id))
        for spec in map(shipped_competitions().get, competitions)
        if spec
    }


def _problems(member: Member, spool: Spool, expected: Expected) -> Iterator[Problem]:
    where = f"{member.seed}/{member.competition_id}"
    with spool.open(member.path) as file:
        for reason in find_unlike(file, expected):
            yield {"code": reason.code, "where": where, "message": reason.message}


def record_outlook(submission: Submission, outlook: Outlook, now: datetime) -> None:
    """Once for each bundle that was read, where anything could be looked at."""
    if outlook.looked_at:
        detail = {
            "looked_at": outlook.looked_at,
            "unlike": outlook.unlike,
            "csv_problems": list(outlook.problems),
        }
        record_event(submission, CSVS_CHECKED, at=now, detail=detail)


def outlook_of(submission: Submission) -> Outlook:
    """As it was recorded; an empty one where nothing was."""
    said: Any = submission.events.filter(kind=CSVS_CHECKED).values_list("detail", flat=True).first()
    return Outlook(said["looked_at"], said["unlike"], tuple(said["csv_problems"])) if said else Outlook()


def left_out(ignored: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of what a bundle's reading left aside, the files of predictions: most likely a slip in a folder's name."""
    return [
        each for each in ignored if str(each.get("path", "")).rpartition("/")[2].startswith("submission.csv")
    ]
