"""Kullback-Leibler divergence of predicted from true distributions, averaged over rows.

Definition: sum over classes with q > 0 of q ln(q / p), p clipped to [1e-15, 1 - 1e-15], q the votes of a row
over their sum. Source: HMS Harmful Brain Activity Classification.
"""

from __future__ import annotations

import numpy as np

from .answers import Floats, Labelled
from .job import Job
from .predictions import Predictions, read_predictions
from .reader import Table
from .verdict import InvalidSubmission

EPSILON = 1e-15


def read_distributions(job: Job, submission: Table, outline: Table) -> Predictions:
    """The checked predictions. Raises InvalidSubmission if other columns hold anything but zeros.

    The benchmark takes every column but the id for a probability.
    """
    predictions = read_predictions(job, submission, outline)
    rows = predictions.pairing.submission
    total = np.sum([column.floats() for column in predictions.columns.values()], axis=0)
    for position, name in enumerate(submission.names):
        if name in job.id_columns or name in predictions.columns:
            continue
        extra = submission.column(name).take(rows)
        values = np.nan_to_num(extra.floats()) if extra.is_numeric else np.full(len(rows), np.inf)
        total = total + values
        if np.any(values < 0) or not np.allclose(total, 1.0):
            raise InvalidSubmission(
                "extra_column",
                f"The column at position {position + 1} is not asked for and does not hold zeros, so it "
                "counts as a probability and rows do not sum to 1. Leave it out.",
            )
    return predictions


def kl_divergence(predicted: Floats, votes: Floats) -> float:
    """Mean divergence in nats, shape (rows, classes) each; every row of `votes` has one at least."""
    q = votes / votes.sum(axis=1, keepdims=True)
    p = np.clip(predicted, EPSILON, 1 - EPSILON)
    terms = np.where(q > 0, q * np.log(np.where(q > 0, q, 1) / p), 0)
    return float(np.mean(terms.sum(axis=1)))


def grade_kl_divergence(rows: Labelled) -> float:
    return kl_divergence(*rows.matrices())
