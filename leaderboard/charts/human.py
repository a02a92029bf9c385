"""Scores measured on the human leaderboard: 0 the median, 1 bronze, 2 silver, 3 gold. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from leaderboard.charts.chart import (
    ACCENT,
    SOFT,
    Chart,
    Json,
    Table,
    TableRow,
    figure,
    fixed,
    hover,
    layout,
    marks,
    names_axis,
)

WORST, TOP = -1.0, 4.0
ROW_PX, HEAD_PX, LONGEST_NAME = 22, 100, 22
STEPS = ("median", "bronze", "silver", "gold")
# The shapes that medals have on all pages.
MEDAL_MARKS = {"gold": "circle", "silver": "diamond", "bronze": "triangle-up"}
OTHER_MARK = "circle-open"
MARKS = "A disc is gold, a diamond silver, a triangle bronze, an open circle no medal."


@dataclass(frozen=True)
class Scored:
    """The score of a seed, and the word of what it earned."""

    seed: str
    score: float
    mark: str


@dataclass(frozen=True)
class Against:
    """The scores of an entry on a competition. `cutoffs`: of median, bronze, silver and gold."""

    competition: str
    lower_is_better: bool
    cutoffs: tuple[float, float, float, float]
    scores: tuple[Scored, ...]


def human_scale(score: float, cutoffs: Sequence[float], lower_is_better: bool) -> float:
    """Where a score stands between the cut-offs, from -1 to 4; outside them it goes on as in the nearest step.

    Equal cut-offs count as the better one. Where no step has a length, better is 4 and worse is -1.
    """
    sign = -1.0 if lower_is_better else 1.0
    steps, value = [sign * each for each in cutoffs], sign * score
    above = max((at for at, step in enumerate(steps) if value >= step), default=-1)
    if above == -1:
        return max(WORST, _beyond(value - steps[0], steps))
    if above == len(steps) - 1:
        return min(TOP, above + _beyond(value - steps[-1], steps[::-1]))
    return above + (value - steps[above]) / (steps[above + 1] - steps[above])


def _beyond(distance: float, steps: Sequence[float]) -> float:
    """A distance outside the cut-offs in lengths of the first step that has one."""
    if distance == 0:
        return 0.0
    lengths = (abs(b - a) for a, b in pairwise(steps))
    length = next((each for each in lengths if each), None)
    return distance / length if length else distance * float("inf")


def cutoff_line(name: str, at: float) -> Json:
    """A line down the drawing at a cut-off, in the colour of its medal."""
    color, dash = (ACCENT, "dot") if name == "median" else (f"--{name}-edge", "solid")
    return {
        "type": "line", "xref": "x", "yref": "paper", "x0": at, "x1": at, "y0": 0, "y1": 1,
        "line": {"color": color, "width": 1.5, "dash": dash}, "layer": "below",
    }  # fmt: skip


def against_humans(results: Sequence[Against]) -> Chart:
    """Every score of an entry, its competitions down in their order."""
    names = [each.competition for each in results]
    spots = [
        (down, each, scored, human_scale(scored.score, each.cutoffs, each.lower_is_better))
        for down, each in enumerate(results)
        for scored in each.scores
    ]
    looks = layout(
        HEAD_PX + ROW_PX * len(names),
        _human_axis(),
        {**names_axis(names, LONGEST_NAME), "showgrid": True},
        showlegend=False,
        shapes=[cutoff_line(step, at) for at, step in enumerate(STEPS)],
    )
    return Chart(
        name="humans",
        title="Scores against the human leaderboard",
        note=(
            "One mark for each seed, between the cut-offs of its competition; better to the right, far outside at the "
            f"edge. {MARKS}"
        ),
        table=_score_table(spots),
        figure=figure(_by_medal(spots), looks) if spots else None,
        empty="No run has both a score and cut-offs to hold it against.",
    )


Spot = tuple[int, Against, Scored, float]


def _human_axis() -> Json:
    """From below the median to above gold, a tick for each cut-off."""
    return {
        "tickmode": "array",
        "tickvals": [0, 1, 2, 3],
        "ticktext": [step.capitalize() for step in STEPS],
        "range": [WORST - 0.15, TOP + 0.15],
        "side": "top",
        "tickangle": -90,
        "showgrid": False,
        "zeroline": False,
    }


def _score_table(spots: Sequence[Spot]) -> Table:
    rows = (
        TableRow(
            (
                each.competition,
                scored.seed,
                fixed(scored.score, 5),
                scored.mark.replace("_", " "),
                *(fixed(cutoff, 5) for cutoff in each.cutoffs),
            ),
            f"/competitions/{each.competition}/",
        )
        for _, each, scored, _ in spots
    )
    head = ("Competition", "Seed", "Score", "Earned", *(step.capitalize() for step in STEPS))
    return Table(head, tuple(rows), texts=2)


def _by_medal(spots: Sequence[Spot]) -> list[Json]:
    """A trace for each medal and one for the rest, so that the legend names them."""
    groups = [*((medal, f"--{medal}", shape) for medal, shape in MEDAL_MARKS.items()), ("", SOFT, OTHER_MARK)]
    traces = []
    for medal, color, shape in groups:
        found = [each for each in spots if (each[2].mark if each[2].mark in MEDAL_MARKS else "") == medal]
        if found:
            marker = {"color": color, "symbol": shape, "size": 10 if medal else 8}
            edge = {"color": f"--{medal}-edge" if medal else ACCENT, "width": 1.5}
            traces.append(
                marks(
                    [at for *_, at in found],
                    [down for down, *_ in found],
                    [_say(each) for each in found],
                    name=medal or "no medal",
                    marker={**marker, "line": edge},
                )
            )
    return traces


def _say(spot: Spot) -> str:
    _, each, scored, _ = spot
    return hover(each.competition, f"{scored.seed}: {scored.score:.5f}", scored.mark.replace("_", " "))
