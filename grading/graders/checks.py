"""Checks on whole tables: columns, number of rows, values in range, rows summing to one."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from .job import Job
from .messages import count, list_rows
from .reader import Table
from .verdict import InvalidSubmission

NAMED_AT_MOST = 5


def require_columns(submission: Table, names: Iterable[str]) -> None:
    """Raises InvalidSubmission naming the expected columns that are absent."""
    absent = [name for name in names if name not in submission.names]
    if absent:
        named = ", ".join(absent[:NAMED_AT_MOST]) + (", …" if len(absent) > NAMED_AT_MOST else "")
        raise InvalidSubmission(
            "column_missing",
            f"{count(len(absent), 'column is', 'columns are')} absent: {named}. "
            "Names must match exactly, including case and spaces.",
        )


def refuse_extra_columns(submission: Table, expected: list[str]) -> None:
    """Raises InvalidSubmission if there is any other column. Its name is not repeated."""
    positions = [i for i, name in enumerate(submission.names) if name not in expected]
    if positions:
        raise InvalidSubmission(
            "extra_column",
            f"{count(len(positions), 'column')} too many (position {list_rows(positions)}). "
            f"This competition allows only: {', '.join(expected[:NAMED_AT_MOST])}"
            f"{', …' if len(expected) > NAMED_AT_MOST else ''}.",
        )


def require_first(submission: Table, name: str) -> None:
    """Raises InvalidSubmission unless this column comes first in the file."""
    if submission.names[0] != name:
        raise InvalidSubmission(
            "id_not_first",
            f"Column {name} must be the first of the file. Put the columns in the sample's order.",
        )


def require_rows(submission: Table, rows: int) -> None:
    """Raises InvalidSubmission unless the submission has this many data rows."""
    if submission.rows != rows:
        raise InvalidSubmission(
            "row_count",
            f"The file has {'at least ' if submission.is_cut else ''}{count(submission.rows, 'data row')}; "
            f"{rows} are expected, "
            "one per row of the sample submission.",
        )


def require_range(name: str, values: npt.NDArray[np.float64], bounds: tuple[float, float]) -> None:
    """Raises InvalidSubmission if a value lies outside the closed interval."""
    low, high = bounds
    rows = np.flatnonzero(~((values >= low) & (values <= high)))
    if rows.size:
        raise InvalidSubmission(
            "out_of_range",
            f"Column {name}: {count(rows.size, 'value')} outside {low:g} to {high:g} "
            f"(data row {list_rows(rows)}).",
        )


def require_row_sums(job: Job, sums: npt.NDArray[np.float64]) -> None:
    """Raises InvalidSubmission unless every sum is 1 within tolerance or after rounding."""
    tolerance, decimals = job.checks.row_sum_tolerance, job.checks.row_sum_decimals
    if tolerance is not None:
        wrong = ~(np.abs(sums - 1.0) <= tolerance)
    elif decimals is not None:
        wrong = np.round(sums, decimals) != 1.0
    else:
        return
    rows = np.flatnonzero(wrong)
    if rows.size:
        allowed = f"{tolerance:g}" if tolerance is not None else f"{decimals} decimals"
        raise InvalidSubmission(
            "row_sum",
            f"{count(rows.size, 'row does', 'rows do')} not sum to 1 (data row {list_rows(rows)}; "
            f"allowed difference: {allowed}). Normalise each row and write all digits.",
        )
