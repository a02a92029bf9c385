"""Micro-averaged F1 of label sets.

Definition: 2 TP / (2 TP + FP + FN), summed over all rows and labels. Only labels that some answer holds count:
a predicted label outside them costs nothing. Source: scikit-learn, f1_score with average "micro", and the
benchmark's graders for the set of labels.
"""

from __future__ import annotations

from itertools import chain

from .answers import Labelled
from .values import read_text_or_empty

Labels = list[set[str]]


def set_micro_f1(predicted: Labels, true: Labels) -> float:
    """F1, 0 to 1; 0 where no label is predicted or true."""
    known = set(chain.from_iterable(true))
    right = sum(len(p & t) for p, t in zip(predicted, true, strict=True))
    named = sum(len(p & known) for p in predicted) + sum(map(len, true))
    return 2 * right / named if named else 0.0


def grade_set_micro_f1(rows: Labelled) -> float:
    (name,) = rows.targets
    sides = (rows.predicted(name), read_text_or_empty(name, rows.true(name)))
    predicted, true = ([set(cell.split()) for cell in side.values.tolist()] for side in sides)
    return set_micro_f1(predicted, true)
