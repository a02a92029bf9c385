"""The charts of one entry: its seeds, pass@k, and its categories of competition. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from leaderboard.charts.chart import (
    ACCENT,
    SOFT,
    Chart,
    Table,
    TableRow,
    figure,
    fixed,
    hover,
    layout,
    line,
    marks,
    names_axis,
    plain,
)
from leaderboard.charts.over_time import PERCENT

ROW_PX = 28
MOST_TICKS = 12


def seeds_strip(per_seed: Mapping[str, float], mean: float, sem: float | None, split: str) -> Chart:
    """Any Medal of every seed on one line each, with the mean and one SEM around it."""
    seeds = sorted(per_seed)
    band = {
        "type": "rect",
        "xref": "x",
        "yref": "paper",
        "x0": max(0.0, mean - (sem or 0)),
        "x1": min(100.0, mean + (sem or 0)),
        "y0": 0,
        "y1": 1,
        "fillcolor": "--accent-soft",
        "line": {"width": 0},
        "layer": "below",
    }
    middle = {**band, "type": "line", "x0": mean, "x1": mean, "line": {"color": ACCENT, "width": 2}}
    look = layout(
        90 + ROW_PX * len(seeds), PERCENT, {**names_axis(seeds), "showgrid": True}, shapes=[band, middle]
    )
    says = [hover(seed, f"{per_seed[seed]:.2f} %") for seed in seeds]
    spots = marks(
        [per_seed[seed] for seed in seeds],
        list(range(len(seeds))),
        says,
        marker={"color": ACCENT, "size": 11},
        showlegend=False,
    )
    around = "" if sem is None else ", the band one standard error around it"
    return Chart(
        name="seeds",
        title="Seed by seed",
        note=f"Any Medal, {split}. The line is the mean{around}.",
        table=Table(
            ("Seed", "Any Medal %"), tuple(TableRow((seed, fixed(per_seed[seed]))) for seed in seeds)
        ),
        figure=figure([spots], look) if seeds else None,
        empty="The single seeds are not known here.",
    )


def pass_at_k(percents: Sequence[float]) -> Chart:
    """The chance of a medal in at least one of k seeds; one seed makes no curve."""
    ks = list(range(1, len(percents) + 1))
    says = [hover(f"pass@{k}", f"{value:.2f} %") for k, value in zip(ks, percents, strict=True)]
    curve = marks(ks, percents, says, marker={"color": ACCENT, "size": 9}, showlegend=False)
    look = layout(320, {"title": "seeds (k)", "dtick": -(-len(ks) // MOST_TICKS), "tick0": 1}, PERCENT)
    return Chart(
        name="pass-at-k",
        title="pass@k",
        note="Share of competitions with a medal in at least one of k seeds; the first is Any Medal.",
        table=Table(
            ("k", "pass@k %"),
            tuple(TableRow((str(k), fixed(value))) for k, value in zip(ks, percents, strict=True)),
        ),
        figure=figure([line(ks, percents, ACCENT, showlegend=False), curve], look) if len(ks) > 1 else None,
        empty="It takes two seeds to draw a curve.",
    )


def by_category(parts: Mapping[str, Mapping[str, Any]]) -> Chart:
    """Any Medal by category of competition, the largest first. `parts`: of each its mean, SEM and competitions."""
    names = sorted(parts, key=lambda name: (-parts[name]["competitions"], -parts[name]["mean"], name))
    sems = [parts[name]["sem"] or 0 for name in names]
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [parts[name]["mean"] for name in names],
        "y": list(range(len(names))),
        "marker": {"color": ACCENT},
        "error_x": {"type": "data", "array": sems, "color": SOFT, "thickness": 1.5, "width": 4},
        "hovertext": [hover(_labelled(name, parts), f"{parts[name]['mean']:.2f} %") for name in names],
        "hoverinfo": "text",
        "showlegend": False,
    }
    look = layout(
        70 + ROW_PX * len(names),
        PERCENT,
        names_axis([_labelled(name, parts) for name in names]),
        bargap=0.35,
    )
    return Chart(
        name="categories",
        title="By category of competition",
        note="Any Medal; the whisker is one standard error over seeds. In brackets the number of competitions.",
        table=_category_table(names, parts),
        figure=figure([bars], look) if len(names) > 1 else None,
        empty="All its competitions are of one category.",
    )


def _category_table(names: Sequence[str], parts: Mapping[str, Mapping[str, Any]]) -> Table:
    rows = (
        TableRow(
            (
                name,
                plain(parts[name]["competitions"]),
                fixed(parts[name]["mean"]),
                fixed(parts[name]["sem"], absent="n = 1"),
            )
        )
        for name in names
    )
    return Table(("Category", "Competitions", "Any Medal %", "SEM"), tuple(rows))


def _labelled(name: str, parts: Mapping[str, Mapping[str, Any]]) -> str:
    return f"{name} ({parts[name]['competitions']})"
