"""Classification accuracy: the share of rows whose predicted label equals the answer.

Definition: matches / rows, rows paired by id. Numbers compare as numbers, text exactly. Source: scikit-learn,
accuracy_score, with its rules on what may be compared with what.
"""

from __future__ import annotations

import numpy as np

from .answers import Labelled
from .columns import Column, Kind
from .values import read_as_text
from .verdict import InvalidSubmission


def accuracy(predicted: Column, true: Column) -> float:
    """Share of equal rows, 0 to 1. Text equals no number, a missing label nothing. NaN for no rows."""
    if (predicted.kind is Kind.TEXT) != (true.kind is Kind.TEXT):
        return 0.0
    equal = (predicted.values == true.values) & ~predicted.missing & ~true.missing
    return float(np.mean(equal)) if equal.size else float("nan")


def require_comparable(name: str, predicted: Column, true: Column) -> None:
    """Raises InvalidSubmission if one side is text, the other is not, and both know at most two labels.

    With three labels on either side the benchmark counts every row as wrong instead.
    """
    if (predicted.kind is Kind.TEXT) != (true.kind is Kind.TEXT) and max(
        map(_labels, (predicted, true))
    ) <= 2:
        raise InvalidSubmission(
            "labels_incomparable",
            f"Column {name} does not hold labels of the kind this competition uses, so that no row "
            "can be compared. Write them exactly as in the sample submission.",
        )


def _labels(column: Column) -> int:
    return len(set(column.values.tolist()))


def grade_accuracy(rows: Labelled) -> float:
    (name,) = rows.targets
    predicted, true = rows.predicted(name), rows.true(name)
    if rows.job.checks.values == "as_text":
        return accuracy(predicted, read_as_text(name, true))
    require_comparable(name, predicted, true)
    return accuracy(predicted, true)


def grade_error(rows: Labelled) -> float:
    """1 - accuracy; lower is better."""
    (name,) = rows.targets
    return 1.0 - accuracy(rows.predicted(name), rows.true(name))


def grade_single_label_f1(rows: Labelled) -> float:
    """Micro-averaged F1; with one label per row it is the accuracy."""
    (name,) = rows.targets
    return accuracy(rows.predicted(name), rows.true(name))
