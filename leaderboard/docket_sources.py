"""Where the lines of the docket come from: for each kind the rows that wait, their clock, and what narrows them.

Each source is asked for the few lines that a page shows, never for all that waits.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache, partial
from typing import Any, Final

from django.db.models import Case, CharField, Count, Exists, F, OuterRef, Q, QuerySet, TextField, Value, When
from django.db.models.functions import Cast, Concat

from grading.splits import Split
from leaderboard import docket_items as lines
from leaderboard.docket_items import SEVERITIES, USUAL, Item, Kind
from leaderboard.integrity.appeals import authors_of, open_appeals
from leaderboard.integrity.checks import Severity
from leaderboard.models import Appeal, Claim, Decision, Entry, Finding, Flag, Question, SourcePromise
from submissions.models import Organisation, Submission, Team
from submissions.paging import rows_of

# Decisions by which a maintainer has dealt with a promise that was broken.
SETTLES_PROMISE: Final = (
    Decision.Kind.PUBLISH,
    Decision.Kind.MOVE,
    Decision.Kind.WITHDRAW,
    Decision.Kind.ANNOTATE,
    Decision.Kind.ASK,
)
# Of an appealed decision what it put into other words, and that again; what came before is asked for one by one.
REWORDED: Final = "decision__supersedes__supersedes"
NO_GRACE: Final = timedelta()
# What every line about an entry says of it, or asks: who is tied to it.
ABOUT: Final = (
    "slug", "agent__name", "agent__organisation__name", "benchmark__slug", "submission__public_id",
    "submission__team__organisation",
)  # fmt: skip
# By due and since, in whole seconds and their parts; then what tells equals apart.
Place = tuple[datetime, datetime, int, Any]


@dataclass(frozen=True)
class Source:
    """Rows of one kind. Due is what stands in the column `clock`, and `grace` more.

    `entry`: where a row has the entry it is about, "" if it is one, None if it is about none. `text`: what a line
    says of it. `barred`: where it has the person who may not decide. `columns`: of the row itself, all that its
    line needs; where there are none, all are read.
    """

    kind: Kind
    rows: QuerySet[Any]
    clock: str
    since: str
    grace: timedelta
    text: Any
    to_item: Callable[[Any], Item]
    entry: str | None = ""
    barred: str = ""
    columns: tuple[str, ...] = ()

    def about(self, name: str) -> str:
        """Where a row has this of its entry."""
        return f"{self.entry}__{name}" if self.entry else name

    def first(self, count: int, at: int) -> list[Place]:
        """The places of the most urgent ones. `at`: the number of this source."""
        order = dict.fromkeys((self.clock, self.since))
        found = self.rows.order_by(*order, "pk").values_list(self.clock, self.since, "pk")
        return [(due + self.grace, since, at, key) for due, since, key in found[:count]]

    def items(self, keys: Sequence[Any]) -> list[Item]:
        """The lines of the rows with these keys, in their order."""
        return [self.to_item(row) for row in rows_of(self._shown(), keys)]

    def _shown(self) -> QuerySet[Any]:
        if self.entry is None:
            counted: QuerySet[Any] = self.rows.annotate(waiting=Count("teams__submissions"))
            return counted
        related = ("agent__organisation", "benchmark", "submission__team")
        earlier = (REWORDED,) if self.barred else ()
        found = self.rows.select_related(*map(self.about, related), *earlier)
        return found.only(*self.columns, *map(self.about, ABOUT)) if self.columns else found


def list_sources(now: datetime) -> list[Source]:
    """All kinds but pins, which have no clock."""
    return [*_lasting(), _asked(now)]


@lru_cache(maxsize=1)
def _lasting() -> tuple[Source, ...]:
    """Those that are the same whatever time it is. Making a query out of words takes longer than asking it."""
    return (*_disputes(), _answered(), *_promises(), *_newcomers())


def _disputes() -> list[Source]:
    """Entries to place, and what was said against one or against a decision."""
    return [
        Source(
            Kind.REVIEW,
            Entry.objects.filter(submission__status=Submission.Status.IN_REVIEW),
            *_usual("created_at", Kind.REVIEW),
            _text("Scope ", _words("scope", Split), ", entry ", _number("pk"), _if_asked()),
            lines.review_item,
            columns=("scope", "created_at", "submission__question_open_at"),
        ),
        Source(
            Kind.FLAG,
            Flag.objects.filter(state=Flag.State.OPEN),
            "raised_at",
            "raised_at",
            Flag.PRIVATE_FOR,
            _text(_if_reported(), F("rule"), ": ", F("reason")),
            lines.flag_item,
            "entry",
            columns=("rule", "reason", "is_self_reported", "raised_at"),
        ),
        Source(
            Kind.APPEAL,
            open_appeals(),
            "filed_at",
            "filed_at",
            Appeal.ANSWER_WITHIN,
            _text("Against decision ", _number("decision"), " (", _kind_words(), "): ", F("reason")),
            lines.appeal_item,
            "decision__entry",
            "decision__decided_by",
        ),
    ]


def _answered() -> Source:
    """Questions that a team has answered, and about whose entry nothing was decided since."""
    return Source(
        Kind.QUESTION,
        Question.objects.filter(answered_at__isnull=False).exclude(_later("answered_at")),
        *_usual("answered_at", Kind.QUESTION),
        _text("Answered: ", F("text")),
        lines.answered_item,
        "entry",
        columns=("text", "answered_at"),
    )


def _asked(now: datetime) -> Source:
    """Questions that wait for the team."""
    return Source(
        Kind.QUESTION,
        Question.objects.filter(Q(due_at__gt=now) | ~Q(_later("due_at")), answered_at=None),
        "due_at",
        "asked_at",
        NO_GRACE,
        _text(_if_late(now), ": ", F("text")),
        partial(lines.question_item, now=now),
        "entry",
        columns=("text", "asked_at", "due_at", "answered_at"),
    )


def _promises() -> list[Source]:
    """Broken ones, and links to look at."""
    return [
        Source(
            Kind.PROMISE,
            _broken_promises(),
            *_usual("expired_at", Kind.PROMISE),
            _text("Source promised for ", _number("due_on"), ", and no link came. Demotion is proposed."),
            lines.promise_item,
            "submission__entry",
        ),
        Source(
            Kind.PROMISE,
            _links_to_see(),
            *_usual("shown_at", Kind.PROMISE),
            _text("The team says that the source is out: ", F("url")),
            lines.source_item,
            "submission__entry",
        ),
    ]


def _newcomers() -> list[Source]:
    return [
        Source(
            Kind.ORGANISATION,
            _unverified(),
            *_usual("created_at", Kind.ORGANISATION),
            _text("To verify. submissions of it. ", F("url")),
            lines.organisation_item,
            None,
        ),
    ]


def _usual(column: str, kind: Kind) -> tuple[str, str, timedelta]:
    return column, column, USUAL[kind]


def _later(moment: str) -> Exists:
    """Whether something was decided on the entry after a moment of the row asked about."""
    return Exists(Decision.objects.filter(entry=OuterRef("entry"), recorded_at__gt=OuterRef(moment)))


def _has_entry() -> Exists:
    return Exists(Entry.objects.filter(submission=OuterRef("submission")))


def _broken_promises() -> QuerySet[Any]:
    """Until a maintainer has decided in view of it."""
    settled = Decision.objects.filter(
        entry__submission=OuterRef("submission"),
        recorded_at__gt=OuterRef("expired_at"),
        kind__in=SETTLES_PROMISE,
    )
    expired = SourcePromise.objects.filter(_has_entry(), expired_at__isnull=False, shown_at=None)
    return expired.exclude(Exists(settled))


def _links_to_see() -> QuerySet[Any]:
    """Links that came and that nobody has looked at: no ruling on the claim since."""
    ruled = Claim.objects.filter(
        submission=OuterRef("submission"), code="scaffold", decision__recorded_at__gt=OuterRef("shown_at")
    )
    return SourcePromise.objects.filter(_has_entry(), shown_at__isnull=False).exclude(Exists(ruled))


def _unverified() -> QuerySet[Any]:
    """Organisations that have a team."""
    teams = Team.objects.filter(organisation=OuterRef("pk"))
    return Organisation.objects.filter(Exists(teams), verified_at=None)


# What lines say, as the database says it, so that it can be searched there.


def _text(*parts: Any) -> Concat:
    said = [Value(part) if isinstance(part, str) else part for part in parts]
    return Concat(*said, output_field=TextField())


def _number(column: str) -> Cast:
    return Cast(column, CharField())


def _words(column: str, choices: Iterable[Any]) -> Case:
    return Case(
        *(When(**{column: each.value}, then=Value(each.label)) for each in choices), default=Value("")
    )


def _kind_words() -> Case:
    return _words("decision__kind", Decision.Kind)


def _if(condition: Q, words: str, others: str = "") -> Case:
    return Case(When(condition, then=Value(words)), default=Value(others))


def _if_asked() -> Case:
    return _if(Q(submission__question_open_at__isnull=False), ", the team is asked something")


def _if_reported() -> Case:
    return _if(Q(is_self_reported=True), "Reported by the team itself. ")


def _if_late(now: datetime) -> Case:
    return _if(Q(due_at__lte=now), "No answer in time", "Waits for the team")


# What narrows them.


def of_benchmark(source: Source, slug: str) -> QuerySet[Any]:
    if source.entry is None:
        return source.rows.none()
    return source.rows.filter(**{source.about("benchmark__slug"): slug})


def decidable(source: Source, maintainer: int, tied: Iterable[int]) -> QuerySet[Any]:
    """Those on which no conflict of interest keeps this maintainer from deciding."""
    if source.entry is None:
        return source.rows.exclude(pk__in=tied)
    rows = source.rows.exclude(**{f"{source.about('agent__organisation')}__in": tied})
    handed_in = {f"{source.about('submission__team__organisation')}__in": tied}
    rows = rows.exclude(**handed_in)
    if not source.barred:
        return rows
    return rows.exclude(**{source.barred: maintainer}).exclude(pk__in=_reworded(rows, maintainer))


def _reworded(appeals: QuerySet[Appeal], author: int) -> list[int]:
    """Those against decisions of this maintainer that another has put into other words; there are few."""
    later = appeals.filter(decision__supersedes__isnull=False).select_related(REWORDED)
    return [appeal.pk for appeal in later if author in authors_of(appeal.decision)]


def weighing(source: Source, least: str) -> QuerySet[Any]:
    """Those with an open finding that is at least so grave."""
    if source.entry is None:
        return source.rows.none()
    grave = SEVERITIES[SEVERITIES.index(Severity(least)) :]
    found = Finding.objects.filter(
        state=Finding.State.OPEN, severity__in=grave, submission=OuterRef(source.about("submission"))
    )
    return source.rows.filter(Exists(found))


def holding(source: Source, words: Iterable[str]) -> QuerySet[Any]:
    """Those whose line has every word."""
    rows: QuerySet[Any] = source.rows.annotate(said=_whole_line(source))
    for word in words:
        rows = rows.filter(said__icontains=word)
    return rows


def _whole_line(source: Source) -> Concat:
    if source.entry is None:
        return _text(F("name"), " ", source.text)
    shown = ("agent__name", "agent__organisation__name", "benchmark__slug")
    name, who, benchmark = (F(source.about(each)) for each in shown)
    return _text(name, " ", who, " ", source.text, " ", benchmark)
