"""Score against what it took: dollars, GPU-hours, hours. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from leaderboard.charts.chart import (
    ACCENT,
    AMBER,
    MOST_ROWS,
    SOFT,
    Chart,
    Json,
    Table,
    TableRow,
    figure,
    fixed,
    layout,
    line,
    marks,
    plain,
    say_cut,
)
from leaderboard.charts.over_time import PERCENT
from leaderboard.charts.whisker import WHISKERS, Point, Row, llms_text, points_of, say, symbols, whiskers

MOST_NAMES = 12
MOST_TICKS = 8


@dataclass(frozen=True)
class Price:
    """What a row paid, by some measure; `of` answers None where it is undisclosed, which is never nought."""

    name: str
    title: str
    note: str
    unit: str
    of: Callable[[Row], float | None]
    # Whether few values are usual, each of which then has its tick.
    is_stepped: bool = True

    @property
    def what(self) -> str:
        return self.title.removeprefix("Score against ")


def gpu_hours(row: Row) -> float | None:
    """Of one run, as allowed. No GPU makes 0, an undisclosed number of them nothing."""
    if row["gpus"] is None or (row["gpus"] and row["hours"] is None):
        return None
    return float(row["gpus"] * (row["hours"] or 0))


COST = Price(
    "cost",
    "Score against cost",
    "US dollars for all runs of the entry, as stated.",
    "USD",
    lambda row: row["cost_usd"],
    is_stepped=False,
)
GPU_HOURS = Price(
    "gpu-hours",
    "Score against GPU-hours",
    "GPUs times hours allowed for one run, whatever the GPU.",
    "GPU-hours",
    gpu_hours,
)
HOURS = Price(
    "hours",
    "Score against hours",
    "Hours allowed for one run. A line joins entries of one agent with the same llms and other hours.",
    "hours",
    lambda row: row["hours"],
)


def trade_off(price: Price, rows: Sequence[Row]) -> Chart:
    """The rows of a board against a price, with the frontier: ranked entries that no cheaper one of these reaches."""
    everybody = points_of(rows)
    points = everybody[:MOST_ROWS]
    known = [(p, cost) for p in points if (cost := price.of(p.row)) is not None]
    best = frontier([(p, cost) for p, cost in known if not p.row["warning"]])
    names = {id(p) for p, _ in best}
    joined = _joined(known) if price is HOURS else [_frontier_line(best)]
    looks = layout(420, {"title": price.unit, "rangemode": "tozero", **_ticks(price, known)}, PERCENT)
    return Chart(
        name=price.name,
        title=price.title,
        note=f"{price.note} {'' if price is HOURS else FRONTIER}{WHISKERS}",
        table=Table(
            ("Agent", "LLMs", price.unit, "Any Medal %", "On the frontier"),
            tuple(
                TableRow(
                    (
                        p.row["agent"],
                        ", ".join(p.row["llms"]) or "—",
                        plain(price.of(p.row)),
                        fixed(p.mean),
                        "yes" if id(p) in names else "no",
                    ),
                    p.row["url"],
                )
                for p in points
            ),
            texts=2,
        ),
        figure=figure([*joined, *_points(known, price.unit)], looks) if known else None,
        empty=f"No entry here states its {price.what} yet, so there is nothing to draw."
        if points
        else "No entry has a figure on this split yet.",
        gaps=(*_gaps([p for p in points if price.of(p.row) is None], price.what), *say_cut(len(everybody)))
        if known
        else (),
    )


FRONTIER = "The line is the frontier: no ranked entry that took less beats one on it. "


def _ticks(price: Price, known: Sequence[tuple[Point, float]]) -> Json:
    steps = sorted({cost for _, cost in known})
    few = price.is_stepped and len(steps) <= MOST_TICKS
    return {"tickmode": "array", "tickvals": [0, *steps]} if few else {}


def frontier(known: Sequence[tuple[Point, float]]) -> list[tuple[Point, float]]:
    """Those that are better than everything as cheap or cheaper, from the cheapest on."""
    found: list[tuple[Point, float]] = []
    for point, cost in sorted(known, key=lambda pair: (pair[1], -pair[0].mean)):
        if not found or point.mean > found[-1][0].mean:
            found.append((point, cost))
    return found


def _frontier_line(best: Sequence[tuple[Point, float]]) -> Json:
    return line(
        [cost for _, cost in best], [p.mean for p, _ in best], ACCENT, line={"shape": "hv"}, showlegend=False
    )


def _joined(known: Sequence[tuple[Point, float]]) -> list[Json]:
    """A line through the entries of one agent with the same llms, where their hours differ."""
    groups: dict[tuple[str, ...], list[tuple[float, float]]] = {}
    for p, cost in known:
        groups.setdefault((p.row["agent_slug"], *sorted(p.row["llms"])), []).append((cost, p.mean))
    return [
        line([x for x, _ in each], [y for _, y in each], ACCENT, showlegend=False)
        for each in (sorted(group) for group in groups.values())
        if len({x for x, _ in each}) > 1
    ]


def _points(known: Sequence[tuple[Point, float]], unit: str) -> list[Json]:
    """Ranked and warned entries apart, since they are other things."""
    looks = ((False, "ranked", ACCENT, "circle"), (True, "under a warning", AMBER, "x"))
    return [
        marks(
            [cost for _, cost in group],
            [p.mean for p, _ in group],
            [say(p, f"{plain(cost)} {unit}") for p, cost in group],
            name=name,
            showlegend=len({bool(p.row["warning"]) for p, _ in known}) > 1,
            marker={"color": color, "symbol": symbols([p for p, _ in group], shape), "size": 9},
            error_y=whiskers([p for p, _ in group], SOFT),
        )
        for is_warned, name, color, shape in looks
        if (group := [pair for pair in known if bool(pair[0].row["warning"]) == is_warned])
    ]


def _gaps(unknown: Sequence[Point], what: str) -> tuple[str, ...]:
    """Who is not drawn, by name; an unknown price is no price of nought."""
    if not unknown:
        return ()
    names = "; ".join(f"{p.row['agent']} ({llms_text(p.row)})" for p in unknown[:MOST_NAMES])
    rest = f" and {len(unknown) - MOST_NAMES} more" if len(unknown) > MOST_NAMES else ""
    return (f"Not drawn, since they do not state their {what}: {names}{rest}.",)
