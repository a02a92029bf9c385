"""Share of ten IoU thresholds a predicted mask passes, averaged over images.

Two empty masks count 1, pixels predicted in an empty image 0. An empty prediction on an image that is not
empty is treated as if it covered the whole image, so it scores where the truth covers most of it: that is how
the benchmark's grader, adapted from a public notebook, bins a constant image. Kaggle, TGS Salt
Identification, evaluation page.
"""

from __future__ import annotations

import numpy as np

from .answers import Floats, Labelled
from .masks import Overlaps, find_overlaps, image_sizes

# Not round numbers: 0.6000000000000001, 0.7000000000000002, ... decide what an IoU of 0.6 or 0.7 passes.
THRESHOLDS = np.arange(0.5, 1.0, 0.05)


def intersection_over_union(overlaps: Overlaps, sizes: Floats) -> Floats:
    """IoU of every image, shape (images,), with the rule on empty predictions; NaN for two empty masks."""
    union = overlaps.predicted + overlaps.true - overlaps.common
    with np.errstate(invalid="ignore"):
        return np.where(overlaps.predicted > 0, overlaps.common / union, overlaps.true / sizes)


def salt_precision(overlaps: Overlaps, sizes: Floats) -> Floats:
    """Share of thresholds below the IoU of every image, 0 to 1, shape (images,)."""
    passed = intersection_over_union(overlaps, sizes)[:, None] > THRESHOLDS
    both_empty = (overlaps.true == 0) & (overlaps.predicted == 0)
    return np.where(both_empty, 1.0, passed.mean(axis=1))


def grade_salt_precision(rows: Labelled) -> float:
    sizes = image_sizes(rows).prod(axis=1).astype(np.float64)
    return float(np.mean(salt_precision(find_overlaps(rows), sizes)))
