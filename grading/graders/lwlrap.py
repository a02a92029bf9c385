"""Label-weighted label-ranking average precision (lwlrap).

Definition: for each true label of a clip, the share of true labels among the classes that score at least as
high; the mean over all true labels of all clips. Ties count against. Source: Freesound Audio Tagging 2019;
equal to scikit-learn's label_ranking_average_precision_score weighted by the labels of each row.
"""

from __future__ import annotations

import numpy as np

from .answers import Floats, Labelled
from .job import Job
from .predictions import Predictions, read_predictions
from .reader import Table
from .verdict import InvalidSubmission


def read_in_order(job: Job, submission: Table, outline: Table) -> Predictions:
    """The checked predictions; the id comes first, and the classes in the order of the answers."""
    predictions = read_predictions(job, submission, outline)
    expected = [*job.id_columns, *predictions.columns]
    if submission.names != expected:
        place = next(i for i, name in enumerate(expected) if submission.names[i] != name)
        raise InvalidSubmission(
            "column_order",
            f"Column {expected[place]} is expected at position {place + 1}. "
            "Put the columns in the sample's order.",
        )
    return predictions


def lwlrap(scores: Floats, labels: Floats) -> float:
    """Mean precision at each true label, 0 to 1; shape (clips, classes) each. NaN without labels."""
    true = labels > 0
    precisions = [_precisions(scores, true, each) for each in range(true.shape[1])]
    found = np.concatenate(precisions) if precisions else np.array([])
    return float(np.mean(found)) if found.size else float("nan")


def _precisions(scores: Floats, true: np.ndarray, label: int) -> Floats:
    """Precision at this label in the clips that have it. One label at a time, so memory stays bounded."""
    clips = true[:, label]
    at_least = scores[clips] >= scores[clips, label, None]
    return np.asarray((at_least & true[clips]).sum(axis=1) / at_least.sum(axis=1))


def grade_lwlrap(rows: Labelled) -> float:
    return lwlrap(*rows.matrices())
