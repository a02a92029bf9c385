"""Target cells that hold a small language of their own: run lengths, points, boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from .columns import Column
from .job import Job
from .messages import count, list_rows
from .predictions import Predictions, read_predictions
from .reader import Table
from .verdict import AnswersError, InvalidSubmission

Parsed = TypeVar("Parsed")


class BadCell(Exception):
    """What is wrong with one cell, in words that repeat nothing of it."""


def read_cells(job: Job, submission: Table, outline: Table, parse: Callable[[str], object]) -> Predictions:
    """The checked predictions, whose cells `parse` takes. Raises InvalidSubmission."""
    predictions = read_predictions(job, submission, outline)
    for name, column in predictions.columns.items():
        require_cells(name, column, predictions.pairing.submission, parse)
    return predictions


def require_cells(
    name: str, column: Column, rows: npt.NDArray[np.intp], parse: Callable[[str], object]
) -> None:
    """Raises InvalidSubmission unless `parse` takes every cell. `rows` are the cells' rows in the file."""
    reasons: dict[int, str] = {}
    for row, cell in zip(rows.tolist(), column.values.tolist(), strict=True):
        try:
            parse(cell)
        except BadCell as reason:
            reasons[row] = str(reason)
    if reasons:
        wrong = sorted(reasons)
        raise InvalidSubmission(
            "malformed_cell",
            f"Column {name}: {count(len(wrong), 'cell')} malformed (data row {list_rows(wrong)}). "
            f"In data row {wrong[0] + 1}: {reasons[wrong[0]]}.",
        )


def parse_answers(name: str, cells: Iterable[str], parse: Callable[[str], Parsed]) -> list[Parsed]:
    """The parsed cells of a column of the answers. Raises AnswersError."""
    try:
        return [parse(cell) for cell in cells]
    except BadCell as reason:
        raise AnswersError(f"column {name} of the answers cannot be read: {reason}") from None
