"""Probabilistic F1: precision and recall with predictions as fractions of a positive.

Definition: with predictions cut to [0, 1], precision is their sum over the positives by their sum over all,
recall their sum over the positives by the number of positives; the score is their harmonic mean. Source:
RSNA Screening Mammography Breast Cancer Detection; Yacouby & Axman 2020.
"""

from __future__ import annotations

import numpy as np

from .answers import Floats, Labelled
from .job import Job
from .predictions import Predictions, read_predictions
from .reader import Table
from .verdict import InvalidSubmission


def read_not_all_negative(job: Job, submission: Table, outline: Table) -> Predictions:
    """The checked predictions. Raises InvalidSubmission if all lie below zero, which the benchmark refuses."""
    predictions = read_predictions(job, submission, outline)
    (name,) = predictions.columns
    if np.all(predictions.floats(name) < 0):
        raise InvalidSubmission(
            "out_of_range", f"Column {name}: all values are negative. Write probabilities from 0 to 1."
        )
    return predictions


def probabilistic_f1(predicted: Floats, true: Floats) -> float:
    """Harmonic mean, 0 to 1; 0 if nothing is predicted, or any prediction is missing."""
    mass = np.clip(predicted, 0, 1)
    hits, total = float(mass[true == 1].sum()), float(mass.sum())
    if not (hits > 0 and total > 0):
        return 0.0
    precision, recall = hits / total, hits / float(np.sum(true == 1))
    return 2 * precision * recall / (precision + recall)


def grade_probabilistic_f1(rows: Labelled) -> float:
    (name,) = rows.targets
    return probabilistic_f1(*rows.pair(name))
