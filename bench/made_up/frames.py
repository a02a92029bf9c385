"""Tables as columns of cells, and their CSV files."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import numpy as np

Column = Sequence[object] | np.ndarray
Frame = dict[str, Column]
BLOCK_ROWS = 1 << 16


def take_rows(frame: Frame, rows: np.ndarray) -> Frame:
    """The same columns with these rows, in this order."""
    places = rows.tolist()
    return {
        name: cells[rows] if isinstance(cells, np.ndarray) else [cells[i] for i in places]
        for name, cells in frame.items()
    }


def write_frame(path: Path, frame: Frame, quoted: bool = False) -> None:
    """Writes a CSV. Numbers come with all their digits; `quoted` puts every cell in quotes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL, lineterminator="\n")
        writer.writerow(frame)
        rows = min(map(len, frame.values()))
        for start in range(0, rows, BLOCK_ROWS):
            block = [_plain(cells[start : start + BLOCK_ROWS]) for cells in frame.values()]
            writer.writerows(zip(*block, strict=True))


def write_lines(path: Path, lines: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as out:
        out.writelines(chain.from_iterable((line, "\n") for line in lines))


def _plain(cells: Column) -> Sequence[object]:
    return cells.tolist() if isinstance(cells, np.ndarray) else cells
