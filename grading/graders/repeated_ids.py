"""Pairings for competitions in which ids repeat, or in which a submission may hold more than is asked for."""

from __future__ import annotations

from collections import Counter

import numpy as np

from .columns import ABSENT, Column, Rows
from .ids import (
    Pairing,
    compare_sets,
    locate_rows,
    pair_ranked,
    require_comparable,
    same_ids,
    sort_rows,
    unmatched,
)
from .messages import count, list_ids
from .verdict import InvalidSubmission

ROWS_OF_THE_SAMPLE = "Keep the ids of the sample submission, and its order."
NOT_ALL = "an id that is scored is absent. Give every id of the sample submission."


def pair_grouped(name: str, submission: Column, answers: Column) -> Pairing:
    """Rows paired by position within their id. Equal lengths.

    Raises InvalidSubmission unless every id has as many rows as in the answers.
    """
    require_known(name, submission, answers)
    pairing = pair_ranked(submission, answers)
    if not same_ids(submission.take(pairing.submission), answers.take(pairing.answers)):
        given, expected = Counter(submission.values.tolist()), Counter(answers.values.tolist())
        other = sorted(each for each in expected if given[each] != expected[each])
        raise InvalidSubmission(
            "ids_differ",
            f"Column {name}: {count(len(other), 'id has', 'ids have')} another number of rows than expected "
            f"({list_ids(other)}). {ROWS_OF_THE_SAMPLE}",
        )
    return pairing


def pair_same_set(name: str, submission: Column, answers: Column) -> Pairing:
    """Rows paired by the rank of their id. Raises InvalidSubmission unless both sides hold the same ids."""
    require_known(name, submission, answers)
    if not _holds_all(submission, answers):
        _refuse_set(name, submission, answers)
    return pair_ranked(submission, answers)


def pair_superset(name: str, submission: Column, answers: Column) -> Pairing:
    """Rows whose id is asked for, paired by the rank of their id; the answers' ids are distinct.

    An id given twice shifts all that come after it, and what is left over at the end is dropped, as in the
    benchmark. Raises InvalidSubmission, naming no id, if one of the answers is absent: which are scored is a label.
    """
    if not len(answers):  # An outline, which holds no ids here.
        return Pairing(np.arange(0), np.arange(0))
    require_comparable(name, submission, answers)
    rows = _rows_asked_for(submission, answers)
    if rows is None:
        raise InvalidSubmission("ids_differ", f"Column {name}: {NOT_ALL}")
    ranked = rows[sort_rows(submission.take(rows))]
    return Pairing(ranked[: len(answers)], sort_rows(answers))


def _rows_asked_for(submission: Column, answers: Column) -> Rows | None:
    """Rows whose id is among the answers, or None if not every one of these is given."""
    located = locate_rows(submission, answers)
    if located is not None:
        rows = np.flatnonzero(located != ABSENT)
        return rows if np.bincount(located[rows], minlength=len(answers)).all() else None
    if not _holds_all(submission, answers):
        return None
    asked = ~submission.missing
    asked[unmatched(submission.values, answers.values)] = False
    return np.flatnonzero(asked)


def require_known(name: str, submission: Column, answers: Column) -> None:
    """Raises InvalidSubmission if an id is blank or not among the answers."""
    require_comparable(name, submission, answers)
    if submission.missing.any() or unmatched(submission.values, answers.values).size:
        _refuse_set(name, submission, answers)


def _holds_all(submission: Column, answers: Column) -> bool:
    return not unmatched(answers.values, submission.values[~submission.missing]).size


def _refuse_set(name: str, submission: Column, answers: Column) -> None:
    wrong = "; ".join(compare_sets(submission, answers))
    raise InvalidSubmission("ids_differ", f"Column {name}: {wrong}. {ROWS_OF_THE_SAMPLE}")
