"""F-beta of masks: (1 + b^2) TP / (b^2 |true| + |predicted|), averaged over images; 0 without a true positive.

The ids must stand in the order of the answers. Source: scikit-learn, fbeta_score; Kaggle, Vesuvius Challenge,
evaluation page.
"""

from __future__ import annotations

import numpy as np

from .answers import Floats, Labelled
from .masks import Overlaps, find_overlaps
from .verdict import InvalidSubmission

ORDER = "The ids are not in the order of the sample submission. Keep its order."


def f_beta(overlaps: Overlaps, beta: float) -> Floats:
    """F-beta of every image, 0 to 1, shape (images,)."""
    weighted = beta**2 * overlaps.true + overlaps.predicted
    return (1 + beta**2) * overlaps.common / np.where(weighted > 0, weighted, 1)


def grade_f_beta(rows: Labelled) -> float:
    pairing = rows.predictions.pairing
    if not np.array_equal(pairing.submission, pairing.answers):
        raise InvalidSubmission("row_order", ORDER)
    return float(np.mean(f_beta(find_overlaps(rows), float(rows.job.params["beta"]))))
