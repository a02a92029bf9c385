"""Micro-averaged F1 of label sets.

Definition: 2 TP / (2 TP + FP + FN), summed over all rows and labels. Only labels that some answer holds count:
a predicted label outside them costs nothing. Source: scikit-learn, f1_score with average "micro", and the
benchmark's graders for the set of labels.
"""

from __future__ import annotations

from collections.abc import Sequence

from .answers import Labelled
from .values import read_text_or_empty


def set_micro_f1(predicted: Sequence[str], true: Sequence[str]) -> float:
    """F1, 0 to 1, of cells that hold labels split by blanks; 0 where no label is predicted or true."""
    known = {label for cell in set(true) for label in cell.split()}
    right = named = 0
    # One row after the other: sets of all rows would take more memory than the file.
    for guess, truth in zip(predicted, true, strict=True):
        p, t = set(guess.split()), set(truth.split())
        right += len(p & t)
        named += len(p & known) + len(t)
    return 2 * right / named if named else 0.0


def grade_set_micro_f1(rows: Labelled) -> float:
    (name,) = rows.targets
    predicted, true = rows.predicted(name), read_text_or_empty(name, rows.true(name))
    return set_micro_f1(predicted.values.tolist(), true.values.tolist())
