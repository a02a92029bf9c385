"""A grid of coloured cells with words in them, drawn as stacked bars: they fill their place at any width. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leaderboard.charts.chart import INK, LINE, Json, figure, layout, names_axis, shown_text

ROW_PX, HEAD_PX = 22, 150
LONGEST_NAME = 22
# So faint that ink on it keeps its contrast in light and dark.
FAINTEST, STRONGEST = 0.08, 0.45


@dataclass(frozen=True)
class Cell:
    """`says`: made by `hover`."""

    text: str
    says: str
    color: str
    opacity: float = STRONGEST


EMPTY = Cell("", "", "--surface", 0)


def strength(share: float) -> float:
    """The opacity of a share from 0 to 1."""
    return FAINTEST + (STRONGEST - FAINTEST) * min(max(share, 0.0), 1.0)


def draw_cells(rows: Sequence[str], columns: Sequence[str], cells: Mapping[tuple[int, int], Cell]) -> Json:
    """The figure of a grid; `cells` by row and column, those not there stay empty."""
    across: dict[str, Any] = {
        **names_axis(columns, LONGEST_NAME),
        "range": [-0.5, len(columns) - 0.5],
        "side": "top",
        "tickangle": -90,
    }
    look = layout(
        HEAD_PX + ROW_PX * len(rows),
        across,
        names_axis(rows, LONGEST_NAME),
        barmode="stack",
        bargap=0.06,
        showlegend=False,
        uniformtext={"mode": "hide", "minsize": 7},
        margin={"l": 12, "r": 12, "t": 12, "b": 12},
    )
    return figure([_column(at, len(rows), cells) for at in range(len(columns))], look)


def _column(at: int, rows: int, cells: Mapping[tuple[int, int], Cell]) -> Json:
    """One bar for each row, as wide as a cell, at the place of this column."""
    found = [cells.get((row, at), EMPTY) for row in range(rows)]
    return {
        "type": "bar",
        "orientation": "h",
        "y": list(range(rows)),
        "x": [0.94] * rows,
        "base": [at - 0.47] * rows,
        "text": [shown_text(cell.text) for cell in found],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "textfont": {"color": INK},
        "constraintext": "inside",
        "hovertext": [cell.says for cell in found],
        "hoverinfo": "text",
        "marker": {
            "color": [cell.color for cell in found],
            "opacity": [cell.opacity for cell in found],
            "line": {"color": LINE, "width": 1},
        },
    }
