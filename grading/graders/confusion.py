"""Metrics on counts of true and predicted classes: quadratic weighted kappa, macro F1, Matthews correlation.

Classes are the sorted union of the labels on both sides. Sources: scikit-learn, cohen_kappa_score with
quadratic weights, f1_score with average "macro", matthews_corrcoef.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .answers import Floats, Labelled


@dataclass(frozen=True)
class Counts:
    """Rows true, predicted and right per class, shape (classes,) each; `codes` are class positions."""

    true: Floats
    predicted: Floats
    right: Floats
    true_codes: np.ndarray
    predicted_codes: np.ndarray


def count_classes(predicted: np.ndarray, true: np.ndarray) -> Counts:
    """Counts over the union of the labels. Never builds the full matrix: one side may hold 60,000 classes."""
    classes, codes = np.unique(np.concatenate((true, predicted)), return_inverse=True)
    t, p = codes[: len(true)], codes[len(true) :]
    counted = [np.bincount(c, minlength=len(classes)).astype(np.float64) for c in (t, p, t[t == p])]
    return Counts(counted[0], counted[1], counted[2], t, p)


def quadratic_weighted_kappa(predicted: np.ndarray, true: np.ndarray) -> float:
    """1 - observed / expected disagreement, weights (i-j)^2 of class POSITIONS. NaN for a single class."""
    counts = count_classes(predicted, true)
    if len(counts.true) < 2:
        return float("nan")
    positions = np.arange(len(counts.true), dtype=np.float64)
    observed = float(np.sum((counts.true_codes - counts.predicted_codes).astype(np.float64) ** 2))
    expected = _expected_squares(positions, counts)
    return 1.0 - observed / expected if expected else float("nan")


def _expected_squares(positions: Floats, counts: Counts) -> float:
    """Sum over i, j of true_i predicted_j (i-j)^2 / n, by its three terms."""
    t, p, n = counts.true, counts.predicted, counts.true.sum()
    squares = np.sum(t * positions**2) * p.sum() + np.sum(p * positions**2) * t.sum()
    return float((squares - 2 * np.sum(t * positions) * np.sum(p * positions)) / n)


def macro_f1(predicted: np.ndarray, true: np.ndarray) -> float:
    """Unweighted mean of 2 right / (true + predicted) over the classes on either side."""
    counts = count_classes(predicted, true)
    return float(np.mean(2 * counts.right / (counts.true + counts.predicted)))


def matthews_correlation(predicted: np.ndarray, true: np.ndarray) -> float:
    """Multi-class Matthews correlation, -1 to 1; 0 where one side holds a single class."""
    counts = count_classes(predicted, true)
    n = counts.true.sum()
    covariance = counts.right.sum() * n - counts.true @ counts.predicted
    spread = (n**2 - counts.predicted @ counts.predicted) * (n**2 - counts.true @ counts.true)
    return float(covariance / np.sqrt(spread)) if spread else 0.0


def grade_kappa(rows: Labelled) -> float:
    (name,) = rows.targets
    return quadratic_weighted_kappa(*rows.pair(name))


def grade_macro_f1(rows: Labelled) -> float:
    (name,) = rows.targets
    return macro_f1(rows.predicted(name).values, rows.true(name).values.astype(np.int64))


def grade_matthews(rows: Labelled) -> float:
    (name,) = rows.targets
    return matthews_correlation(*rows.pair(name))
