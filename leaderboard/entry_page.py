"""What the page of an entry shows beside its row: runs, decisions, history, and what is not known."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from grading.models import ThresholdsVersion
from grading.splits import Split
from leaderboard.cutoff_chart import Chart, draw_cutoffs
from leaderboard.drawn import Words, draw_once, reader_of
from leaderboard.integrity.candour import candour_said
from leaderboard.integrity.masking_record import MASKED, UNMASKED
from leaderboard.integrity.rulings import say_ruling
from leaderboard.masks import Masked, masks_on
from leaderboard.models import Decision, Entry, EntryResult, EntryRun
from leaderboard.public_evidence import evidence_link, evidence_note
from leaderboard.run_marks import RunMark, mark_of, missing_note
from submissions.life import Happening

Figures = Sequence[tuple[Split, EntryResult | None]]
# Above this the drawings would bury the table, which says the same.
MOST_CHARTS = 8
# Of a question in a line of history; the whole of it stands further up.
LONGEST_QUESTION = 160
PUBLIC_EVENTS = {
    "received": "Bundle received",
    "queued": "Run card and scope confirmed by the team",
    "grading": "Grading begun",
    "graded": "Every run graded",
    "in_review": "Handed to the maintainers",
}
CUTOFF = ("gold", "silver", "bronze", "median", "exact")
_read_cutoffs = reader_of(CUTOFF)


@dataclass(frozen=True)
class CompetitionRuns:
    """One line of the results: a competition, its cut-offs, and a mark for every seed of the entry."""

    id: str
    title: str
    lower_is_better: bool
    thresholds: ThresholdsVersion | None
    marks: tuple[RunMark, ...]

    @property
    def masked_by(self) -> int | None:
        """The decision by which the competition does not count for the entry."""
        return self.marks[0].masked_by

    @property
    def words(self) -> Words:
        """All that is shown of it."""
        cutoffs = self.thresholds and _read_cutoffs(self.thresholds)
        return (self.id, self.title, self.lower_is_better, cutoffs, self.marks)

    @property
    def medals(self) -> int:
        return sum(mark.mark in ("gold", "silver", "bronze") for mark in self.marks)

    @property
    def chart(self) -> Chart | None:
        """Scores against cut-offs; None without either."""
        if self.thresholds is None:
            return None
        cutoffs = {name: getattr(self.thresholds, name) for name in ("median", "bronze", "silver", "gold")}
        scored = [(mark.seed, mark.mark, mark.score) for mark in self.marks if mark.score is not None]
        return draw_cutoffs(cutoffs, scored, self.lower_is_better)


@dataclass(frozen=True)
class SplitRuns:
    split: Split
    competitions: tuple[CompetitionRuns, ...]


@dataclass(frozen=True)
class Results:
    """All runs of an entry: seeds across, competitions down by split."""

    seeds: tuple[str, ...]
    splits: tuple[SplitRuns, ...]

    @property
    def drawn(self) -> SafeString:
        """The table of all runs, with what stands under it."""
        groups = [(group.split.value, [line.words for line in group.competitions]) for group in self.splits]
        return draw_once("leaderboard/_entry_runs.html", (self.seeds, groups), lambda: {"results": self})

    @property
    def charts(self) -> list[CompetitionRuns]:
        """The competitions to draw; none where there are too many."""
        listed = [each for group in self.splits for each in group.competitions]
        return [each for each in listed if each.chart] if len(listed) <= MOST_CHARTS else []

    @property
    def problems(self) -> list[tuple[str, RunMark]]:
        """Every run without a score, with its competition."""
        listed = (
            (each.id, mark) for group in self.splits for each in group.competitions for mark in each.marks
        )
        return [(competition, mark) for competition, mark in listed if mark.score is None]

    @property
    def near_cutoffs(self) -> bool:
        return any(
            mark.near_cutoff for group in self.splits for each in group.competitions for mark in each.marks
        )


# What the table of runs shows.
RUN = (
    "entry_id", "seed", "split", "outcome", "score", "medal", "above_median", "near_cutoff", "missing_reason",
    "message", "masked_by_id", "grading__code", "competition__title", "competition__lower_is_better",
)  # fmt: skip
CUTOFFS = tuple(f"thresholds__{name}" for name in CUTOFF)


def results_of(entry: Entry) -> Results:
    """The runs of an entry, in one query. Imported entries have none."""
    runs = list(entry.runs.select_related("competition", "thresholds", "grading").only(*RUN, *CUTOFFS))
    seeds = tuple(sorted({run.seed for run in runs}))
    groups = (SplitRuns(split, _lines(runs, split)) for split in Split.stored())
    return Results(seeds, tuple(group for group in groups if group.competitions))


def _lines(runs: Iterable[EntryRun], split: Split) -> tuple[CompetitionRuns, ...]:
    by_competition: dict[str, list[EntryRun]] = {}
    for run in runs:
        if run.split == split:
            by_competition.setdefault(run.competition_id, []).append(run)
    return tuple(_line(group) for group in by_competition.values())


def _line(runs: Sequence[EntryRun]) -> CompetitionRuns:
    """The runs of one competition; the model orders them by seed."""
    competition = runs[0].competition
    return CompetitionRuns(
        id=competition.pk,
        title=competition.title,
        lower_is_better=competition.lower_is_better,
        thresholds=next((run.thresholds for run in runs if run.thresholds), None),
        marks=tuple(mark_run(run) for run in runs),
    )


def mark_run(run: EntryRun) -> RunMark:
    """How a run is shown; its grading must be loaded with it."""
    note = missing_note(run.missing_reason) if run.outcome == EntryRun.Outcome.MISSING else run.message
    code = run.grading.code if run.grading else ""
    return RunMark(
        seed=run.seed,
        mark=mark_of(run.outcome, run.medal, run.above_median),
        score=run.score,
        code=code,
        note=note if run.score is None else "",
        near_cutoff=run.near_cutoff,
        masked_by=run.masked_by_id,
    )


def masked_on(entry: Entry, masks: Sequence[Masked], figures: Figures) -> dict[str, dict[str, Any]]:
    """By split with masks how much of it counts."""
    found = {split.value: masks_on(masks, split, Split(entry.scope), result) for split, result in figures}
    return {split: shown for split, shown in found.items() if shown}


def figures_of(entry: Entry) -> list[tuple[Split, EntryResult | None]]:
    """Every split of the benchmark with the entry's figures, None where it was not attempted."""
    stored = set(entry.benchmark.memberships.order_by().values_list("split", flat=True).distinct())
    found = {result.split: result for result in entry.results.all()}
    splits = [split for split in Split if stored & {part.value for part in split.members}]
    return [(split, found.get(split.value)) for split in splits]


