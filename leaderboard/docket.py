"""What waits for a maintainer, and what a case shows before its scores are public: outcomes, never scores."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet

from leaderboard.integrity.claims import proposal_for
from leaderboard.integrity.proposal import Proposal
from leaderboard.models import Claim, Entry, Finding, Flag, Track
from leaderboard.pins import Behind, find_behind
from submissions.models import Organisation, RunCardRevision, Submission, User
from submissions.people import find_tie
from submissions.progress import Counts, count_runs, run_lines
from submissions.reading import with_people
from submissions.run_card import form_fields, undisclosed
from submissions.run_line import RunLine

Status = Submission.Status
BAD = frozenset({"invalid", "missing", "grader_error", "timed_out", "out_of_memory"})


@dataclass(frozen=True)
class Docket:
    """All that waits: reviews, flags and organisations, oldest first. `behind`: where pins could be moved."""

    reviews: list[Submission]
    flags: list[Flag]
    organisations: list[Organisation]
    behind: list[Behind]

    @property
    def count(self) -> int:
        return len(self.reviews) + len(self.flags) + len(self.organisations)


@dataclass(frozen=True)
class Case:
    """One submission on the desk of a maintainer. `proposal` is what the claims earn; `conflict` says who may not."""

    submission: Submission
    entry: Entry | None
    card: RunCardRevision | None
    sections: list[Any]
    open_questions: list[str]
    claims: list[Claim]
    findings: list[Finding]
    proposal: Proposal
    proposed: Track | None
    counts: Counts
    bad_runs: list[RunLine]
    ignored: list[dict[str, Any]]
    earlier: list[Submission]
    conflict: str

    @property
    def awaits_decision(self) -> bool:
        return self.submission.status == Status.IN_REVIEW and self.entry is not None


def open_docket() -> Docket:
    """Everything that needs a maintainer now, in four queries."""
    reviews = with_people(Submission.objects.filter(status=Status.IN_REVIEW)).select_related("entry__agent")
    flags = Flag.objects.filter(state=Flag.State.OPEN).select_related("entry__agent", "raised_by")
    unverified = Organisation.objects.filter(verified_at=None, teams__isnull=False)
    return Docket(
        reviews=list(reviews.order_by("created_at")),
        flags=list(flags.order_by("raised_at")),
        organisations=list(unverified.annotate(waiting=Count("teams__submissions")).order_by("created_at")),
        behind=find_behind(),
    )


def open_case(submission: Submission, maintainer: User) -> Case:
    """The case of a submission, whatever its status."""
    card = submission.confirmed_revision
    lines = run_lines(submission)
    proposal = proposal_for(submission)
    return Case(
        submission=submission,
        entry=getattr(submission, "entry", None),
        card=card,
        sections=list(form_fields(card.document, blank_rows=0)) if card else [],
        open_questions=undisclosed(card.document) if card else [],
        claims=list(submission.claims.all()),
        findings=list(submission.findings.all()),
        proposal=proposal,
        proposed=Track.objects.filter(slug=proposal.track).first(),
        counts=count_runs(submission, lines),
        bad_runs=[line for line in lines if line.outcome in BAD or line.message],
        ignored=submission.bundle.ignored if hasattr(submission, "bundle") else [],
        earlier=list(_earlier(submission)),
        conflict=conflict_of(maintainer, submission.team.organisation),
    )


def _earlier(submission: Submission) -> QuerySet[Submission]:
    """Other submissions of the organisation from before this one, newest first."""
    same = Submission.objects.filter(team__organisation=submission.team.organisation)
    return with_people(same.filter(created_at__lt=submission.created_at)).order_by("-created_at")


def conflict_of(maintainer: User, organisation: Organisation) -> str:
    """Why this maintainer may not decide on the organisation's entries; empty if they may."""
    tie = find_tie(maintainer, organisation)
    return f"{tie} Another maintainer must decide on its entries." if tie else ""
