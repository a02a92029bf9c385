"""Area under the ROC curve, of one column or averaged over several.

Definition: the share of (positive, negative) pairs in which the positive has the higher score, ties
counting half; computed from average ranks: (R - P(P+1)/2) / (P N), R the rank sum of the positives. Source:
Hanley & McNeil 1982; equal to scikit-learn's roc_auc_score.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .answers import Floats, Labelled
from .verdict import InvalidSubmission

ONE_CLASS = "The score of this submission is not defined: the rows it is scored on hold one class only."


def auroc(scores: Floats, labels: npt.NDArray[np.generic]) -> float:
    """AUROC, 0 to 1; the larger of the two label values is the positive one. NaN unless there are two."""
    classes = np.unique(labels)
    if len(classes) != 2:
        return float("nan")
    positive = labels == classes[1]
    positives = int(positive.sum())
    negatives = len(labels) - positives
    rank_sum = float(average_ranks(scores)[positive].sum())
    return (rank_sum - positives * (positives + 1) / 2) / (positives * negatives)


def average_ranks(values: Floats) -> Floats:
    """1-based ranks, shape (n,); equal values share the mean of their ranks."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    ends = np.concatenate((starts[1:], [len(values)]))
    ranks = np.empty(len(values))
    ranks[order] = np.repeat((starts + 1 + ends) / 2, ends - starts)
    return ranks


def grade_mean_auroc(rows: Labelled) -> float:
    """Unweighted mean of the AUROCs of the target columns; of one column simply its AUROC."""
    areas = [auroc(predicted, true) for predicted, true in rows.pairs()]
    if np.isnan(areas).any():
        raise InvalidSubmission("score_undefined", ONE_CLASS)
    return float(np.mean(areas))