# Of decisions what stands in their place. Fetched beside them: a join would look through all decisions for each on
# SQLite, whose statistics say that this column is nearly always empty.
LATER = "superseded_by"


# What a card of a decision shows of it, and of the entry it is about where the page does not say whose it is.
CARD = (
    "kind", "reason", "rule", "evidence_url", "evidence_is_private", "is_self_reported", "details", "effective_at",
    "effective_is_approximate", "recorded_at", "track__title", "decided_by__public_name",
)  # fmt: skip
ABOUT = ("entry__slug", "entry__agent__name", "entry__agent__organisation__name", "entry__benchmark__title")
_read = reader_of((*CARD, *ABOUT))


def list_decisions(found: QuerySet[Decision]) -> QuerySet[Decision]:
    """The same with what `draw_decision` shows of each, and no more."""
    related = ("entry__agent__organisation", "entry__benchmark", "track", "decided_by")
    return found.select_related(*related).prefetch_related(LATER).only(*CARD, *ABOUT)


def draw_decision(decision: Decision) -> SafeString:
    """The card of one of `list_decisions`, with the entry it is about."""
    later = getattr(decision, "superseded_by", None)
    words = (decision.pk, decision.entry_id, later and later.pk, *_read(decision))
    return draw_once(
        "_parts/decision.html",
        words,
        lambda: {"decision": decision_card(decision), "entry": decision.entry},
    )


