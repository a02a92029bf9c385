"""Which row of a submission belongs to which row of the answers, by id.

Ids that are numbers on both sides compare as numbers (007 = 7 = 7.0), others as exact text. A missing id
equals nothing. Rows whose id repeats are paired in file order: sorting is stable (a declared
departure).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .columns import Column, Kind, Rows, all_rows
from .messages import count, list_ids, list_rows
from .verdict import InvalidSubmission


@dataclass(frozen=True)
class Pairing:
    """Equally long row positions: row `submission[i]` predicts row `answers[i]`."""

    submission: Rows
    answers: Rows

    def only(self, keep: npt.NDArray[np.bool_]) -> Pairing:
        return Pairing(self.submission[keep], self.answers[keep])


def pair_sorted(name: str, submission: Column, answers: Column) -> Pairing:
    """Rows paired by id. Raises InvalidSubmission unless the sorted ids are equal.

    In the order of the answers, or else of the ids: where a score depends on it, `in_order_of_ids` mends that.
    """
    require_comparable(name, submission, answers)
    if same_ids(submission, answers):
        return Pairing(all_rows(len(answers)), all_rows(len(answers)))
    if at_once := _pair_at_once(submission, answers):
        return at_once
    pairing = _pair_by_rank(submission, answers)
    if not same_ids(submission.take(pairing.submission), answers.take(pairing.answers)):
        raise InvalidSubmission("ids_differ", explain_difference(name, submission, answers))
    return pairing


def in_order_of_ids(pairing: Pairing, answers: Column) -> Pairing:
    """The same pairs in ascending order of their ids, stable."""
    order = sort_rows(answers.take(pairing.answers))
    return Pairing(pairing.submission[order], pairing.answers[order])


def find_rows(submission: Column, answers: Column) -> Rows | None:
    """For each submission row the position of its id in the answers, where these know it at once, or None.

    None says nothing of the ids: they must then be compared one by one.
    """
    return answers.finder.find(submission) if answers.finder else None


def locate_rows(submission: Column, answers: Column) -> Rows | None:
    """As `find_rows`, but with ABSENT for an id that is not among the answers."""
    return answers.finder.locate(submission) if answers.finder else None


def _inverse(found: Rows, size: int) -> Rows | None:
    """Where each of `size` positions is found, or None if one is not, or twice."""
    if len(found) != size:
        return None
    places = np.full(size, -1, dtype=np.intp)
    places[found] = np.arange(size)
    return None if (places < 0).any() else places


def pair_ranked(submission: Column, answers: Column) -> Pairing:
    """Rows paired by the rank of their id, whatever the ids are; missing ids come last. Equal lengths.

    In the order of the answers, or else of the ids.
    """
    return _pair_at_once(submission, answers) or _pair_by_rank(submission, answers)


def _pair_at_once(submission: Column, answers: Column) -> Pairing | None:
    """The pairing of ids that are those of the answers, once each, where these know it; then equal ids rank alike."""
    found = find_rows(submission, answers)
    places = None if found is None else _inverse(found, len(answers))
    return None if places is None else Pairing(places, all_rows(len(answers)))


def _pair_by_rank(submission: Column, answers: Column) -> Pairing:
    return Pairing(sort_rows(submission), sort_rows(answers))


def pair_joined(name: str, submission: Column, answers: Column) -> Pairing:
    """Each submission row with the answer of its id; repeated rows all count. Sets of ids must be equal."""
    matched = match_rows(name, submission, answers)
    if not np.bincount(matched, minlength=len(answers)).all():
        raise InvalidSubmission("ids_differ", explain_difference(name, submission, answers))
    return Pairing(all_rows(len(matched)), matched)


def match_rows(name: str, submission: Column, answers: Column) -> Rows:
    """For each submission row the position of its id in the answers, whose ids are distinct.

    Raises InvalidSubmission if an id is blank or not among the answers.
    """
    require_comparable(name, submission, answers)
    found = find_rows(submission, answers)
    if found is not None:
        return found
    if submission.missing.any() or unmatched(submission.values, answers.values).size:
        raise InvalidSubmission("ids_differ", explain_difference(name, submission, answers))
    size = len(answers.values)
    group = _distinct(np.concatenate((answers.values, submission.values)))[1]
    position = np.empty(size, dtype=np.intp)
    position[group[:size]] = np.arange(size)
    return position[group[size:]]


def sort_rows(column: Column) -> Rows:
    """Positions in ascending order of value, stable, missing values last."""
    if not column.missing.any():
        return column.sorted_rows()
    present = np.flatnonzero(~column.missing)
    ranked = present[column.take(present).sorted_rows()]
    return np.concatenate((ranked, np.flatnonzero(column.missing)))


def same_ids(left: Column, right: Column) -> bool:
    nothing_missing = not (left.missing.any() or right.missing.any())
    return nothing_missing and len(left) == len(right) and bool(left.equal_values(right).all())


def require_comparable(name: str, submission: Column, answers: Column) -> None:
    if (submission.kind is Kind.TEXT) == (answers.kind is Kind.TEXT):
        return
    if answers.kind is not Kind.TEXT:
        detail = (
            "holds text, but the ids of this competition are numbers. Look for a cell that is not a number."
        )
    else:
        detail = (
            "holds only numbers or blanks, but the ids of this competition are text. "
            "Copy the ids of the sample submission."
        )
    raise InvalidSubmission("ids_differ", f"Column {name} {detail}")


def explain_difference(name: str, submission: Column, answers: Column) -> str:
    """Counts and first examples of blank, absent, unknown and repeated ids, as one message."""
    given = submission.values[~submission.missing]
    expected = _distinct(answers.values[~answers.missing])[0]
    parts = compare_sets(submission, answers) + _explain_repeats(given, expected)
    return f"Column {name}: {'; '.join(parts)}. Give every id of the sample submission, once each."


def compare_sets(submission: Column, answers: Column) -> list[str]:
    """What is wrong with the set of ids, however often each occurs; empty if nothing is."""
    blank = np.flatnonzero(submission.missing)
    present = np.flatnonzero(~submission.missing)
    given, expected = submission.values[present], _distinct(answers.values[~answers.missing])[0]
    absent = unmatched(expected, _distinct(given)[0])
    unknown = present[unmatched(given, expected)]
    parts = []
    if blank.size:
        parts.append(f"{count(blank.size, 'row has', 'rows have')} no id (data row {list_rows(blank)})")
    if absent.size:
        parts.append(f"{count(absent.size, 'id is', 'ids are')} absent ({list_ids(expected[absent])})")
    if unknown.size:
        parts.append(
            f"{count(unknown.size, 'row has', 'rows have')} an id that is not asked for "
            f"(data row {list_rows(unknown)})"
        )
    return parts


def _explain_repeats(given: npt.NDArray[np.generic], expected: npt.NDArray[np.generic]) -> list[str]:
    ordered = given[np.argsort(given, kind="stable")]
    repeated = _distinct(ordered[1:][ordered[1:] == ordered[:-1]])[0]
    if not repeated.size:
        return []
    listed = np.delete(repeated, unmatched(repeated, expected))
    example = f" ({list_ids(listed)})" if listed.size else ""
    return [f"{count(repeated.size, 'id occurs', 'ids occur')} more than once{example}"]


def _distinct(values: npt.NDArray[np.generic]) -> tuple[npt.NDArray[np.generic], Rows]:
    """Distinct values in ascending order, and for each value its position among them."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    fresh = np.ones(len(values), dtype=np.bool_)
    fresh[1:] = ordered[1:] != ordered[:-1]
    inverse = np.empty(len(values), dtype=np.intp)
    inverse[order] = np.cumsum(fresh) - 1
    return ordered[fresh], inverse


def unmatched(values: npt.NDArray[np.generic], known: npt.NDArray[np.generic]) -> Rows:
    """Positions of the values that do not occur in `known`. By sorting, so memory stays bounded."""
    both = np.concatenate((known, values))
    _, group = _distinct(both)
    occurs = np.zeros(len(both) or 1, dtype=np.bool_)
    occurs[group[: len(known)]] = True
    return np.flatnonzero(~occurs[group[len(known) :]])
