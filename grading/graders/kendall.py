"""Kendall tau of predicted orders, pooled over notebooks.

Definition: 1 - 4 S / N, where S is the number of swaps of neighbours that turn the predicted orders into the
true ones, and N the sum of n (n - 1) over notebooks of n cells. Source: AI4Code.
"""

from __future__ import annotations

from bisect import bisect, insort

from .answers import Labelled
from .values import read_as_text
from .verdict import InvalidSubmission

OTHER_CELLS = (
    "A row does not list exactly the cells of its notebook. Give every cell of the notebook once, with its own "
    "id, split by blanks."
)


def count_inversions(ranks: list[int]) -> int:
    """Pairs in the wrong order, which is the least number of swaps of neighbours that sorts the list."""
    seen: list[int] = []
    inversions = 0
    for number, rank in enumerate(ranks):
        inversions += number - bisect(seen, rank)
        insort(seen, rank)
    return inversions


def kendall_tau(predicted: list[list[str]], true: list[list[str]]) -> float:
    """Pooled correlation, -1 to 1. NaN if no notebook has two cells.

    Raises InvalidSubmission, naming no row, unless each predicted order holds the true one's cells.
    """
    swaps, pairs = 0, 0
    for guess, order in zip(predicted, true, strict=True):
        rank = {cell: i for i, cell in enumerate(order)}
        if len(guess) != len(order) or set(guess) != rank.keys():
            raise InvalidSubmission("cells_differ", OTHER_CELLS)
        swaps += count_inversions([rank[cell] for cell in guess])
        pairs += len(order) * (len(order) - 1)
    return 1 - 4 * swaps / pairs if pairs else float("nan")


def grade_kendall_tau(rows: Labelled) -> float:
    (name,) = rows.targets
    sides = (rows.predicted(name), read_as_text(name, rows.true(name)))
    predicted, true = ([cell.split() for cell in side.values.tolist()] for side in sides)
    return kendall_tau(predicted, true)
