"""What has been restated, as pages and API show it. Only of entries that are public."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils.safestring import SafeString

from grading.models import Grading, ThresholdsVersion
from grading.splits import Split
from leaderboard.drawn import draw_once, reader_of
from leaderboard.integrity.masking_record import MASKED, UNMASKED
from leaderboard.models import Decision, Entry, PinMove, Restatement
from leaderboard.public import is_placed
from leaderboard.run_marks import RunMark, mark_of

FIRST = Restatement.Figure.ANY_MEDAL
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class RunChange:
    """One run whose result is another than before."""

    competition: str
    seed: str
    before: RunMark
    after: RunMark


@dataclass(frozen=True)
class Changes:
    """What a decision changes: every figure and run that is another than before, of so many pins moved.

    `masked`, `unmasked`: competitions that are no longer counted, or count again.
    """

    figures: list[Restatement]
    runs: list[RunChange]
    versions: list[str]
    moved: int
    masked: list[str] = field(default_factory=list)
    unmasked: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Restated:
    """One decision that changed published figures, with all that changed by it."""

    decision: Decision
    changes: Changes

    @property
    def headline(self) -> Restatement | None:
        """The figure of the whole scope, else the first that changed."""
        scope, figures = self.decision.entry.scope, self.changes.figures
        fitting = (each for each in figures if each.split == scope and each.figure == FIRST)
        return next(fitting, figures[0] if figures else None)


def restating_decisions(benchmark: str = "", entry: Entry | None = None) -> QuerySet[Decision]:
    """Decisions that changed figures of public entries, newest first; of one benchmark or one entry."""
    found = Decision.objects.filter(is_placed()).exclude(effect="")
    if benchmark:
        found = found.filter(entry__benchmark__slug=benchmark)
    if entry is not None:
        found = found.filter(entry=entry)
    return found.select_related("entry__agent__organisation", "entry__benchmark", "decided_by").order_by(
        "-pk"
    )


# What a list shows of the decision behind a restatement.
CARD = (
    "reason", "details", "effective_at", "decided_by__public_name", "entry__slug", "entry__scope",
    "entry__agent__name", "entry__agent__organisation__name", "entry__benchmark__title",
)  # fmt: skip
FIGURE = ("split", "figure", "before", "after")
VERSIONS = (
    "grading_{0}__graded_with grading_{0}__grader_version grading_{0}__answers__number thresholds_{0}__number"
)
OUTCOMES = "outcome_{0} score_{0} medal_{0} above_median_{0}"
MOVED = (
    "run__competition_id",
    "run__seed",
    *(column.format(side) for side in ("before", "after") for column in f"{OUTCOMES} {VERSIONS}".split()),
)
_read, _read_figure, _read_move = map(reader_of, (CARD, FIGURE, MOVED))


def list_restatements(decisions: QuerySet[Decision]) -> QuerySet[Decision]:
    """Those of `restating_decisions` with what `draw_restated` shows of each, and no more."""
    return with_restatements(decisions).only(*CARD)


def draw_restated(decision: Decision) -> SafeString:
    """One of `list_restatements` with all that it changed, and the entry it is about."""
    words = (
        decision.pk,
        decision.entry_id,
        *_read(decision),
        tuple(map(_read_figure, decision.restatements.all())),
        tuple(map(_read_move, decision.pin_moves.all())),
    )
    return draw_once(
        "leaderboard/_restated.html", words, lambda: {"restated": restated_by(decision), "show_entry": True}
    )


def with_restatements(decisions: QuerySet[Decision]) -> QuerySet[Decision]:
    """The same with all that they changed, in a number of queries that does not grow."""
    moves = PinMove.objects.select_related(
        "run",
        "grading_before__answers",
        "grading_after__answers",
        "thresholds_before",
        "thresholds_after",
    ).only("decision", *MOVED)
    return decisions.prefetch_related(Prefetch("pin_moves", queryset=moves), "restatements")


def restated_by(decision: Decision) -> Restated:
    """What a decision changed; makes no query for one of `with_restatements`."""
    moves, restatements = decision.pin_moves.all(), decision.restatements.all()
    return Restated(decision, changes_of(moves, restatements, decision.details))


def changes_of(
    moves: Iterable[PinMove], restatements: Iterable[Restatement], details: Mapping[str, Any] = NOTHING
) -> Changes:
    """What was changed, or, of rows that are not saved, what would be. `details`: of the decision."""
    moves = list(moves)
    return Changes(
        figures=sorted(restatements, key=_place),
        runs=[_run_change(move) for move in moves if move.changes_result],
        versions=version_changes(moves),
        moved=len(moves),
        masked=list(details.get(MASKED, ())),
        unmasked=list(details.get(UNMASKED, ())),
    )


def _run_change(move: PinMove) -> RunChange:
    run = move.run
    before = mark_of(move.outcome_before, move.medal_before, move.above_median_before)
    after = mark_of(move.outcome_after, move.medal_after, move.above_median_after)
    return RunChange(
        competition=run.competition_id,
        seed=run.seed,
        before=RunMark(run.seed, before, move.score_before),
        after=RunMark(run.seed, after, move.score_after),
    )


def _place(restatement: Restatement) -> tuple[int, int]:
    """Figures in the order of the entry's page."""
    splits, figures = list(Split), list(Restatement.Figure)
    return splits.index(Split(restatement.split)), figures.index(Restatement.Figure(restatement.figure))


def version_changes(moves: Iterable[PinMove]) -> list[str]:
    """What the moved pins stand on now, in words: "answers 1 → 2 (on 3 competitions)"."""
    competitions: dict[str, set[str]] = defaultdict(set)
    for move in moves:
        for change in _changes(move):
            competitions[change].add(move.run.competition_id)
    return [f"{change} ({_where(on)})" for change, on in competitions.items()]


def _changes(move: PinMove) -> list[str]:
    changed = [f"{what} {before} → {after}" for what, before, after in _versions(move) if before != after]
    return changed or ["graded again with the same versions"]


def _where(competitions: Collection[str]) -> str:
    """One or two by name, more by number."""
    few = len(competitions) <= 2
    return " and ".join(sorted(competitions)) if few else f"on {len(competitions)} competitions"


def _versions(move: PinMove) -> list[tuple[str, str, str]]:
    """Grader, answers and thresholds, each with the version a run stood on and the one it stands on."""
    return [
        ("grader", _grader(move.grading_before), _grader(move.grading_after)),
        ("answers", _answers(move.grading_before), _answers(move.grading_after)),
        ("thresholds", _thresholds(move.thresholds_before), _thresholds(move.thresholds_after)),
    ]


def _grader(grading: Grading) -> str:
    return grading.graded_with or grading.grader_version


def _answers(grading: Grading) -> str:
    return str(grading.answers.number) if grading.answers else "none"


def _thresholds(version: ThresholdsVersion | None) -> str:
    return str(version.number) if version else "none"
