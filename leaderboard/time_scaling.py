"""What entries had scored at each checkpoint, for the charts over time. Checkpoints are never ranked."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from grading.medals import NOTHING, Direction, Medal, award_medal
from grading.models import Grading
from leaderboard.charts.chart import tell_apart
from leaderboard.charts.time_scaling import Course, Tried
from leaderboard.models import Entry, EntryRun
from leaderboard.run_marks import mark_of
from leaderboard.shown import Row
from submissions.models import Run

# Entry, seed and competition.
Place = tuple[int, str, str]


def course_of(entry: Entry) -> Course:
    """That of one entry; empty where it has no checkpoints."""
    return courses_of({entry.pk: (entry.agent.name, f"/entries/{entry.slug}/")}, frozenset())[0]


def courses_on(rows: Sequence[Row], competitions: Collection[str]) -> list[Course]:
    """Those of the entries of a board that have checkpoints on these competitions. Two queries."""
    names = tell_apart([(row["agent"], row["entry"]) for row in rows])
    wanted = {row["entry"]: (name, row["url"]) for name, row in zip(names, rows, strict=True)}
    return [
        course for course in courses_of(wanted, frozenset(competitions)) if course.tried or course.waiting
    ]


def courses_of(wanted: Mapping[int, tuple[str, str]], competitions: frozenset[str]) -> list[Course]:
    """By entry its name and address. `competitions`: those that count, all if empty; masked ones never do."""
    checkpoints = _checkpoints(wanted, competitions)
    pins = _pins(checkpoints)
    return [
        _course(*about, checkpoints[entry], pins) if entry in checkpoints else Course(*about, ())
        for entry, about in wanted.items()
    ]


def _checkpoints(wanted: Collection[int], competitions: frozenset[str]) -> dict[int, list[Run]]:
    """By entry the checkpoints that were asked to be graded."""
    asked = Run.objects.filter(submission__entry__in=list(wanted), grading__isnull=False)
    runs = asked.exclude(checkpoint_hours=None).select_related("grading", "submission__entry")
    found: dict[int, list[Run]] = defaultdict(list)
    for run in runs.order_by("pk"):
        if not competitions or run.competition_id in competitions:
            found[run.submission.entry.pk].append(run)
    return dict(found)


def _pins(entries: Collection[int]) -> dict[Place, EntryRun]:
    """The counted runs of these entries."""
    if not entries:
        return {}
    runs = EntryRun.objects.filter(entry__in=list(entries), masked_by=None)
    found = runs.select_related("entry", "competition", "thresholds").order_by()
    return {(run.entry_id, run.seed, run.competition_id): run for run in found}


def _course(name: str, url: str, checkpoints: Sequence[Run], pins: Mapping[Place, EntryRun]) -> Course:
    counted = [(run, pin) for run in checkpoints if (pin := pins.get(_place(run)))]
    done = [(run, pin) for run, pin in counted if run.grading and run.grading.state == Grading.State.DONE]
    ends = {pin.pk: pin for _, pin in done}
    tried = [_tried(run, pin) for run, pin in done] + [_end(pin) for pin in ends.values()]
    return Course(name, url, tuple(tried), len(counted) - len(done))


def _place(run: Run) -> Place:
    return run.submission.entry.pk, run.seed, run.competition_id


def _tried(run: Run, pin: EntryRun) -> Tried:
    """A checkpoint, by the cut-offs that the run itself stands on."""
    grading = run.grading
    assert grading is not None
    direction = Direction.LOWER if pin.competition.lower_is_better else Direction.HIGHER
    earned = award_medal(grading.score, pin.thresholds.cutoffs, direction) if pin.thresholds else NOTHING
    return Tried(
        run.seed,
        run.competition_id,
        run.checkpoint_hours,
        grading.score,
        mark_of(grading.outcome, earned.medal, earned.above_median),
        earned.medal != Medal.NONE,
        **_scale(pin),
    )


def _end(pin: EntryRun) -> Tried:
    """The run itself, at the hours its entry gives."""
    return Tried(
        pin.seed,
        pin.competition_id,
        pin.entry.hours,
        pin.score,
        mark_of(pin.outcome, pin.medal, pin.above_median),
        pin.medal != Medal.NONE,
        is_end=True,
        **_scale(pin),
    )


def _scale(pin: EntryRun) -> dict[str, Any]:
    cutoffs = pin.thresholds and (
        pin.thresholds.median, pin.thresholds.bronze, pin.thresholds.silver, pin.thresholds.gold,
    )  # fmt: skip
    return {"cutoffs": cutoffs, "lower_is_better": pin.competition.lower_is_better}
