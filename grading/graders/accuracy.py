"""Classification accuracy: the share of rows whose predicted label equals the answer.

Definition: matches / rows, rows paired by id. Numbers compare as numbers, text exactly. Source: scikit-learn,
accuracy_score, with its rules on what may be compared with what.
"""

from __future__ import annotations

import numpy as np

from .answers import Labelled
from .columns import Column, Kind
from .messages import count, list_rows
from .values import read_as_text
from .verdict import InvalidSubmission, Note


def accuracy(predicted: Column, true: Column) -> float:
    """Share of equal rows, 0 to 1. Text equals no number, a missing label nothing. NaN for no rows."""
    if (predicted.kind is Kind.TEXT) != (true.kind is Kind.TEXT):
        return 0.0
    equal = predicted.equal_values(true) & ~predicted.missing & ~true.missing
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


def note_stray_labels(rows: Labelled) -> Note | None:
    """What to tell a team whose column became text through cells that are no labels; it scores 0 on purpose.

    Follows from the file and the kind of the labels alone, so it gives no label away.
    """
    (name,) = rows.targets
    predicted, true = rows.predicted(name), rows.true(name)
    if rows.job.checks.values == "as_text" or predicted.kind is not Kind.TEXT or true.kind is Kind.TEXT:
        return None
    stray = [row for row, cell in enumerate(predicted.values.tolist()) if not _is_label(cell, true.kind)]
    places = list_rows(sorted(rows.predictions.pairing.submission[stray].tolist()))
    return Note(
        "labels_read_as_text",
        f"Column {name}: {count(len(stray), 'value')} of a kind this competition does not use (data row {places}) "
        "make the whole column text, and text equals none of its labels: every row counts as wrong, here as in "
        "the benchmark. Write labels exactly as in the sample submission.",
    )


def _is_label(cell: str, kind: Kind) -> bool:
    if kind is Kind.BOOLEAN:
        return cell.lower() in ("true", "false")
    try:
        float(cell)
    except ValueError:
        return False
    return True


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
