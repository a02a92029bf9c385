"""Every reason why a submission is invalid, where the grader itself stops at the first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import numpy.typing as npt

from .bias_auroc import read_either_name
from .checks import (
    refuse_extra_columns,
    require_columns,
    require_first,
    require_range,
    require_row_sums,
    require_rows,
)
from .columns import Column
from .dice_hausdorff import read_organ_masks
from .job import Job
from .kept_rmse import read_unchecked
from .laplace import read_forecasts
from .predictions import only_scored, pair_rows, read_predictions
from .reader import Table
from .registry import Grader
from .toxic import read_toxic
from .values import VALUE_READERS
from .verdict import InvalidSubmission

LISTED_AT_MOST = 20
# Readers that do not begin with `read_predictions`: its rules are not theirs.
OWN_RULES = frozenset({read_either_name, read_forecasts, read_organ_masks, read_toxic, read_unchecked})
# Pairings that compare ids whatever the number of rows; the others count on as many as there are answers.
PAIRED_AT_ANY_LENGTH = frozenset({"paired", "joined", "same_set", "superset"})
Rows = npt.NDArray[np.intp]
Read = tuple[dict[str, Column], list[InvalidSubmission]]


def find_reasons(job: Job, grader: Grader, submission: Table, outline: Table) -> list[InvalidSubmission]:
    """What the grader would say, then what it would say once that was mended; at most twenty, none twice.

    `outline` holds no labels. Empty if nothing is wrong that labels do not decide.
    """
    first = _said(lambda: grader.read(job, submission, outline))
    if first is None:
        return []
    if grader.read in OWN_RULES:
        return [first]
    shared = _said(lambda: read_predictions(job, submission, outline))
    if shared is None or str(shared) != str(first):
        return [first]
    reasons = {str(reason): reason for reason in (first, *_all_shared(job, submission, outline))}
    return list(reasons.values())[:LISTED_AT_MOST]


def _said(check: Callable[[], object]) -> InvalidSubmission | None:
    try:
        check()
    except InvalidSubmission as reason:
        return reason
    return None


def _all_shared(job: Job, submission: Table, outline: Table) -> Iterator[InvalidSubmission]:
    """Each rule of `read_predictions` by itself."""
    targets = job.targets(outline.names)
    yield from filter(None, map(_said, _layout_checks(job, submission, outline, targets)))
    if submission.is_cut or any(name not in submission.cells for name in job.id_columns):
        return
    rows, problem = _pair(job, submission, outline)
    if problem:
        yield problem
    if rows is not None:
        yield from _value_problems(job, submission, targets, rows)


def _layout_checks(
    job: Job, submission: Table, outline: Table, targets: list[str]
) -> Iterator[Callable[[], None]]:
    ids = [] if job.checks.ids == "position" else list(job.id_columns)
    yield lambda: require_columns(submission, [*ids, *targets])
    if job.checks.extra_columns == "refused":
        yield lambda: refuse_extra_columns(submission, [*job.id_columns, *targets])
    if job.checks.id_first:
        yield lambda: require_first(submission, job.id_columns[0])
    if job.checks.rows == "equal":
        yield lambda: require_rows(submission, outline.rows)


def _pair(job: Job, submission: Table, outline: Table) -> tuple[Rows | None, InvalidSubmission | None]:
    """The rows that are scored, or None where that cannot be told; and what is wrong with the ids."""
    if submission.rows != outline.rows and job.checks.ids not in PAIRED_AT_ANY_LENGTH:
        return None, None
    try:
        return pair_rows(job, submission, outline).submission, None
    except InvalidSubmission as problem:
        everything = not job.checks.scored_where and job.checks.ids != "superset"
        return (np.arange(submission.rows) if everything else None), problem


def _value_problems(
    job: Job, submission: Table, targets: list[str], rows: Rows
) -> Iterator[InvalidSubmission]:
    """Of each target column by itself; of their sums only where all of them could be read."""
    columns, problems = _read_values(job, submission, targets, rows)
    yield from problems
    if job.checks.range is not None:
        checks = [partial(require_range, name, c.floats(), job.checks.range) for name, c in columns.items()]
        yield from filter(None, map(_said, checks))
    if columns and not problems and len(columns) == len(targets):
        yield from filter(None, [_said(lambda: _require_sums(job, columns))])


def _require_sums(job: Job, columns: dict[str, Column]) -> None:
    if job.checks.row_sum_tolerance is not None or job.checks.row_sum_decimals is not None:
        require_row_sums(job, np.sum([column.floats() for column in columns.values()], axis=0))


def _read_values(job: Job, submission: Table, targets: list[str], rows: Rows) -> Read:
    columns: dict[str, Column] = {}
    problems: list[InvalidSubmission] = []
    for name in filter(submission.cells.__contains__, targets):
        try:
            cells = only_scored(submission.column(name), rows)
            columns[name] = VALUE_READERS[job.checks.values](name, cells)
        except InvalidSubmission as problem:
            problems.append(problem)
    return columns, problems
