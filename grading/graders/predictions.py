"""From two tables to paired, checked predictions, for the grader and the label-free check alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .checks import (
    refuse_extra_columns,
    require_columns,
    require_first,
    require_range,
    require_row_sums,
    require_rows,
)
from .columns import Column
from .ids import Pairing, pair_joined, pair_ranked, pair_sorted
from .job import Job
from .reader import Table
from .repeated_ids import pair_grouped, pair_same_set, pair_superset
from .values import VALUE_READERS

Floats = npt.NDArray[np.float64]
PAIRINGS = {
    "paired": pair_sorted,
    "grouped": pair_grouped,
    "joined": pair_joined,
    "same_set": pair_same_set,
    "superset": pair_superset,
}


@dataclass(frozen=True)
class Predictions:
    """Checked target columns by name; rows in the order of the pairing."""

    columns: dict[str, Column]
    pairing: Pairing

    def floats(self, name: str) -> Floats:
        return self.columns[name].floats()


def read_predictions(job: Job, submission: Table, outline: Table) -> Predictions:
    """The checked predictions. Raises InvalidSubmission at the first rule broken.

    `outline` holds the answers' column names, row count and ids; labels in it are never looked at.
    """
    targets = job.targets(outline.names)
    check_layout(job, submission, outline, targets)
    pairing = pair_rows(job, submission, outline)
    return Predictions(read_targets(job, submission, targets, pairing.submission), pairing)


def check_layout(job: Job, submission: Table, outline: Table, targets: list[str]) -> None:
    """Raises InvalidSubmission for absent columns, columns too many, and a wrong number of rows."""
    ids = [] if job.checks.ids == "position" else list(job.id_columns)
    require_columns(submission, [*ids, *targets])
    if job.checks.extra_columns == "refused":
        refuse_extra_columns(submission, [*job.id_columns, *targets])
    if job.checks.id_first:
        require_first(submission, job.id_columns[0])
    if job.checks.rows == "equal":
        require_rows(submission, outline.rows)


def pair_rows(job: Job, submission: Table, outline: Table) -> Pairing:
    """Rows paired as the competition pairs them, cut to those that are scored."""
    pairing = _pair_all(job, submission, outline)
    for name, value in job.checks.scored_where.items():
        kept = outline.column(name).take(pairing.answers).floats() == value
        pairing = pairing.only(kept)
    return pairing


def _pair_all(job: Job, submission: Table, outline: Table) -> Pairing:
    if job.checks.ids == "position":
        rows = np.arange(outline.rows)
        return Pairing(rows, rows)
    name = job.id_columns[0]
    given, expected = submission.column(name), outline.column(name)
    if job.checks.ids == "ranked":
        return pair_ranked(given, expected)
    return PAIRINGS[job.checks.ids](name, given, expected)


def read_targets(
    job: Job, submission: Table, targets: list[str], rows: npt.NDArray[np.intp]
) -> dict[str, Column]:
    """The target columns read and checked, then taken in the order of the pairing."""
    read = VALUE_READERS[job.checks.values]
    columns = {name: read(name, only_scored(submission.column(name), rows)) for name in targets}
    if job.checks.range is not None:
        for name, column in columns.items():
            require_range(name, column.floats(), job.checks.range)
    if job.checks.row_sum_tolerance is not None or job.checks.row_sum_decimals is not None:
        require_row_sums(job, np.sum([c.floats() for c in columns.values()], axis=0))
    return {name: column.take(rows) for name, column in columns.items()}


def only_scored(column: Column, rows: npt.NDArray[np.intp]) -> Column:
    """The column with 0 wherever a row is not scored, so that messages keep the file's row numbers."""
    unscored = np.ones(len(column), dtype=np.bool_)
    unscored[rows] = False
    if not unscored.any():
        return column
    return column.cleared(unscored)