def decisions_of(entry: Entry) -> list[dict[str, Any]]:
    """The entry's decisions as cards, newest first."""
    found = entry.decisions.select_related("track", "decided_by").prefetch_related(LATER)
    return [decision_card(decision) for decision in found.order_by("-pk")]


def decision_card(decision: Decision) -> dict[str, Any]:
    """A decision as `_parts/decision.html` shows it."""
    later = getattr(decision, "superseded_by", None)
    approximate = " (approximate date)" if decision.effective_is_approximate else ""
    return {
        "decision": decision,
        "number": decision.pk,
        "url": reverse("decision", args=[decision.pk]),
        "action": action_words(decision) + approximate,
        "at": shown_moment(decision),
        "by": decider(decision),
        "reason": decision.reason,
        "rule": decision.rule,
        "evidence_url": evidence_link(decision),
        "evidence_text": evidence_note(decision),
        "candour": candour_said(decision.is_self_reported, decision.details).value,
        "recorded_at": decision.recorded_at if decision.recorded_at != decision.effective_at else None,
        "superseded_by": later.pk if later else None,
        "superseded_url": reverse("decision", args=[later.pk]) if later else "",
    }


def shown_moment(decision: Decision) -> datetime | date:
    """When it took effect; of imported decisions only the day is known."""
    is_imported = decision.kind == Decision.Kind.IMPORT
    return decision.effective_at.date() if is_imported else decision.effective_at


def action_words(decision: Decision) -> str:
    """What was decided, in a few words."""
    words = {
        Decision.Kind.IMPORT: "placed, as imported, on",
        Decision.Kind.PUBLISH: "published on",
        Decision.Kind.MOVE: "moved to",
        Decision.Kind.GRANT: "appeal granted: moved to",
    }
    kind = Decision.Kind(decision.kind)
    if kind == Decision.Kind.VERIFY:
        return say_ruling(decision.details)
    if kind == Decision.Kind.ASK:
        return f"team asked: “{Truncator(decision.details.get('question', '')).chars(LONGEST_QUESTION)}”"
    masks = _mask_words(decision.details)
    if kind in (Decision.Kind.MASK, Decision.Kind.UNMASK) and masks:
        return masks
    said = f"{words[kind]} {decision.track}" if decision.track and kind in words else kind.label
    return f"{said} ({masks})" if masks else said


def _mask_words(details: Mapping[str, Any]) -> str:
    """Which competitions it masks or counts again; empty for most."""
    said = {"masked": details.get(MASKED, ()), "counted again": details.get(UNMASKED, ())}
    return "; ".join(
        f"{word}: {', '.join(competitions)}" for word, competitions in said.items() if competitions
    )


def decider(decision: Decision) -> str:
    """Who decided: the maintainer's public name, or that it was decided before this site."""
    return (
        decision.decided_by.public_name
        if decision.decided_by
        else "the benchmark's maintainers, imported here"
    )


def history_of(entry: Entry, decisions: Sequence[dict[str, Any]]) -> list[Happening]:
    """What happened in public, oldest first. Team members are not named."""
    happened = [*_events(entry), *((card["decision"].effective_at, _decided(card)) for card in decisions)]
    return [what for _, what in sorted(happened, key=lambda pair: pair[0])]


def _decided(card: dict[str, Any]) -> Happening:
    return Happening(card["at"], f"Decision {card['number']}: {card['action']}", card["by"])


def _events(entry: Entry) -> list[tuple[datetime, Happening]]:
    if entry.submission is None:
        return []
    moved = entry.submission.events.filter(kind="status", after__in=PUBLIC_EVENTS)
    return [
        (event.effective_at, Happening(event.effective_at, PUBLIC_EVENTS[event.after])) for event in moved
    ]
