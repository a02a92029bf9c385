"""How often an organisation, and an agent of it, had been graded when an entry was: nothing graded goes uncounted."""

from dataclasses import dataclass

from django.contrib.humanize.templatetags.humanize import ordinal
from django.db.models import Exists, OuterRef, Q, QuerySet

from leaderboard.models import Entry
from submissions.models import Event, Submission

Status = Submission.Status
BEYOND = (Status.GRADING, Status.GRADED, Status.IN_REVIEW, Status.PUBLISHED, Status.GRADING_FAILED)


@dataclass(frozen=True)
class Attempt:
    """From 1, in the order of confirmation. Another name for the agent starts its own count anew, not the first."""

    of_organisation: int
    of_agent: int

    def __str__(self) -> str:
        return (
            f"{ordinal(self.of_organisation)} graded submission of this organisation, "
            f"{ordinal(self.of_agent)} of this agent"
        )


def attempt_of(entry: Entry) -> Attempt | None:
    """Which attempt the entry is, in two queries; None for imported ones. Benchmarks are counted together."""
    submission = entry.submission
    if submission is None or submission.confirmed_at is None:
        return None
    earlier = _graded_until(submission)
    return Attempt(earlier.count(), earlier.filter(entry__agent=entry.agent_id).count())


def _graded_until(submission: Submission) -> QuerySet[Submission]:
    return graded_submissions(submission.team.organisation_id).filter(
        confirmed_at__lte=submission.confirmed_at
    )


def graded_submissions(organisation: int) -> QuerySet[Submission]:
    """Those of an organisation whose grading began, the withdrawn among them."""
    begun = Event.objects.filter(submission=OuterRef("pk"), after=Status.GRADING)
    of_organisation = Submission.objects.filter(team__organisation=organisation)
    return of_organisation.filter(Q(status__in=BEYOND) | Exists(begun))
