"""Mean over groups of the logarithm of each group's mean absolute error.

Definition: mean over groups of ln(MAE). There is no floor, although the competition page promises one. Source:
Predicting Molecular Properties, and the benchmark's grader.
"""

from __future__ import annotations

import numpy as np

from .answers import Floats, Labelled
from .verdict import InvalidSubmission

EXACT = (
    "All rows of one group are predicted exactly, so that the logarithm of its error, and with it the score, "
    "is minus infinity. It cannot be ranked."
)


def group_mean_log_mae(predicted: Floats, true: Floats, groups: np.ndarray) -> float:
    """Mean of ln(MAE), shape (rows,) each. Raises InvalidSubmission if a group has no error at all."""
    _, group = np.unique(groups, return_inverse=True)
    errors = np.bincount(group, np.abs(true - predicted)) / np.bincount(group)
    if not errors.all():
        raise InvalidSubmission("score_not_finite", EXACT)
    return float(np.mean(np.log(errors)))


def grade_group_mean_log_mae(rows: Labelled) -> float:
    (name,), (group,) = rows.targets, rows.job.reads
    return group_mean_log_mae(*rows.pair(name), rows.true(group).values)
