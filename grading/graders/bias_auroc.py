"""AUROC overall and on identity subgroups, by power means.

Definition: a quarter of the overall AUROC, and a quarter each of the power means (exponent -5) over the
identities of three AUROCs: on comments that mention the identity; on those that mention it and are not
toxic, with toxic ones that do not; on those that mention it and are toxic, with others that do not. Labels,
mentions and, unlike on the competition page, predictions count from 0.5. Source: Jigsaw Unintended Bias in
Toxicity Classification, and the benchmark's grader for the cut at 0.5.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from .answers import Labelled
from .auroc import ONE_CLASS
from .job import Job
from .predictions import Predictions, read_predictions
from .reader import Table
from .verdict import InvalidSubmission

Flags = npt.NDArray[np.bool_]
POWER = -5
CUT = 0.5


def read_either_name(job: Job, submission: Table, outline: Table) -> Predictions:
    """The checked predictions, whose column may bear the name of the labels as well. Never both."""
    names = [*job.target_columns, *job.labels([])]
    given = [name for name in names if name in submission.names]
    if len(given) > 1:
        raise InvalidSubmission(
            "extra_column", f"The file has both columns {' and '.join(names)}. Leave out {names[1]}."
        )
    return read_predictions(replace(job, target_columns=tuple(given or names[:1])), submission, outline)


def hard_auroc(predicted: Flags, true: Flags) -> float:
    """AUROC of yes/no predictions: the mean of both classes' hit rates. Raises InvalidSubmission for one class."""
    if true.all() or not true.any():
        raise InvalidSubmission("score_undefined", ONE_CLASS)
    return float(np.mean(predicted[true]) + np.mean(~predicted[~true])) / 2


def power_mean(values: list[float]) -> float:
    """(mean of v^-5)^(-1/5); 0 if a value is 0."""
    with np.errstate(divide="ignore"):
        return float(np.mean(np.array(values) ** POWER) ** (1 / POWER))


def bias_auroc(predicted: Flags, true: Flags, identities: list[Flags]) -> float:
    """The score, 0 to 1; shape (rows,) each."""
    kinds = (
        identities,
        [mentioned != true for mentioned in identities],
        [mentioned == true for mentioned in identities],
    )
    means = [power_mean([hard_auroc(predicted[rows], true[rows]) for rows in kind]) for kind in kinds]
    return float(np.mean([hard_auroc(predicted, true), *means]))


def grade_bias_auroc(rows: Labelled) -> float:
    """Missing predictions and mentions count as no."""
    (guess,) = rows.predictions.columns.values()
    names = (*rows.job.labels([]), *rows.job.reads)
    true, *identities = (rows.true(name).floats() >= CUT for name in names)
    return bias_auroc(guess.floats() >= CUT, true, identities)
