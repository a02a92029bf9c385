"""Mean column-wise RMSE over the rows flagged in the answers.

Which rows those are is looked up by row NUMBER, after sorting by id: rows of the submission are kept where the
answers' row of the same number is flagged. So only the answers' row order gives the intended score. Source:
OpenVaccine (MCRMSE), and the benchmark's grader for the order.
"""

from __future__ import annotations

import numpy as np

from .answers import Labelled
from .ids import in_order_of_ids
from .job import Job
from .messages import BAD_SCORED_VALUE
from .predictions import Predictions, check_layout, pair_rows
from .reader import Table
from .rmse import rmse
from .values import read_parsable
from .verdict import InvalidSubmission


def read_unchecked(job: Job, submission: Table, outline: Table) -> Predictions:
    """Columns sorted by id, cells unread: which of them count follows from the answers."""
    check_layout(job, submission, outline, list(job.target_columns))
    pairing = in_order_of_ids(pair_rows(job, submission, outline), outline.column(job.id_columns[0]))
    columns = {name: submission.column(name).take(pairing.submission) for name in job.params["scored"]}
    return Predictions(columns, pairing)


def grade_kept_rmse(rows: Labelled) -> float:
    """Unweighted mean of the RMSEs of the scored columns."""
    pairing = rows.predictions.pairing
    (flag,) = rows.job.reads
    flagged = rows.answers.column(flag).values.astype(np.bool_)
    guessed, kept = np.flatnonzero(flagged[pairing.submission]), np.flatnonzero(flagged[pairing.answers])
    errors = []
    for name, column in rows.predictions.columns.items():
        try:
            predicted = read_parsable(name, column.take(guessed)).floats()
        except InvalidSubmission:
            raise InvalidSubmission("bad_scored_value", BAD_SCORED_VALUE) from None
        errors.append(rmse(predicted, rows.true(name).floats()[kept]))
    return float(np.mean(errors))
