"""Area under the ROC curve, weighted by bands of the true positive rate.

Definition: with the rates cut into bands at given thresholds, the area between the curve and the bottom of
each band, at most the band's height, times its weight; over the same for a perfect curve. Source:
competition page of ALASKA2 Image Steganalysis.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from .answers import Floats, Labelled


def roc_curve(scores: Floats, labels: Floats) -> tuple[Floats, Floats]:
    """False and true positive rates from (0, 0) to (1, 1), one point per distinct score. Needs both classes."""
    order = np.argsort(-scores, kind="stable")
    ordered, positive = scores[order], labels[order] == 1
    last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))
    true, seen = np.cumsum(positive)[last], last + 1
    rates = [(seen - true) / np.sum(~positive), true / np.sum(positive)]
    false_rate, true_rate = (np.concatenate(([0.0], rate)) for rate in rates)
    return false_rate, true_rate


def weighted_auroc(scores: Floats, labels: Floats, thresholds: list[float], weights: list[float]) -> float:
    """Weighted area, 0 to 1. `thresholds` are the edges of the bands, `weights` one per band. NaN for one class."""
    if len(np.unique(labels)) != 2:
        return float("nan")
    curve = roc_curve(scores, labels)
    for threshold in thresholds[1:-1]:
        curve = _with_point_at(*curve, threshold)
    areas = [_band_area(*curve, low, high) for low, high in pairwise(thresholds)]
    return float(np.dot(weights, areas) / np.dot(weights, np.diff(thresholds)))


def _with_point_at(false_rate: Floats, true_rate: Floats, threshold: float) -> tuple[Floats, Floats]:
    """The curve with a point at this true positive rate, interpolated where there is none."""
    if threshold in true_rate:
        return false_rate, true_rate
    at = int(np.searchsorted(true_rate, threshold))
    rate = np.interp(threshold, true_rate[at - 1 : at + 1], false_rate[at - 1 : at + 1])
    return np.insert(false_rate, at, rate), np.insert(true_rate, at, threshold)


def _band_area(false_rate: Floats, true_rate: Floats, low: float, high: float) -> float:
    return float(np.trapezoid(np.clip(true_rate, low, high) - low, false_rate))


def grade_weighted_auroc(rows: Labelled) -> float:
    (name,) = rows.targets
    params = rows.job.params
    return weighted_auroc(*rows.pair(name), params["tpr_thresholds"], params["weights"])
