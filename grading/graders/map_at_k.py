"""Mean average precision at k.

Definition: per row the sum of (hits so far / rank) over ranks that hit, at most k, by min(k, number of true
labels); a label repeated in a prediction uses up a rank and hits once. Source: Kaggle's MAP@k; cells are split
at single spaces, as in the benchmark's graders.
"""

from __future__ import annotations

import numpy as np

from .answers import Labelled
from .values import read_as_text


def average_precision(predicted: list[str], true: set[str], k: int) -> float:
    """Average precision of one row, 0 to 1. `true` is not empty."""
    total, hits = 0.0, 0
    for rank, label in enumerate(predicted[:k], start=1):
        if label in true and label not in predicted[: rank - 1]:
            hits += 1
            total += hits / rank
    return total / min(len(true), k)


def grade_map_at_k(rows: Labelled) -> float:
    """The parameter `k` is how many labels count."""
    (name,) = rows.targets
    k = rows.job.params["k"]
    predicted = (cell.split(" ", k)[:k] for cell in rows.predicted(name).values.tolist())
    true = (set(cell.split(" ")) for cell in read_as_text(name, rows.true(name)).values.tolist())
    return float(np.mean([average_precision(p, t, k) for p, t in zip(predicted, true, strict=True)]))
