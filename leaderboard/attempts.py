"""How often an organisation, and an agent of it, had been graded when an entry was: nothing graded goes uncounted."""

from dataclasses import dataclass
from typing import Final

from django.contrib.humanize.templatetags.humanize import ordinal
from django.db.models import Exists, OuterRef, Q, QuerySet

from leaderboard.integrity.findings.traits import LINEAGE, plain_answer
from leaderboard.lineage import in_line_of, marks_of
from leaderboard.models import Entry
from submissions.models import Event, Submission

Status = Submission.Status
BEYOND = (Status.GRADING, Status.GRADED, Status.IN_REVIEW, Status.PUBLISHED, Status.GRADING_FAILED)
CARD: Final = "confirmed_revision__document__"
NAME: Final = CARD + "scaffold__name"
TOLD: Final = tuple(CARD + path.replace(".", "__") for path in LINEAGE)


@dataclass(frozen=True)
class Attempt:
    """From 1, in the order of confirmation. Another name for the agent starts neither count anew.

    An agent is the same while its name, less signs and version, or its commit, archive or source address is.
    """

    of_organisation: int
    of_agent: int

    def __str__(self) -> str:
        return (
            f"{ordinal(self.of_organisation)} graded submission of this organisation, "
            f"{ordinal(self.of_agent)} of this agent"
        )


def attempt_of(entry: Entry) -> Attempt | None:
    """Which attempt the entry is, in one query; None for imported ones. Benchmarks are counted together."""
    submission = entry.submission
    if submission is None or submission.confirmed_at is None:
        return None
    rows = _graded_until(submission).values_list("pk", "entry__agent__name", NAME, *TOLD)
    numbers = [row[0] for row in rows]
    marks = [_marks(agent or name, told) for _, agent, name, *told in rows]
    return Attempt(len(rows), len(in_line_of(numbers.index(submission.pk), marks)))


def _marks(name: object, told: list[object]) -> frozenset[str]:
    others = [(path, plain_answer(path, str(text))) for path, text in zip(LINEAGE, told, strict=True) if text]
    return marks_of(str(name) if name else "", others)


def _graded_until(submission: Submission) -> QuerySet[Submission]:
    return graded_submissions(submission.team.organisation_id).filter(
        confirmed_at__lte=submission.confirmed_at
    )


def graded_submissions(organisation: int) -> QuerySet[Submission]:
    """Those of an organisation whose grading began, the withdrawn among them."""
    begun = Event.objects.filter(submission=OuterRef("pk"), after=Status.GRADING)
    of_organisation = Submission.objects.filter(team__organisation=organisation)
    return of_organisation.filter(Q(status__in=BEYOND) | Exists(begun) | Q(entry__isnull=False))
