"""Mean absolute error: mean |y - p| over the scored rows. Source: scikit-learn, mean_absolute_error."""

from __future__ import annotations

import numpy as np

from .answers import Floats, Labelled


def mae(predicted: Floats, true: Floats) -> float:
    """Mean absolute error in the unit of the values. NaN for no rows."""
    return float(np.mean(np.abs(true - predicted))) if len(true) else float("nan")


def grade_mae(rows: Labelled) -> float:
    """MAE; with the parameter `whole` rounded to an integer, ties to even."""
    (name,) = rows.targets
    error = mae(*rows.pair(name))
    return float(np.round(error)) if rows.job.params.get("whole") else error
