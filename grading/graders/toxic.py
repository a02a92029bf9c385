"""The one grader of jigsaw-toxic-comment-classification-challenge, whose pairing no parameter can express.

Rows whose six labels sum below zero (marked -1) are not scored. Which rows of a submission those are is
looked up by id; what remains is paired by rank of id, and columns by position, so a file with columns in
another order is scored against the wrong labels. Source: the benchmark's grader for this competition.
"""

from __future__ import annotations

import numpy as np

from .answers import Labelled
from .auroc import ONE_CLASS, auroc
from .columns import Column
from .ids import Pairing, match_rows, sort_rows
from .job import Job
from .messages import BAD_SCORED_VALUE
from .predictions import Predictions, check_layout
from .reader import Table
from .values import read_parsable
from .verdict import InvalidSubmission

UNEQUAL = "Ids repeat in such a way that the scored rows cannot be paired. Give every id once."


def read_toxic(job: Job, submission: Table, outline: Table) -> Predictions:
    """The six columns in the file's own order, rows sorted by id; ids may repeat but must be known."""
    check_layout(job, submission, outline, list(job.target_columns))
    (name,) = job.id_columns
    matched = match_rows(name, submission.column(name), outline.column(name))
    order = sort_rows(submission.column(name))
    columns = {each: submission.column(each).take(order) for each in submission.names if each != name}
    return Predictions(columns, Pairing(order, matched[order]))


def grade_toxic(rows: Labelled) -> float:
    """Mean over the six columns of the AUROC on the scored rows."""
    (name,) = rows.job.id_columns
    labels = np.column_stack([rows.answers.column(each).floats() for each in rows.job.target_columns])
    scored = labels.sum(axis=1) >= 0
    kept = scored[rows.predictions.pairing.answers]
    if kept.sum() != scored.sum():
        raise InvalidSubmission("rows_unpaired", UNEQUAL)
    order = sort_rows(rows.answers.column(name))
    truth = labels[order][scored[order]]
    guesses = [_kept_values(column, kept) for column in rows.predictions.columns.values()]
    areas = [auroc(guess, truth[:, j]) for j, guess in enumerate(guesses)]
    if np.isnan(areas).any():
        raise InvalidSubmission("score_undefined", ONE_CLASS)
    return float(np.mean(areas))


def _kept_values(column: Column, kept: np.ndarray) -> np.ndarray:
    """Numbers of the scored rows. Which rows those are follows from labels, so the message names none."""
    try:
        return read_parsable("", column.take(np.flatnonzero(kept))).floats()
    except InvalidSubmission:
        raise InvalidSubmission("bad_scored_value", BAD_SCORED_VALUE) from None
