"""Scores over time within a run, from the checkpoints of bundles: hours against medals, and score by hours. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from leaderboard.charts.chart import (
    MOST_ROWS,
    SERIES,
    Chart,
    Json,
    Table,
    TableRow,
    figure,
    fixed,
    hover,
    layout,
    line,
    marks,
    plain,
    say_cut,
    shown_text,
)
from leaderboard.charts.human import STEPS, TOP, WORST, human_scale
from leaderboard.charts.over_time import PERCENT

HOURS = {"title": "hours", "rangemode": "tozero"}
NONE_THERE = "No entry here handed in checkpoints that are graded."


@dataclass(frozen=True)
class Tried:
    """One CSV of a run: a checkpoint, or the run itself at its end. `mark`: a medal, or how it ended.

    `hours`: None for the end of a run whose hours are undisclosed. `cutoffs`: of median, bronze, silver and gold.
    """

    seed: str
    competition: str
    hours: float | None
    score: float | None
    mark: str
    is_medal: bool
    cutoffs: tuple[float, float, float, float] | None = None
    lower_is_better: bool = False
    is_end: bool = False


@dataclass(frozen=True)
class Course:
    """An entry with all it tried, of the runs that have checkpoints. `waiting`: checkpoints not graded yet."""

    name: str
    url: str
    tried: tuple[Tried, ...]
    waiting: int = 0


def charts_over_time(course: Course) -> list[Chart]:
    """Both of one entry; none where it handed in no checkpoints."""
    if not course.tried and not course.waiting:
        return []
    return [medals_by_hours([course]), score_by_hours(course)]


def rates_by_hours(tried: Iterable[Tried]) -> list[tuple[float, float]]:
    """At each time somebody handed in: percent of the runs whose newest CSV by then has a medal.

    Nothing handed in yet is no medal, so that all points have the same runs below them.
    """
    by_run: dict[tuple[str, str], list[tuple[float, bool]]] = defaultdict(list)
    for each in tried:
        if each.hours is not None:
            by_run[each.competition, each.seed].append((each.hours, each.is_medal))
    times = sorted({hours for run in by_run.values() for hours, _ in run})
    return [(at, 100 * sum(_has_medal(run, at) for run in by_run.values()) / len(by_run)) for at in times]


def _has_medal(run: Iterable[tuple[float, bool]], at: float) -> bool:
    """Of the newest by then; of two at one time the medal counts."""
    return max(((hours, is_medal) for hours, is_medal in run if hours <= at), default=(0.0, False))[1]


def medals_by_hours(courses: Sequence[Course]) -> Chart:
    """Hours against the rate of medals, a line for each entry with checkpoints."""
    drawn = [(course, rates_by_hours(course.tried)) for course in courses]
    drawn = [(course, rates) for course, rates in drawn if rates]
    traces = [
        _rates(course, rates, *SERIES[at % len(SERIES)])
        for at, (course, rates) in enumerate(drawn[:MOST_ROWS])
    ]
    rows = [
        TableRow((course.name, plain(at), str(_runs(course.tried)), fixed(rate)), course.url)
        for course, rates in drawn[:MOST_ROWS]
        for at, rate in rates
    ]
    return Chart(
        name="time-scaling",
        title="Medals by hours",
        note=(
            "Share of runs whose newest CSV by that hour has a medal, over the competitions and seeds for which "
            "checkpoints were handed in; the last point may be the run itself. Never ranked."
        ),
        table=Table(("Agent", "Hours", "Runs", "With a medal %"), tuple(rows)),
        figure=figure(traces, layout(380, HOURS, PERCENT)) if traces else None,
        empty=NONE_THERE,
        gaps=(*say_cut(len(drawn)), *_waiting(courses)),
    )


def _rates(course: Course, rates: Sequence[tuple[float, float]], color: str, shape: str) -> Json:
    return {
        **marks(
            [at for at, _ in rates],
            [rate for _, rate in rates],
            [hover(course.name, f"{at:g} h: {rate:.2f} %") for at, rate in rates],
            name=shown_text(course.name),
            marker={"color": color, "symbol": shape, "size": 9},
        ),
        "mode": "lines+markers",
        "line": {"color": color, "width": 2, "shape": "hv"},
    }


def _runs(tried: Iterable[Tried]) -> int:
    return len({(each.competition, each.seed) for each in tried})


def _waiting(courses: Iterable[Course]) -> tuple[str, ...]:
    waiting = sum(course.waiting for course in courses)
    return (f"{waiting} more checkpoints wait to be graded.",) if waiting else ()


def score_by_hours(course: Course) -> Chart:
    """Every checkpoint of an entry and the end of its run, a line for each run, on the scale of its competition."""
    drawn = {run: found for run, found in _by_run(course.tried).items() if found}
    traces = list(_score_lines(drawn))
    steps = {"tickmode": "array", "tickvals": [0, 1, 2, 3], "ticktext": [step.capitalize() for step in STEPS]}
    return Chart(
        name="score-by-hours",
        title="Score by hours",
        note="Checkpoints and the run itself, between the cut-offs of the competition; far outside at the edge.",
        table=Table(
            ("Competition", "Seed", "Hours", "Score", "Earned"),
            tuple(_score_row(each) for each in sorted(course.tried, key=_order)),
            texts=2,
        ),
        figure=figure(
            traces, layout(420, HOURS, {**steps, "range": [WORST - 0.15, TOP + 0.15]}, showlegend=False)
        )
        if traces
        else None,
        empty=NONE_THERE,
        gaps=_waiting([course]),
    )


def _by_run(tried: Iterable[Tried]) -> Mapping[tuple[str, str], list[tuple[float, float, Tried]]]:
    """Of each run the points that can be drawn: hours, height, and what it was."""
    found: dict[tuple[str, str], list[tuple[float, float, Tried]]] = defaultdict(list)
    for each in sorted(tried, key=_order):
        if each.hours is not None and each.score is not None and each.cutoffs is not None:
            height = human_scale(each.score, each.cutoffs, each.lower_is_better)
            found[each.competition, each.seed].append((each.hours, height, each))
    return found


def _order(each: Tried) -> tuple[str, str, bool, float]:
    return each.competition, each.seed, each.is_end, each.hours or 0.0


def _score_lines(drawn: Mapping[tuple[str, str], Sequence[tuple[float, float, Tried]]]) -> Iterator[Json]:
    competitions = list(dict.fromkeys(competition for competition, _ in drawn))
    for (competition, seed), points in list(drawn.items())[:MOST_ROWS]:
        color, shape = SERIES[competitions.index(competition) % len(SERIES)]
        hours, heights = [at for at, *_ in points], [height for _, height, _ in points]
        yield line(hours, heights, color, line={"width": 1})
        says = [
            hover(competition, f"{seed}, {at:g} h: {each.score:.5f}", each.mark.replace("_", " "))
            for at, _, each in points
        ]
        yield marks(hours, heights, says, marker={"color": color, "symbol": shape, "size": 8})


def _score_row(each: Tried) -> TableRow:
    hours = f"{plain(each.hours)} (end)" if each.is_end else plain(each.hours)
    cells = (each.competition, each.seed, hours, fixed(each.score, 5), each.mark.replace("_", " "))
    return TableRow(cells, f"/competitions/{each.competition}/")
