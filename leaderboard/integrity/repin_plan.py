"""What moving the pins of entries would change: each run that would stand on another grading or other thresholds.

Reading only. `repin.py` makes the decision that moves exactly what a plan says.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Q

from grading.models import Grading, ThresholdsVersion
from grading.splits import Split
from leaderboard.integrity.effects import MOVED, digest_effect
from leaderboard.models import Entry, EntryResult, EntryRun, PinMove, Restatement
from leaderboard.results import build_results, newest_thresholds, pinned_columns

State, Outcome = Grading.State, Grading.Outcome
# Below this two percentages are the same number, computed in another order.
TOLERANCE = 1e-9
# A CSV by the key of its blob, and the competition it is for.
File = tuple[int, str]
COUNTED = ("entry", "seed", "competition", "split", "outcome", "medal", "above_median", "masked_by")


@dataclass(frozen=True)
class Target:
    """Which pins are to move and where to: all competitions and the newest there is, where nothing else is said."""

    competition: str | None = None
    answers: int | None = None
    thresholds: int | None = None


@dataclass(frozen=True)
class Move:
    """A run as it stands and as it would stand. The second is not saved."""

    before: EntryRun
    after: EntryRun

    def to_row(self) -> PinMove:
        sides = {"before": self.before, "after": self.after}
        names = ("grading", "thresholds", *MOVED)
        columns = {f"{name}_{when}": getattr(run, name) for name in names for when, run in sides.items()}
        return PinMove(run=self.before, **columns)


@dataclass(frozen=True)
class Plan:
    """What moving the pins of an entry would change. `waiting`: gradings of these runs that are not done yet."""

    entry: Entry
    moves: tuple[Move, ...]
    results: tuple[EntryResult, ...]
    restatements: tuple[Restatement, ...]
    waiting: int

    @cached_property
    def effect(self) -> str:
        """The digest by which a decision and its preview are known to mean the same."""
        return digest_effect(self.to_rows(), self.restatements)

    def to_rows(self) -> list[PinMove]:
        """The moves as a decision records them, without their decision."""
        return [move.to_row() for move in self.moves]


def plan_repin(entry: Entry, target: Target) -> Plan:
    """What would move for one entry."""
    return plan_repins([entry], target)[entry.pk]


def plan_repins(entries: Sequence[Entry], target: Target) -> dict[int, Plan]:
    """By entry what would move, in a number of queries that does not grow."""
    movable = _movable_runs(entries, target)
    gradings, waiting = _gradings(entries, target)
    thresholds = _thresholds(movable, target)
    after = {run.pk: _move_run(run, gradings[_file(run)], thresholds, target) for run in movable}
    moving = {run.entry_id for run in movable if after[run.pk] is not run}
    runs: dict[int, list[EntryRun]] = defaultdict(list)
    for run in (*movable, *_other_runs(moving, target)):
        runs[run.entry_id].append(run)
    before = _results(moving)
    return {entry.pk: _plan(entry, runs[entry.pk], after, before[entry.pk], waiting) for entry in entries}


def _file(run: EntryRun) -> File:
    """What gradings of a run share: its CSV and the competition."""
    assert run.grading is not None
    return run.grading.blob_id, run.competition_id


def _movable_runs(entries: Iterable[Entry], target: Target) -> list[EntryRun]:
    """The runs that could move, with all they stand on."""
    runs = EntryRun.objects.filter(_may_move(target), entry__in=[entry.pk for entry in entries])
    # Shared by many runs, so loaded once each and not beside every run.
    shared = runs.prefetch_related("competition", "thresholds")
    return list(shared.select_related("grading__answers").order_by("pk"))


def _other_runs(entries: Iterable[int], target: Target) -> list[EntryRun]:
    """The runs of these entries that stay where they are, with no more than figures need."""
    runs = EntryRun.objects.filter(entry__in=list(entries)).exclude(_may_move(target))
    return list(runs.only(*COUNTED).order_by("pk"))


def _may_move(target: Target) -> Q:
    has_pins = Q(grading__isnull=False)
    return has_pins if target.competition is None else has_pins & Q(competition=target.competition)


def _gradings(
    entries: Iterable[Entry], target: Target
) -> tuple[Mapping[File, list[Grading]], Mapping[File, int]]:
    """The gradings that runs of the entries could stand on, and how many are still to come, by file."""
    blobs = EntryRun.objects.filter(entry__in=[entry.pk for entry in entries]).values("grading__blob")
    found = Grading.objects.filter(blob__in=blobs).select_related("answers").order_by("pk")
    if target.competition is not None:
        found = found.filter(competition=target.competition)
    done: dict[File, list[Grading]] = defaultdict(list)
    waiting: dict[File, int] = defaultdict(int)
    for grading in found:
        file = (grading.blob_id, grading.competition_id)
        if grading.state != State.DONE:
            waiting[file] += 1
        elif grading.outcome != Outcome.GRADER_ERROR:  # A fault of ours is nothing to move to.
            done[file].append(grading)
    return done, waiting


def _thresholds(runs: Iterable[EntryRun], target: Target) -> Mapping[str, ThresholdsVersion]:
    if target.thresholds is None:
        return newest_thresholds({run.competition_id for run in runs})
    chosen = ThresholdsVersion.objects.filter(competition=target.competition, number=target.thresholds)
    return {version.competition_id: version for version in chosen}


def _move_run(
    run: EntryRun, gradings: Sequence[Grading], thresholds: Mapping[str, ThresholdsVersion], target: Target
) -> EntryRun:
    """The run as it would stand; the same object where it would not move."""
    assert run.grading is not None
    grading = _choose(run.grading, gradings, target) or run.grading
    cutoffs = thresholds.get(run.competition_id) or run.thresholds
    if grading == run.grading and cutoffs == run.thresholds:
        return run
    after = copy(run)
    for name, value in pinned_columns(grading, cutoffs, run.competition).items():
        setattr(after, name, value)
    return after


def _choose(pinned: Grading, gradings: Iterable[Grading], target: Target) -> Grading | None:
    """The newest grading with the answers asked for, else with the newest answers; None where there is none.

    A machine's bad day with the same answers is nothing to move to, and a verdict on the file counts over it.
    """
    fitting = [
        each
        for each in gradings
        if target.answers in (None, _answers(each))
        and (each == pinned or not each.may_differ or _answers(each) != _answers(pinned))
    ]
    return max(
        fitting, key=lambda grading: (_answers(grading), not grading.may_differ, grading.pk), default=None
    )


def _answers(grading: Grading) -> int:
    return grading.answers.number if grading.answers else 0


def _results(entries: Iterable[int]) -> Mapping[int, dict[str, EntryResult]]:
    found: dict[int, dict[str, EntryResult]] = defaultdict(dict)
    for result in EntryResult.objects.filter(entry__in=list(entries)):
        found[result.entry_id][result.split] = result
    return found


def _plan(
    entry: Entry,
    runs: Sequence[EntryRun],
    after: Mapping[int, EntryRun],
    before: Mapping[str, EntryResult],
    waiting: Mapping[File, int],
) -> Plan:
    moves = tuple(Move(run, after[run.pk]) for run in runs if after.get(run.pk, run) is not run)
    masked = {run.competition_id for run in runs if run.masked_by_id is not None}
    results = build_results(entry, [after.get(run.pk, run) for run in runs], masked) if moves else []
    files = {_file(run) for run in runs if run.pk in after}
    return Plan(
        entry=entry,
        moves=moves,
        results=tuple(results),
        restatements=tuple(restate(before, results)) if moves else (),
        waiting=sum(waiting.get(file, 0) for file in files),
    )


def restate(before: Mapping[str, EntryResult], after: Iterable[EntryResult]) -> Iterator[Restatement]:
    """Every figure that is another number than before, unsaved. `before`: by split; a split may come or go."""
    new = {result.split: result for result in after}
    for split in (split.value for split in Split if split.value in before or split.value in new):
        for figure in Restatement.Figure:
            old, now = (getattr(of.get(split), figure.value, None) for of in (before, new))
            if not _is_same(old, now):
                yield Restatement(split=split, figure=figure.value, before=old, after=now)


def _is_same(old: float | None, new: float | None) -> bool:
    if old is None or new is None:
        return old is new
    return math.isclose(old, new, rel_tol=0, abs_tol=TOLERANCE)
