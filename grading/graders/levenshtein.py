"""Edit distance: of texts, averaged, and of gesture sequences, per true gesture.

Definition: the least number of insertions, deletions and substitutions that turn one sequence into the other.
Source: Levenshtein 1966; computed by RapidFuzz.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from rapidfuzz.distance import Levenshtein

from .answers import Labelled
from .job import Job
from .messages import count, list_rows
from .predictions import Predictions, read_predictions
from .reader import Table
from .values import read_as_text
from .verdict import InvalidSubmission


def edit_distance(left: str | Sequence[Hashable], right: str | Sequence[Hashable]) -> int:
    """Unit-cost distance of two texts by code points, or of two sequences of tokens."""
    if isinstance(left, str) and isinstance(right, str):
        return Levenshtein.distance(left, right)
    # The library compares tokens by their hash, which two integers may share: numbered, they cannot.
    numbers: dict[Hashable, int] = {}
    sides = [[numbers.setdefault(token, len(numbers)) for token in side] for side in (left, right)]
    return Levenshtein.distance(*sides)


def read_integer_lists(job: Job, submission: Table, outline: Table) -> Predictions:
    """The checked predictions. Raises InvalidSubmission at cells that are no integers split by blanks."""
    predictions = read_predictions(job, submission, outline)
    (name,) = predictions.columns
    cells = read_as_text(name, submission.column(name)).values.tolist()
    wrong = np.flatnonzero([not _is_integer_list(cell) for cell in cells])
    if wrong.size:
        raise InvalidSubmission(
            "not_integers",
            f"Column {name}: {count(wrong.size, 'cell does', 'cells do')} not hold integers split by blanks "
            f"(data row {list_rows(wrong)}). Write for example 2 12 3, without decimal points or commas.",
        )
    return predictions


def _is_integer_list(cell: str) -> bool:
    try:
        list(map(int, cell.split()))
    except ValueError:
        return False
    return True


def grade_mean_levenshtein(rows: Labelled) -> float:
    """Mean distance in code points; blanks among the answers count as the text `nan`."""
    (name,) = rows.targets
    true = read_as_text(name, rows.true(name)).values.tolist()
    predicted = rows.predicted(name).values.tolist()
    return float(np.mean([edit_distance(p, t) for p, t in zip(predicted, true, strict=True)]))


def grade_normalised_levenshtein(rows: Labelled) -> float:
    """Sum of the distances by the number of true tokens; can exceed 1."""
    (name,) = rows.targets
    sides = (rows.predicted(name), read_as_text(name, rows.true(name)))
    predicted, true = ([list(map(int, cell.split())) for cell in side.values.tolist()] for side in sides)
    distance = sum(edit_distance(p, t) for p, t in zip(predicted, true, strict=True))
    return distance / sum(map(len, true))
