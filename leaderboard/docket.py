"""What waits for a maintainer, and what a case shows before its scores are public: outcomes, never scores."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, overload

from django.db.models import QuerySet

from leaderboard import docket_sources as sources
from leaderboard.docket_items import SEVERITIES, Item, Kind, pin_items
from leaderboard.docket_sources import Place, Source, list_sources
from leaderboard.entry_page import decisions_of
from leaderboard.evidence.shown import EvidenceShown, evidence_of
from leaderboard.integrity.checks import Severity
from leaderboard.integrity.claims import proposal_for
from leaderboard.integrity.proposal import Proposal
from leaderboard.integrity.sides import find_conflict_with
from leaderboard.lengths import length_of
from leaderboard.models import Claim, Entry, Finding, Question, Track
from leaderboard.promise_words import PromiseWords, promise_of
from leaderboard.run_ledger import Earlier, ledger_of
from submissions.models import RunCardRevision, Submission, User
from submissions.paging import keys_of, rows_of
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


class Lines(Sequence[Item]):
    """The lines of some sources, most urgent first, and at last those that have no clock. Read when they are looked at.

    The number of queries does not depend on how many there are.
    """

    def __init__(self, found: Sequence[Source], length: int, unclocked: Sequence[Item]) -> None:
        self.sources, self.length, self.unclocked = found, length, unclocked

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[Item]:
        return iter(self[:])

    @overload
    def __getitem__(self, wanted: int) -> Item: ...
    @overload
    def __getitem__(self, wanted: slice) -> list[Item]: ...
    def __getitem__(self, wanted: int | slice) -> Item | list[Item]:
        if isinstance(wanted, int):
            at = range(self.length)[wanted]
            return self[at : at + 1][0]
        start, stop, _ = wanted.indices(self.length)
        places = sorted(place for at, source in enumerate(self.sources) for place in source.first(stop, at))[
            :stop
        ]
        rest = self.unclocked[max(0, start - len(places)) : max(0, stop - len(places))]
        return [*_weighed(self._read(places[start:])), *rest]

    def _read(self, places: Sequence[Place]) -> list[Item]:
        """The lines at these places; one that is settled by now is left out."""
        by_source: dict[int, list[Any]] = defaultdict(list)
        for _, _, at, key in places:
            by_source[at].append(key)
        read = {at: self.sources[at].items(keys) for at, keys in by_source.items()}
        return sorted((item for found in read.values() for item in found), key=lambda item: item.urgency)


@dataclass(frozen=True)
class Docket:
    """The lines that answer, most urgent first. `counts`: of each kind among what answers the other words."""

    items: Sequence[Item]
    counts: Mapping[str, int]
    tied: frozenset[int] = frozenset()

    @property
    def total(self) -> int:
        return sum(self.counts.values())


@dataclass(frozen=True)
class Desk:
    """What a maintainer decides about a submission in view of. `proposal` is what the claims earn.

    `conflict`: why this maintainer may not decide. Then findings, evidence and the ledger are left out.
    """

    submission: Submission
    claims: list[Claim]
    findings: list[Finding]
    proposal: Proposal
    conflict: str


@dataclass(frozen=True)
class Case(Desk):
    """One submission on the desk of a maintainer, with all that its page shows."""

    entry: Entry | None
    card: RunCardRevision | None
    sections: list[Any]
    open_questions: list[str]
    proposed: Track | None
    counts: Counts
    bad_runs: list[RunLine]
    ignored: list[dict[str, Any]]
    earlier: list[Submission]
    more_earlier: int
    questions: list[Question] = field(default_factory=list)
    promise: PromiseWords | None = None
    decisions: list[dict[str, Any]] = field(default_factory=list)
    evidence: EvidenceShown | None = None
    ledger: list[Earlier] = field(default_factory=list)

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
    """Everything that needs a maintainer now, narrowed."""
    tied = tied_organisations(maintainer)
    found = [_narrowed(source, wanted, maintainer, tied) for source in list_sources(now)]
    lengths = [_length(at, source, wanted, maintainer) for at, source in enumerate(found)]
    pins = [item for item in pin_items() if _answers(item, wanted)]
    counts = {kind.value: 0 for kind in Kind}
    for source, length in zip(found, lengths, strict=True):
        counts[source.kind.value] += length
    counts[Kind.PINS.value] = len(pins)
    # Those that are empty are not asked again.
    shown = [
        source
        for source, length in zip(found, lengths, strict=True)
        if length and wanted.kind in ("", source.kind.value)
    ]
    rest = pins if wanted.kind in ("", Kind.PINS.value) else []
    length = counts[wanted.kind] if wanted.kind else sum(counts.values())
    return Docket(Lines(shown, length, rest), counts, tied)


def _narrowed(source: Source, wanted: Narrowed, maintainer: User, tied: frozenset[int]) -> Source:
    """What of it answers every word but its kind, which the counts are for."""
    if wanted.benchmark:
        source = replace(source, rows=sources.of_benchmark(source, wanted.benchmark))
    # Of their own organisation maintainers are not told what was found, so that findings narrow nothing there.
    if wanted.mine or wanted.severity:
        source = replace(source, rows=sources.decidable(source, maintainer.pk, tied))
    if wanted.severity:
        source = replace(source, rows=sources.weighing(source, wanted.severity))
    if wanted.words:
        source = replace(source, rows=sources.holding(source, wanted.words))
    return source


def _length(at: int, source: Source, wanted: Narrowed, maintainer: User) -> int:
    """Whatever kind is shown, each is counted alike."""
    key = ("docket", at, replace(wanted, kind=""), maintainer.pk)
    return length_of(key, source.rows.count)


def _answers(item: Item, wanted: Narrowed) -> bool:
    """Of a line about pins: it belongs to no benchmark, nothing was found on it, and anybody may decide."""
    return not wanted.benchmark and not wanted.severity and item.holds(wanted.words)


def _weighed(items: list[Item]) -> Iterable[Item]:
    """The items with the severity of the gravest finding that is open on their submission."""
    wanted = {item.submission for item in items if item.submission}
    gravest: dict[int, str] = {}
    found = Finding.objects.filter(state=Finding.State.OPEN, submission__in=wanted)
    for submission, severity in found.values_list("submission", "severity").distinct():
        gravest[submission] = max(gravest.get(submission, ""), severity, key=_rank)
    return (replace(item, severity=gravest.get(item.submission or 0, "")) for item in items)


def _rank(severity: str) -> int:
    return SEVERITIES.index(Severity(severity)) if severity in SEVERITIES else -1


def without_findings(item: Item, maintainer: User, tied: Iterable[int]) -> Item:
    """The item as this maintainer may see it: of their own organisation it does not say what was found."""
    return item if may_decide(item, maintainer, tied) else replace(item, severity="")


def may_decide(item: Item, maintainer: User, tied: Iterable[int]) -> bool:
    """Whether no conflict of interest keeps this maintainer from deciding."""
    return item.organisations.isdisjoint(tied) and maintainer.pk not in item.barred


def open_desk(submission: Submission, maintainer: User) -> Desk:
    """Of a submission, whatever its status."""
    # What the team must not know is kept from maintainers who are of its organisation.
    conflict = find_conflict_with(maintainer, [submission.team.organisation])
    return Desk(
        submission=submission,
        claims=list(submission.claims.select_related("decision")),
        findings=[] if conflict else list(submission.findings.select_related("answered_by")),
        proposal=proposal_for(submission),
        conflict=conflict,
    )


def open_case(submission: Submission, maintainer: User) -> Case:
    """The case of a submission, whatever its status."""
    card = submission.confirmed_revision
    lines = run_lines(submission)
    desk = open_desk(submission, maintainer)
    entry = getattr(submission, "entry", None)
    earlier = _earlier(submission)
    return Case(
        **vars(desk),
        entry=entry,
        card=card,
        sections=list(form_fields(card.document, blank_rows=0)) if card else [],
        open_questions=undisclosed(card.document) if card else [],
        proposed=Track.objects.filter(slug=desk.proposal.track).first(),
        counts=count_runs(submission, lines),
        bad_runs=[line for line in lines if line.outcome in BAD or line.message],
        ignored=submission.bundle.ignored if hasattr(submission, "bundle") else [],
        earlier=rows_of(with_people(Submission.objects.all()), keys_of(earlier[:EARLIER])),
        more_earlier=max(0, earlier.count() - EARLIER),
        questions=list(entry.questions.order_by("-pk")) if entry else [],
        promise=promise_of(submission),
        decisions=_decided(entry, submission) if entry else [],
        evidence=None if desk.conflict else evidence_of(submission),
        # Before publication it tells as much as the findings that are made of it.
        ledger=ledger_of(entry) if entry and not desk.conflict else [],
    )


def _decided(entry: Entry, submission: Submission) -> list[dict[str, Any]]:
    """The entry's decisions as cards; before publication they have no page of their own."""
    is_public = submission.status not in (Status.GRADED, Status.IN_REVIEW)
    here = {} if is_public else {"url": "#decided"}
    return [{**card, **here} for card in decisions_of(entry)]


def _earlier(submission: Submission) -> QuerySet[Submission]:
    """Other submissions of the organisation from before this one, newest first."""
    same = Submission.objects.filter(team__organisation=submission.team.organisation)
    return same.filter(created_at__lt=submission.created_at).order_by("-created_at", "-pk")
