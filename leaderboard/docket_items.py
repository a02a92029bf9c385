"""Everything that waits for a maintainer, each thing as one line with its clock, whatever kind it is."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import chain
from typing import Any, Final

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse

from leaderboard.integrity.appeals import open_appeals
from leaderboard.integrity.checks import Severity
from leaderboard.models import Claim, Decision, Entry, Finding, Flag, Question, SourcePromise
from leaderboard.pins import find_behind
from submissions.models import Organisation, Submission

Status = Submission.Status
SEVERITIES: Final = tuple(Severity)


class Kind(StrEnum):
    """In the words of the page."""

    REVIEW = "in review"
    FLAG = "flag"
    APPEAL = "appeal"
    QUESTION = "question"
    PROMISE = "promise"
    ORGANISATION = "organisation"
    PINS = "pins"


# How soon we mean to answer where no rule sets a day.
USUAL: Final[Mapping[Kind, timedelta]] = {
    Kind.REVIEW: timedelta(days=14),
    Kind.QUESTION: timedelta(days=7),
    Kind.PROMISE: timedelta(days=7),
    Kind.ORGANISATION: timedelta(days=7),
}
# Decisions by which a maintainer has dealt with a promise that was broken.
SETTLES_PROMISE: Final = (
    Decision.Kind.PUBLISH,
    Decision.Kind.MOVE,
    Decision.Kind.WITHDRAW,
    Decision.Kind.ANNOTATE,
    Decision.Kind.ASK,
)


@dataclass(frozen=True)
class Item:
    """One thing to do. `due`: its clock, None where nothing presses; `clock`: what happens then.

    `mask_url`: where the same thing can be settled by masking a competition.

    `organisations` and `barred` say who may not decide: people tied to the former, and the latter by id.
    """

    kind: Kind
    title: str
    url: str
    what: str
    who: str = ""
    since: datetime | None = None
    due: datetime | None = None
    clock: str = ""
    benchmark: str = ""
    submission: int | None = None
    organisations: frozenset[int] = frozenset()
    barred: frozenset[int] = frozenset()
    severity: str = ""
    mask_url: str = ""

    @property
    def urgency(self) -> tuple[bool, float, float]:
        """For sorting: the clock that runs out first, then the older thing; what has no clock last."""
        due, since = (moment.timestamp() if moment else 0.0 for moment in (self.due, self.since))
        return self.due is None, due, since

    def weighs(self, least: str) -> bool:
        """Whether its gravest open finding is at least so grave."""
        return bool(self.severity) and SEVERITIES.index(Severity(self.severity)) >= SEVERITIES.index(
            Severity(least)
        )

    def holds(self, words: Iterable[str]) -> bool:
        text = " ".join((self.title, self.who, self.what, self.benchmark)).casefold()
        return all(word in text for word in words)


def list_items(now: datetime) -> list[Item]:
    """All that waits, the most urgent first. The number of queries does not depend on how much there is."""
    kinds: tuple[Callable[[], Iterator[Item]], ...] = (
        _reviews,
        _flags,
        _appeals,
        lambda: _questions(now),
        _promises,
        _sources,
        _organisations,
        _pins,
    )
    return sorted(
        _weighed(list(chain.from_iterable(find() for find in kinds))), key=lambda item: item.urgency
    )


def _weighed(items: list[Item]) -> Iterator[Item]:
    """The items with the severity of the gravest finding that is open on their submission."""
    wanted = {item.submission for item in items if item.submission}
    gravest: dict[int, str] = defaultdict(str)
    found = Finding.objects.filter(state=Finding.State.OPEN, submission__in=wanted)
    for submission, severity in found.values_list("submission", "severity").distinct():
        gravest[submission] = max(gravest[submission], severity, key=_rank)
    return (replace(item, severity=gravest.get(item.submission or 0, "")) for item in items)


def _rank(severity: str) -> int:
    return SEVERITIES.index(Severity(severity)) if severity in SEVERITIES else -1


def _due(kind: Kind, since: datetime) -> datetime:
    return since + USUAL[kind]


def _about(entry: Entry) -> dict[str, Any]:
    """What every line about an entry says of it."""
    submission, organisation = entry.submission, entry.agent.organisation
    others = {submission.team.organisation_id} if submission else set()
    return {
        "title": entry.agent.name,
        "who": organisation.name,
        "benchmark": entry.benchmark.slug,
        "submission": submission.pk if submission else None,
        "organisations": frozenset({organisation.pk, *others}),
    }


def _case_of(entry: Entry) -> str:
    """Where a maintainer looks at the entry."""
    if entry.submission is None:
        return reverse("entry", args=[entry.slug])
    return reverse("docket-case", args=[entry.submission.public_id])


def _entries(found: QuerySet[Any], path: str) -> QuerySet[Any]:
    """With what `_about` reads of the entry under `path`."""
    return found.select_related(
        f"{path}__agent__organisation", f"{path}__benchmark", f"{path}__submission__team"
    )


def _reviews() -> Iterator[Item]:
    found = Entry.objects.filter(submission__status=Status.IN_REVIEW)
    for entry in found.select_related("agent__organisation", "benchmark", "submission__team"):
        assert entry.submission is not None, "only graded entries are in review"
        asked = entry.submission.question_open_at
        yield Item(
            Kind.REVIEW,
            url=_case_of(entry),
            what=f"Scope {entry.get_scope_display()}, entry {entry.pk}"
            + (", the team is asked something" if asked else ""),
            since=entry.created_at,
            due=_due(Kind.REVIEW, entry.created_at),
            clock="usual",
            **_about(entry),
        )


def _flags() -> Iterator[Item]:
    for flag in _entries(Flag.objects.filter(state=Flag.State.OPEN), "entry"):
        reported = "Reported by the team itself. " if flag.is_self_reported else ""
        yield Item(
            Kind.FLAG,
            url=reverse("flag-answer", args=[flag.pk]),
            what=f"{reported}{flag.rule}: {flag.reason}",
            since=flag.raised_at,
            due=flag.public_at,
            clock="public",
            mask_url=_mask_url(flag),
            **_about(flag.entry),
        )


def _mask_url(flag: Flag) -> str:
    """Where one form upholds the flag and masks what it is about; imported entries have no runs to mask."""
    if flag.entry.submission is None:
        return ""
    return f"{reverse('entry-mask', args=[flag.entry.slug])}?flag={flag.pk}"


def _appeals() -> Iterator[Item]:
    for appeal in open_appeals():
        decision = appeal.decision
        yield Item(
            Kind.APPEAL,
            url=reverse("appeal-answer", args=[appeal.pk]),
            what=f"Against decision {decision.pk} ({decision.get_kind_display()}): {appeal.reason}",
            since=appeal.filed_at,
            due=appeal.due_at,
            clock="due",
            barred=frozenset(filter(None, (decision.decided_by_id,))),
            **_about(decision.entry),
        )


def _later(moment: str, **conditions: Any) -> Exists:
    """Whether something was decided on the entry after a moment of the row asked about."""
    found = Decision.objects.filter(entry=OuterRef("entry"), recorded_at__gt=OuterRef(moment), **conditions)
    return Exists(found)


def _questions(now: datetime) -> Iterator[Item]:
    """Asked and not settled: the first decision on the entry after the answer, or after the time for it, settles it."""
    answered = Q(answered_at__isnull=False) & ~Q(_later("answered_at"))
    unanswered = Q(answered_at=None) & (Q(due_at__gt=now) | ~Q(_later("due_at")))
    for question in _entries(Question.objects.filter(answered | unanswered), "entry"):
        yield Item(
            Kind.QUESTION,
            url=f"{_case_of(question.entry)}#questions",
            what=f"{_state_of(question, now)}: {question.text}",
            since=question.answered_at or question.asked_at,
            due=_due(Kind.QUESTION, question.answered_at) if question.answered_at else question.due_at,
            clock="usual" if question.answered_at else "due",
            **_about(question.entry),
        )


def _state_of(question: Question, now: datetime) -> str:
    if question.answered_at:
        return "Answered"
    return "No answer in time" if question.is_late(now) else "Waits for the team"


def _kept_promises() -> QuerySet[Any]:
    return _entries(
        SourcePromise.objects.filter(submission__entry__isnull=False).annotate(entry=F("submission__entry")),
        "submission__entry",
    )


def _promises() -> Iterator[Item]:
    """Broken ones, until a maintainer has decided in view of it."""
    expired = _kept_promises().filter(expired_at__isnull=False, shown_at=None)
    for promise in expired.exclude(_later("expired_at", kind__in=SETTLES_PROMISE)):
        entry = promise.submission.entry
        yield Item(
            Kind.PROMISE,
            url=f"{_case_of(entry)}#promise",
            what=f"Source promised for {promise.due_on}, and no link came. Demotion is proposed.",
            since=promise.expired_at,
            due=_due(Kind.PROMISE, promise.expired_at),
            clock="usual",
            **_about(entry),
        )


def _sources() -> Iterator[Item]:
    """Links that came and that nobody has looked at: no ruling on the claim since."""
    shown = _kept_promises().filter(shown_at__isnull=False)
    ruled = Claim.objects.filter(
        submission=OuterRef("submission"),
        code="scaffold",
        decision__recorded_at__gt=OuterRef("shown_at"),
    )
    for promise in shown.exclude(Exists(ruled)):
        entry = promise.submission.entry
        yield Item(
            Kind.PROMISE,
            url=f"{_case_of(entry)}#promise",
            what=f"The team says that the source is out: {promise.url}",
            since=promise.shown_at,
            due=_due(Kind.PROMISE, promise.shown_at),
            clock="usual",
            **_about(entry),
        )


def _organisations() -> Iterator[Item]:
    found = Organisation.objects.filter(verified_at=None, teams__isnull=False)
    for organisation in found.annotate(waiting=Count("teams__submissions")):
        number = organisation.waiting
        yield Item(
            Kind.ORGANISATION,
            title=organisation.name,
            url=reverse("organisation-verify", args=[organisation.slug]),
            what=f"To verify. {number} submission{'' if number == 1 else 's'} of it. {organisation.url}".strip(),
            since=organisation.created_at,
            due=_due(Kind.ORGANISATION, organisation.created_at),
            clock="usual",
            organisations=frozenset({organisation.pk}),
        )


def _pins() -> Iterator[Item]:
    for behind in find_behind():
        yield Item(
            Kind.PINS,
            title=behind.competition,
            url=reverse("competition-pins", args=[behind.competition]),
            what=f"A newer grading or thresholds: {behind.runs} runs of {behind.entries} entries could move.",
        )
