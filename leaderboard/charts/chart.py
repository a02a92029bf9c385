"""What a chart is, and the pieces figures are made of. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

Json = dict[str, Any]
LONGEST = 26
# More than these would be neither seen nor loaded; what is left out is said.
MOST_ROWS = 300
INK, SOFT, LINE, ACCENT, AMBER = "--ink", "--ink-soft", "--line", "--accent", "--amber-edge"
# Each in a shape of its own too, for those who do not see the colour. Medal colours mark medals only.
SERIES = (
    (ACCENT, "circle"), (SOFT, "diamond"), ("--success-edge", "square"), ("--danger-edge", "triangle-up"),
)  # fmt: skip
WARNED = (AMBER, "x")


@dataclass(frozen=True)
class TableRow:
    """Cells as they are printed; the first is the row's head, and leads to `url` if there is one."""

    cells: tuple[str, ...]
    url: str = ""


@dataclass(frozen=True)
class Table:
    """What the figure shows, in words and figures. `texts`: how many of the first columns are words."""

    head: tuple[str, ...]
    rows: tuple[TableRow, ...]
    texts: int = 1


@dataclass(frozen=True)
class Chart:
    """`figure`: data and layout for Plotly, None where there is nothing to draw and `empty` says why."""

    name: str
    title: str
    note: str
    table: Table
    figure: Json | None = None
    empty: str = ""
    # Sentences about what could not be drawn.
    gaps: tuple[str, ...] = ()


def shown_text(text: str, longest: int = 0) -> str:
    """Text of others for a figure, cut if wanted. Plotly reads a little HTML in texts, links too: none gets through."""
    cut = text if not longest or len(text) <= longest else f"{text[: longest - 1]}…"
    return escape(cut, quote=False)


def tell_apart(names: Sequence[tuple[str, int]]) -> list[str]:
    """The names, each that is met more than once with its number: "Ada 31"."""
    alone = Counter(name for name, _ in names)
    return [name if alone[name] == 1 else f"{name} {number}" for name, number in names]


def say_cut(total: int) -> tuple[str, ...]:
    """That only the first of so many entries are drawn, if so."""
    return (f"The first {MOST_ROWS} of {total} entries are drawn.",) if total > MOST_ROWS else ()


def hover(*lines: str) -> str:
    """The lines of what a mark says when pointed at; each is text of others."""
    return "<br>".join(shown_text(line) for line in lines if line)


def layout(height: int, x: Mapping[str, Any], y: Mapping[str, Any], **more: Any) -> Json:
    """What all figures have in common, with these axes. `dragmode` is off, so that a finger scrolls the page."""
    return {
        "height": height,
        "margin": {"l": 12, "r": 12, "t": 34, "b": 12},
        "paper_bgcolor": "--surface",
        "plot_bgcolor": "--surface",
        "font": {"color": INK, "size": 12},
        "hoverlabel": {
            "bgcolor": "--surface",
            "bordercolor": "--line-strong",
            "font": {"color": INK},
            "align": "left",
        },
        # At the top of the figure: beside the plot it would move with the margins that labels make.
        "legend": {
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "yref": "container",
            "y": 1,
            "yanchor": "top",
        },
        "dragmode": False,
        "hovermode": "closest",
        "xaxis": axis(**x),
        "yaxis": axis(**y),
        **more,
    }


def axis(title: str = "", **more: Any) -> Json:
    """An axis with quiet lines that makes room for its own labels."""
    return {
        "automargin": True,
        "gridcolor": LINE,
        "linecolor": LINE,
        "zerolinecolor": LINE,
        "tickcolor": LINE,
        "fixedrange": True,
        **({"title": {"text": title, "standoff": 10}} if title else {}),
        **more,
    }


def names_axis(names: Sequence[str], longest: int = LONGEST, **more: Any) -> Json:
    """The settings of an axis with one name at each whole number from 0, the first on top."""
    return {
        "tickmode": "array",
        "tickvals": list(range(len(names))),
        "ticktext": [shown_text(name, longest) for name in names],
        "range": [len(names) - 0.4, -0.6],
        "showgrid": False,
        "zeroline": False,
        **more,
    }


def marks(x: Sequence[Any], y: Sequence[Any], says: Sequence[str], **more: Any) -> Json:
    """A trace of points; `says` is what each says when pointed at, made by `hover`."""
    return {
        "type": "scatter",
        "mode": "markers",
        # A mark at 0 or 100 is whole.
        "cliponaxis": False,
        "x": list(x),
        "y": list(y),
        "hovertext": list(says),
        "hoverinfo": "text",
        **more,
    }


def line(x: Sequence[Any], y: Sequence[Any], color: str, **more: Any) -> Json:
    """A trace of one line that says nothing by itself."""
    return {
        "type": "scatter",
        "mode": "lines",
        "cliponaxis": False,
        "x": list(x),
        "y": list(y),
        "hoverinfo": "skip",
        **more,
        "line": {"color": color, "width": 2, **more.get("line", {})},
    }


def figure(traces: Iterable[Json], look: Json) -> Json:
    return {"data": list(traces), "layout": look}


def fixed(value: float | None, digits: int = 2, absent: str = "—") -> str:
    """The number as the board prints it."""
    return absent if value is None else f"{value:z.{digits}f}"


def plain(value: float | None, absent: str = "undisclosed") -> str:
    """The number without needless zeros."""
    return absent if value is None else f"{value:.6g}"
