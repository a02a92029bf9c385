"""The best score over time, track by track. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leaderboard.charts.chart import (
    LONGEST,
    MOST_ROWS,
    SERIES,
    WARNED,
    Chart,
    Json,
    Table,
    TableRow,
    figure,
    fixed,
    layout,
    line,
    marks,
    say_cut,
    shown_text,
)
from leaderboard.charts.whisker import WHISKERS, Point, Row, points_of, say, symbols, whiskers
from leaderboard.columns import DATED

PERCENT = {"range": [0, 100], "ticksuffix": " %"}


@dataclass(frozen=True)
class Track:
    """The rows of the entries that stand on one track itself, in the order of its board."""

    title: str
    is_warned: bool
    rows: Sequence[Row]


def best_over_time(tracks: Sequence[Track], until: str) -> Chart:
    """`until`: the day, as ISO 8601, up to which the newest best is drawn."""
    drawn = [(track, points_of(track.rows)) for track in tracks]
    traces = list(_traces(drawn, until))
    return Chart(
        name="over-time",
        title="Best score over time",
        note=f"Any Medal by date: {DATED}. The line is the best so far on its track. {WHISKERS}",
        table=Table(
            ("Agent", "Track", "Date", "Any Medal %", "Whisker", "Best so far"),
            tuple(_table(drawn)),
            texts=3,
        ),
        figure=figure(traces, layout(440, {"type": "date"}, PERCENT, annotations=_leaders(drawn)))
        if traces
        else None,
        empty="No entry has a figure on this split yet.",
        gaps=tuple(f"{track.title}: {said}" for track, points in drawn for said in say_cut(len(points))),
    )


def records(points: Sequence[Point]) -> list[Point]:
    """The points that were better than everything before them, by day; of one day only its best."""
    found: list[Point] = []
    for point in sorted(points, key=lambda p: (p.row["run_on"], -p.mean)):
        if not found or point.mean > found[-1].mean:
            found.append(point)
    return found


def _traces(drawn: Sequence[tuple[Track, list[Point]]], until: str) -> Iterator[Json]:
    plain_looks = iter(SERIES * len(drawn))
    for track, points in drawn:
        color, shape = WARNED if track.is_warned else next(plain_looks)
        if points:
            yield _best_line(track, records(points), color, until)
            yield _all_points(track, points[:MOST_ROWS], color, shape)


def _best_line(track: Track, best: Sequence[Point], color: str, until: str) -> Json:
    days = [p.row["run_on"] for p in best]
    dash = "dot" if track.is_warned else "solid"
    return line(
        [*days, max(days[-1], until)],
        [*(p.mean for p in best), best[-1].mean],
        color,
        line={"shape": "hv", "dash": dash},
        showlegend=False,
        legendgroup=track.title,
    )


def _all_points(track: Track, points: Sequence[Point], color: str, shape: str) -> Json:
    return marks(
        [p.row["run_on"] for p in points],
        [p.mean for p in points],
        [say(p, p.row["run_on"], track.title) for p in points],
        name=shown_text(track.title),
        legendgroup=track.title,
        marker={"color": color, "symbol": symbols(points, shape), "size": 9},
        error_y=whiskers(points, color),
    )


def _leaders(drawn: Sequence[tuple[Track, list[Point]]]) -> list[Json]:
    """The name of the best of each track beside its mark."""
    return [
        {
            "x": best.row["run_on"],
            "y": best.mean,
            "text": shown_text(best.row["agent"], LONGEST),
            "xanchor": "right",
            "showarrow": False,
            "xshift": -10,
            "yshift": 8,
            "font": {"color": "--ink"},
        }
        for _, points in drawn
        if points
        for best in records(points)[-1:]
    ]


def _table(drawn: Sequence[tuple[Track, list[Point]]]) -> Iterator[TableRow]:
    for track, points in drawn:
        best = {id(p) for p in records(points)}
        for p in points[:MOST_ROWS]:
            cells = (p.row["agent"], track.title, p.row["run_on"], fixed(p.mean), p.whisker_text)
            yield TableRow((*cells, "yes" if id(p) in best else "no"), p.row["url"])
