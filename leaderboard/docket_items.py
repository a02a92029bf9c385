"""What waits for a maintainer: each thing as one line with its clock, whatever kind it is."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from django.urls import reverse

from leaderboard.integrity.appeals import authors_of
from leaderboard.integrity.checks import Severity
from leaderboard.models import Appeal, Entry, Flag, Question
from leaderboard.pins import find_behind

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

    def holds(self, words: Iterable[str]) -> bool:
        text = " ".join((self.title, self.who, self.what, self.benchmark)).casefold()
        return all(word.casefold() in text for word in words)


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


def review_item(entry: Entry) -> Item:
    assert entry.submission is not None, "only graded entries are in review"
    asked = entry.submission.question_open_at
    return Item(
        Kind.REVIEW,
        url=_case_of(entry),
        what=f"Scope {entry.get_scope_display()}, entry {entry.pk}"
        + (", the team is asked something" if asked else ""),
        since=entry.created_at,
        due=_due(Kind.REVIEW, entry.created_at),
        clock="usual",
        **_about(entry),
    )


def flag_item(flag: Flag) -> Item:
    reported = "Reported by the team itself. " if flag.is_self_reported else ""
    return Item(
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


def appeal_item(appeal: Appeal) -> Item:
    decision = appeal.decision
    return Item(
        Kind.APPEAL,
        url=reverse("appeal-answer", args=[appeal.pk]),
        what=f"Against decision {decision.pk} ({decision.get_kind_display()}): {appeal.reason}",
        since=appeal.filed_at,
        due=appeal.due_at,
        clock="due",
        barred=frozenset(filter(None, authors_of(decision))),
        **_about(decision.entry),
    )


def answered_item(question: Question) -> Item:
    assert question.answered_at is not None
    return Item(
        Kind.QUESTION,
        url=f"{_case_of(question.entry)}#questions",
        what=f"Answered: {question.text}",
        since=question.answered_at,
        due=_due(Kind.QUESTION, question.answered_at),
        clock="usual",
        **_about(question.entry),
    )


def question_item(question: Question, now: datetime) -> Item:
    state = "No answer in time" if question.is_late(now) else "Waits for the team"
    return Item(
        Kind.QUESTION,
        url=f"{_case_of(question.entry)}#questions",
        what=f"{state}: {question.text}",
        since=question.asked_at,
        due=question.due_at,
        clock="due",
        **_about(question.entry),
    )


def promise_item(promise: Any) -> Item:
    """Of one that was broken."""
    entry = promise.submission.entry
    return Item(
        Kind.PROMISE,
        url=f"{_case_of(entry)}#promise",
        what=f"Source promised for {promise.due_on}, and no link came. Demotion is proposed.",
        since=promise.expired_at,
        due=_due(Kind.PROMISE, promise.expired_at),
        clock="usual",
        **_about(entry),
    )


def source_item(promise: Any) -> Item:
    """Of a link that came."""
    entry = promise.submission.entry
    return Item(
        Kind.PROMISE,
        url=f"{_case_of(entry)}#promise",
        what=f"The team says that the source is out: {promise.url}",
        since=promise.shown_at,
        due=_due(Kind.PROMISE, promise.shown_at),
        clock="usual",
        **_about(entry),
    )


def organisation_item(organisation: Any) -> Item:
    number = organisation.waiting
    return Item(
        Kind.ORGANISATION,
        title=organisation.name,
        url=reverse("organisation-verify", args=[organisation.slug]),
        what=f"To verify. {number} submission{'' if number == 1 else 's'} of it. {organisation.url}".strip(),
        since=organisation.created_at,
        due=_due(Kind.ORGANISATION, organisation.created_at),
        clock="usual",
        organisations=frozenset({organisation.pk}),
    )


def pin_items() -> Iterator[Item]:
    """A line for each competition; nothing presses."""
    for behind in find_behind():
        yield Item(
            Kind.PINS,
            title=behind.competition,
            url=reverse("competition-pins", args=[behind.competition]),
            what=f"A newer grading or thresholds: {behind.runs} runs of {behind.entries} entries could move.",
        )
