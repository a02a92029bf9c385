"""Tables as CSV, safe to open in a spreadsheet."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

# A cell that begins so is a formula to a spreadsheet, to some also in letters of full width.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
NUMBERS = frozenset({int, float})


def to_csv(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """The table as CSV text (RFC 4180). None is an empty cell; numbers stay numbers."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    return out.getvalue()


def safe_cell(cell: Any) -> Any:
    """The cell, with an apostrophe before a text that a spreadsheet would run."""
    if cell is None or type(cell) in NUMBERS:
        return cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, str) and cell.startswith(FORMULA):
        return f"'{cell}"
    return cell
