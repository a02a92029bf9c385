"""Weighted multi-label log loss: the weighted mean loss of each study, averaged over studies.

Definition: per study the log losses of its findings, weighted by finding and label, over the sum of those
weights. Source: RSNA 2022 Cervical Spine Fracture Detection.
"""

from __future__ import annotations

import numpy as np

from .answers import Floats, Labelled

EPSILON = 1e-15


def study_mean_log_loss(predicted: Floats, true: Floats, weights: Floats, studies: np.ndarray) -> float:
    """Mean over studies of the weighted mean of -(y ln p + (1-y) ln(1-p)); shape (rows,) each."""
    p = np.clip(predicted, EPSILON, 1 - EPSILON)
    losses = -(true * np.log(p) + (1 - true) * np.log(1 - p))
    _, study = np.unique(studies, return_inverse=True)
    return float(np.mean(np.bincount(study, weights * losses) / np.bincount(study, weights)))


def grade_weighted_log_loss(rows: Labelled) -> float:
    """Row ids are `<study>_<finding>`. The parameters give each finding's weight if absent and if present."""
    (name,) = rows.targets
    predicted, true = rows.pair(name)
    ids = [str(each).partition("_") for each in rows.true(rows.job.id_columns[0]).values.tolist()]
    params = rows.job.params
    by_label = np.array([params["weights_negative"], params["weights_positive"]], dtype=np.float64)
    finding = [params["findings"].index(each[2]) for each in ids]
    studies = np.array([each[0] for each in ids])
    return study_mean_log_loss(predicted, true, by_label[true.astype(np.intp), finding], studies)
