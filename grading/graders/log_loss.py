"""Log loss, binary and multi-class: the mean of -ln(probability given to the true class).

Probabilities are first clipped to [e, 1 - e] and never renormalised. Source: scikit-learn, log_loss.
"""

from __future__ import annotations

import numpy as np

from .answers import Floats, Labelled

# The clipping of the benchmark's environment: one unit in the last place of a double at 1.
EPSILON = float(np.finfo(np.float64).eps)


def binary_log_loss(predicted: Floats, true: Floats) -> float:
    """Mean of -(y ln p + (1-y) ln(1-p)), shape (rows,) each. A wrong certain row costs 36.04."""
    p = np.clip(predicted, EPSILON, 1 - EPSILON)
    return float(-np.mean(true * np.log(p) + (1 - true) * np.log(1 - p)))


def multiclass_log_loss(predicted: Floats, true: Floats) -> float:
    """Mean of -ln p of the true class. Both of shape (rows, classes), `true` one-hot."""
    p = np.clip(predicted, EPSILON, 1 - EPSILON)
    return float(-np.mean(np.sum(true * np.log(p), axis=1)))


def grade_binary_log_loss(rows: Labelled) -> float:
    (name,) = rows.targets
    return binary_log_loss(*rows.pair(name))


def grade_multiclass_log_loss(rows: Labelled) -> float:
    return multiclass_log_loss(*rows.matrices())
