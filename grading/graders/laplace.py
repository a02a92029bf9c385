"""Modified Laplace log likelihood of a forecast and its confidence.

Definition: mean of -sqrt(2) d / s - ln(sqrt(2) s), with s = max(confidence, 70) and d = min(|y - p|, 1000).
Scored are each patient's last three measured weeks, as far as the submission holds them. Source: OSIC
Pulmonary Fibrosis Progression, and the benchmark's grader for what is scored.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain

import numpy as np

from .answers import Floats, Labelled
from .columns import Column, Rows
from .ids import Pairing, sort_rows, unmatched
from .job import Job
from .messages import BAD_SCORED_VALUE
from .predictions import Predictions, check_layout, read_targets
from .reader import Table
from .repeated_ids import require_known
from .verdict import InvalidSubmission

SMALLEST_CONFIDENCE = 70.0
LARGEST_ERROR = 1000.0
WEEKS = 3
NOTHING_SCORED = "The file holds none of the rows that are scored. Give every row of the sample submission."
REPEATED = "A scored row occurs more than once. Give every id of the sample submission, once each."


def laplace_log_likelihood(predicted: Floats, confidence: Floats, true: Floats) -> float:
    """Mean log likelihood, at most -4.59507. Shape (rows,) each; a missing confidence counts as 70."""
    s = np.sqrt(2) * np.fmax(confidence, SMALLEST_CONFIDENCE)
    d = np.minimum(np.abs(true - predicted), LARGEST_ERROR)
    return float(np.mean(-2 * d / s - np.log(s)))


def read_forecasts(job: Job, submission: Table, outline: Table) -> Predictions:
    """Ids and both target columns in file order. Ids may be absent or repeat, but must be known."""
    check_layout(job, submission, outline, list(job.target_columns))
    (name,) = job.id_columns
    ids = submission.column(name)
    require_known(name, ids, outline.column(name))
    rows = np.arange(submission.rows)
    columns = read_targets(job, submission, list(job.target_columns), rows)
    return Predictions({name: ids, **columns}, Pairing(rows, rows))


def last_weeks(ids: Column, patients: Column, measured: Column) -> Rows:
    """Rows of each patient's last three measured weeks, which are the numbers at the end of the ids."""
    rows = np.flatnonzero(~measured.missing)
    weeks = np.array([int(each.rpartition("_")[2]) for each in ids.values[rows].tolist()], dtype=np.int64)
    last = defaultdict[str, list[int]](list)
    for row in rows[np.argsort(weeks, kind="stable")]:
        last[patients.values[row]] = [*last[patients.values[row]], int(row)][-WEEKS:]
    return np.array(sorted(chain.from_iterable(last.values())), dtype=np.intp)


def common_rows(ids: Column, others: Column) -> Rows:
    """Rows whose id the other side holds as well, in the order of the ids."""
    common = np.ones(len(ids.values), dtype=np.bool_)
    common[unmatched(ids.values, others.values)] = False
    rows = np.flatnonzero(common)
    return rows[sort_rows(ids.take(rows))]


def grade_laplace(rows: Labelled) -> float:
    """Only scored rows count, and which those are follows from labels, so messages name none."""
    (name,), (patient,) = rows.job.id_columns, rows.job.reads
    forecast, confidence = rows.job.target_columns
    ids, measured = rows.answers.column(name), rows.answers.column(forecast)
    scored = last_weeks(ids, rows.answers.column(patient), measured)
    given = common_rows(rows.predicted(name), ids.take(scored))
    true = scored[common_rows(ids.take(scored), rows.predicted(name))]
    if not given.size:
        raise InvalidSubmission("score_undefined", NOTHING_SCORED)
    # A single row on either side is spread over the other, as in the benchmark.
    if len(given) != len(true) and 1 not in (len(given), len(true)):
        raise InvalidSubmission("rows_unpaired", REPEATED)
    predicted = rows.predictions.floats(forecast)[given]
    if np.isnan(predicted).any():
        raise InvalidSubmission("bad_scored_value", BAD_SCORED_VALUE)
    return laplace_log_likelihood(
        predicted, rows.predictions.floats(confidence)[given], measured.floats()[true]
    )
