"""What waits for a maintainer, and what a case shows before its scores are public: outcomes, never scores."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from leaderboard.docket_items import Item, Kind, list_items
from leaderboard.entry_page import decisions_of
from leaderboard.evidence.shown import EvidenceShown, evidence_of
from leaderboard.integrity.claims import proposal_for
from leaderboard.integrity.proposal import Proposal
from leaderboard.integrity.sides import find_conflict_with
from leaderboard.models import Claim, Entry, Finding, Question, Track
from leaderboard.promise_words import PromiseWords, promise_of
from submissions.models import RunCardRevision, Submission, User
from submissions.people import tied_organisations
from submissions.progress import Counts, count_runs, run_lines
from submissions.reading import with_people
from submissions.run_card import form_fields, undisclosed
from submissions.run_line import RunLine

Status = Submission.Status
# How many earlier submissions of the organisation a case names.
EARLIER = 20
BAD = frozenset({"invalid", "missing", "grader_error", "timed_out", "out_of_memory"})


@dataclass(frozen=True)
class Narrowed:
    """What a maintainer wants to see of the docket; as it is: everything."""

    kind: str = ""
    benchmark: str = ""
    severity: str = ""
    words: tuple[str, ...] = ()
    mine: bool = False


@dataclass(frozen=True)
class Docket:
    """The lines that answer, most urgent first. `counts`: of each kind among what answers the other words."""

    items: list[Item]
    counts: Mapping[str, int]
    tied: frozenset[int] = frozenset()

    @property
    def total(self) -> int:
        return sum(self.counts.values())


@dataclass(frozen=True)
class Case:
    """One submission on the desk of a maintainer. `proposal` is what the claims earn.

    `conflict`: why this maintainer may not decide. Then findings and evidence are left out.
    """

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
    more_earlier: int
    conflict: str
    questions: list[Question] = field(default_factory=list)
    promise: PromiseWords | None = None
    decisions: list[dict[str, Any]] = field(default_factory=list)
    evidence: EvidenceShown | None = None

    @property
    def awaits_decision(self) -> bool:
        return self.submission.status == Status.IN_REVIEW and self.entry is not None

    @property
    def open_findings(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.state == Finding.State.OPEN]

    @property
    def answered_findings(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.state != Finding.State.OPEN]

    @property
    def wanting(self) -> list[Claim]:
        """Claims that do not stand, or not with an answer that the strictest track takes."""
        return [claim for claim in self.claims if not claim.holds]

    @property
    def holding(self) -> list[Claim]:
        return [claim for claim in self.claims if claim.holds]


def open_docket(maintainer: User, wanted: Narrowed, now: datetime) -> Docket:
    """Everything that needs a maintainer now, narrowed; the number of queries does not depend on how much it is."""
    tied = tied_organisations(maintainer)
    listed = (_without_findings(item, maintainer, tied) for item in list_items(now))
    found = [item for item in listed if _answers(item, wanted, maintainer, tied)]
    counted = Counter(item.kind.value for item in found)
    shown = [item for item in found if not wanted.kind or item.kind.value == wanted.kind]
    return Docket(shown, {kind.value: counted[kind.value] for kind in Kind}, tied)


def _answers(item: Item, wanted: Narrowed, maintainer: User, tied: frozenset[int]) -> bool:
    """Whether a line answers every word but its kind, which the counts are for."""
    return (
        (not wanted.benchmark or item.benchmark == wanted.benchmark)
        and (not wanted.severity or item.weighs(wanted.severity))
        and (not wanted.mine or may_decide(item, maintainer, tied))
        and item.holds(wanted.words)
    )


def _without_findings(item: Item, maintainer: User, tied: Iterable[int]) -> Item:
    """The item as this maintainer may see it: of their own organisation it does not say what was found."""
    return item if may_decide(item, maintainer, tied) else replace(item, severity="")


def may_decide(item: Item, maintainer: User, tied: Iterable[int]) -> bool:
    """Whether no conflict of interest keeps this maintainer from deciding."""
    return item.organisations.isdisjoint(tied) and maintainer.pk not in item.barred


def open_case(submission: Submission, maintainer: User) -> Case:
    """The case of a submission, whatever its status."""
    card = submission.confirmed_revision
    lines = run_lines(submission)
    proposal = proposal_for(submission)
    entry = getattr(submission, "entry", None)
    earlier = _earlier(submission)
    # What the team must not know is kept from maintainers who are of its organisation.
    conflict = find_conflict_with(maintainer, [submission.team.organisation])
    return Case(
        submission=submission,
        entry=entry,
        card=card,
        sections=list(form_fields(card.document, blank_rows=0)) if card else [],
        open_questions=undisclosed(card.document) if card else [],
        claims=list(submission.claims.select_related("decision")),
        findings=[] if conflict else list(submission.findings.select_related("answered_by")),
        proposal=proposal,
        proposed=Track.objects.filter(slug=proposal.track).first(),
        counts=count_runs(submission, lines),
        bad_runs=[line for line in lines if line.outcome in BAD or line.message],
        ignored=submission.bundle.ignored if hasattr(submission, "bundle") else [],
        earlier=list(earlier[:EARLIER]),
        more_earlier=max(0, earlier.count() - EARLIER),
        conflict=conflict,
        questions=list(entry.questions.order_by("-pk")) if entry else [],
        promise=promise_of(submission),
        decisions=_decided(entry, submission) if entry else [],
        evidence=None if conflict else evidence_of(submission),
    )


def _decided(entry: Entry, submission: Submission) -> list[dict[str, Any]]:
    """The entry's decisions as cards; before publication they have no page of their own."""
    is_public = submission.status not in (Status.GRADED, Status.IN_REVIEW)
    here = {} if is_public else {"url": "#decided"}
    return [{**card, **here} for card in decisions_of(entry)]


def _earlier(submission: Submission) -> QuerySet[Submission]:
    """Other submissions of the organisation from before this one, newest first."""
    same = Submission.objects.filter(team__organisation=submission.team.organisation)
    return with_people(same.filter(created_at__lt=submission.created_at)).order_by("-created_at")
