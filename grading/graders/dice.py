"""The Dice coefficient of masks: 2 |A and B| / (|A| + |B|).

Source: the benchmark's dice_coefficient; Kaggle, HuBMAP and Google Research contrails, evaluation pages.
"""

from __future__ import annotations

import numpy as np

from .answers import Floats, Labelled
from .masks import Overlaps, find_overlaps


def dice(overlaps: Overlaps, both_empty: float = float("nan")) -> Floats:
    """Dice of every image, 0 to 1, shape (images,); `both_empty` where neither side has a pixel."""
    total = overlaps.predicted + overlaps.true
    return np.where(total > 0, 2 * overlaps.common / np.maximum(total, 1), both_empty)


def global_dice(overlaps: Overlaps) -> float:
    """Dice of all pixels of all images pooled. NaN if no pixel is set on either side."""
    total = overlaps.predicted.sum() + overlaps.true.sum()
    return float(2 * overlaps.common.sum() / total) if total else float("nan")


def grade_global_dice(rows: Labelled) -> float:
    return global_dice(find_overlaps(rows))


def grade_mean_dice(rows: Labelled) -> float:
    """Mean over images; images empty on both sides count the parameter `both_empty`."""
    return float(np.mean(dice(find_overlaps(rows), float(rows.job.params["both_empty"]))))
