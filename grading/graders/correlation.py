"""Pearson correlation, and Spearman's averaged over columns.

Definition: covariance over the product of the standard deviations; Spearman's is Pearson's of average ranks.
Source: scipy.stats, pearsonr and spearmanr.
"""

from __future__ import annotations

import numpy as np

from .answers import Floats, Labelled
from .auroc import average_ranks
from .columns import Column
from .job import Job
from .messages import count
from .predictions import Predictions, read_predictions
from .reader import Table
from .verdict import InvalidSubmission

NAMED_AT_MOST = 5


def read_varying(job: Job, submission: Table, outline: Table) -> Predictions:
    """The checked predictions. Raises InvalidSubmission if all values of a column are equal."""
    predictions = read_predictions(job, submission, outline)
    constant = [name for name, column in predictions.columns.items() if _is_constant(column)]
    if constant:
        named = ", ".join(constant[:NAMED_AT_MOST]) + (", …" if len(constant) > NAMED_AT_MOST else "")
        raise InvalidSubmission(
            "constant_column",
            f"{count(len(constant), 'column')} with the same value in every row: {named}. "
            "A correlation needs values that differ.",
        )
    return predictions


def _is_constant(column: Column) -> bool:
    return bool(np.all(column.values == column.values[:1]))


def pearson(predicted: Floats, true: Floats) -> float:
    """Correlation, -1 to 1. NaN if either side is constant."""
    if np.ptp(predicted) == 0 or np.ptp(true) == 0:
        return float("nan")
    x, y = (_normalised(values - values.mean()) for values in (predicted, true))
    return float(np.clip(np.dot(x, y), -1, 1))


def _normalised(values: Floats) -> Floats:
    """The values at length 1, scaled first so that squares of large ones do not overflow."""
    scaled = values / np.abs(values).max()
    return np.asarray(scaled / np.linalg.norm(scaled))


def spearman(predicted: np.ndarray, true: np.ndarray) -> float:
    """Correlation of average ranks, -1 to 1, of numbers or texts. NaN if either side is constant."""
    return pearson(average_ranks(predicted), average_ranks(true))


def grade_pearson(rows: Labelled) -> float:
    (name,) = rows.targets
    return pearson(*rows.pair(name))


def grade_mean_spearman(rows: Labelled) -> float:
    """Unweighted mean over the target columns. A column of text is ranked as text."""
    correlations = [spearman(rows.predicted(name).values, rows.true(name).values) for name in rows.targets]
    return float(np.mean(correlations))
