"""Root mean squared error, and its logarithmic form averaged over columns.

Definition: sqrt(mean (y - p)^2); RMSLE replaces y and p by ln(1+y) and ln(1+p). Source: scikit-learn,
root_mean_squared_error and root_mean_squared_log_error.
"""

from __future__ import annotations

import numpy as np

from .answers import Floats, Labelled


def rmse(predicted: Floats, true: Floats) -> float:
    """Root mean squared error in the unit of the values. NaN for no rows."""
    return float(np.sqrt(np.mean((true - predicted) ** 2))) if len(true) else float("nan")


def rmsle(predicted: Floats, true: Floats) -> float:
    """Root mean squared difference of ln(1 + value); both sides must be at least 0."""
    return rmse(np.log1p(predicted), np.log1p(true))


def grade_rmse(rows: Labelled) -> float:
    (name,) = rows.targets
    return rmse(*rows.pair(name))


def grade_mean_rmsle(rows: Labelled) -> float:
    """Unweighted mean of the RMSLEs of the target columns."""
    return float(np.mean([rmsle(predicted, true) for predicted, true in rows.pairs()]))
