"""Published effects beside those of a board, as bars and as curves. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

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
    line,
    marks,
    names_axis,
    plain,
)
from leaderboard.charts.contrasts import Contrast
from leaderboard.charts.over_time import PERCENT
from leaderboard.charts.whisker import Point

ROW_PX = 24
# Groups with the widest spread; more would bury the published ones.
MOST_GROUPS, MOST_BARS = 6, 8
PUBLISHED, HERE = "published", "this board"
LOOKS = {PUBLISHED: (SOFT, "diamond"), HERE: (ACCENT, "circle")}


@dataclass(frozen=True)
class Bar:
    """A percentage with its words; `note` says what it rests on."""

    label: str
    percent: float
    origin: str
    note: str = ""
    url: str = ""


@dataclass(frozen=True)
class Curve:
    """Percent by a number: of hours, of seeds."""

    label: str
    points: Mapping[float, float]
    origin: str
    url: str = ""


def published_bars(any_medal: Mapping[str, float], shared: str) -> list[Bar]:
    return [Bar(f"{word} · {shared}", percent, PUBLISHED) for word, percent in any_medal.items()]


def bars_here(contrasts: Sequence[Contrast]) -> list[Bar]:
    """A bar for each entry, group by group; of a long group the best and the last."""
    return [
        Bar(f"{word} · {group.shared}", point.mean, HERE, point.row["source_text"], point.row["url"])
        for group in contrasts[:MOST_GROUPS]
        for word, point in _ends(list(group.entries.items()))
    ]


def _ends(entries: list[tuple[str, Point]]) -> list[tuple[str, Point]]:
    return entries if len(entries) <= MOST_BARS else [*entries[: MOST_BARS - 1], entries[-1]]


def draw_bars(name: str, title: str, bars: Sequence[Bar], what: str = "Any Medal %") -> Chart:
    """Published ones on top. There is always something published."""
    ordered = sorted(bars, key=lambda bar: bar.origin != PUBLISHED)
    labels = [bar.label for bar in ordered]
    traces = [_trace(origin, list(enumerate(ordered))) for origin in LOOKS]
    look = layout(80 + ROW_PX * len(ordered), PERCENT, names_axis(labels, 34), bargap=0.3, barmode="overlay")
    return Chart(
        name=name,
        title=title,
        note="",
        table=Table(
            ("What", "From", what),
            tuple(
                TableRow((bar.label, _origin(bar.origin, bar.note), fixed(bar.percent)), bar.url)
                for bar in ordered
            ),
            texts=2,
        ),
        figure=figure([trace for trace in traces if trace["y"]], look),
    )


def _trace(origin: str, bars: Sequence[tuple[int, Bar]]) -> Json:
    mine = [(at, bar) for at, bar in bars if bar.origin == origin]
    return {
        "type": "bar",
        "orientation": "h",
        "name": origin,
        "x": [bar.percent for _, bar in mine],
        "y": [at for at, _ in mine],
        "marker": {"color": LOOKS[origin][0]},
        "text": [f"{bar.percent:.1f}" for _, bar in mine],
        "textposition": "outside",
        "cliponaxis": False,
        "hovertext": [hover(bar.label, f"{bar.percent:.2f} %", _origin(origin, bar.note)) for _, bar in mine],
        "hoverinfo": "text",
    }


def _origin(origin: str, note: str) -> str:
    return f"{origin}, {note}" if note else origin


def curves_here(contrasts: Sequence[Contrast], number: str) -> list[Curve]:
    """A curve for each group; `number`: the field of a row that the curve goes along."""
    return [
        Curve(
            group.shared,
            {point.row[number]: point.mean for point in group.entries.values()},
            HERE,
            next(iter(group.entries.values())).row["url"],
        )
        for group in contrasts[:MOST_GROUPS]
    ]


def draw_curves(name: str, title: str, curves: Sequence[Curve], unit: str, what: str) -> Chart:
    """Lines with a mark at every point that is known."""
    look = layout(360, {"title": unit, "rangemode": "tozero"}, PERCENT)
    return Chart(
        name=name,
        title=title,
        note="",
        table=Table(
            ("What", "From", unit, what),
            tuple(
                TableRow((curve.label, curve.origin, plain(x), fixed(y)), curve.url)
                for curve in curves
                for x, y in sorted(curve.points.items())
            ),
            texts=2,
        ),
        figure=figure(_lines(curves, unit), look),
    )


def _lines(curves: Sequence[Curve], unit: str) -> Iterator[Json]:
    named: set[str] = set()
    for curve in curves:
        color, symbol = LOOKS[curve.origin]
        points = sorted(curve.points.items())
        xs, ys = [x for x, _ in points], [y for _, y in points]
        yield line(xs, ys, color, showlegend=False)
        yield marks(
            xs,
            ys,
            [hover(curve.label, f"{plain(x)} {unit}: {y:.2f} %", curve.origin) for x, y in points],
            name=curve.origin,
            legendgroup=curve.origin,
            showlegend=curve.origin not in named,
            marker={"color": color, "symbol": symbol, "size": 9},
        )
        named.add(curve.origin)


def say_spread(groups: Sequence[Contrast]) -> str:
    """The widest spread of a board in a sentence; empty without groups."""
    if not groups:
        return ""
    widest = groups[0]
    best, worst = (
        max(widest.entries.items(), key=lambda pair: pair[1].mean),
        min(widest.entries.items(), key=lambda pair: pair[1].mean),
    )
    return (
        f"The widest gap is that with {widest.shared}: {widest.spread:.1f} points between {best[0]} "
        f"({best[1].mean:.2f} %) and {worst[0]} ({worst[1].mean:.2f} %)."
    )
