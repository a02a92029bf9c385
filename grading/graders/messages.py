"""Short, safe lists for messages: counts, data row numbers, public ids, no other text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

import numpy as np

# Fixed, because which rows are scored follows from the answers.
BAD_SCORED_VALUE = (
    "A scored row holds a missing, infinite or non-numeric value. Write a number in every cell."
)
LISTED_AT_MOST = 5
ID_LENGTH_AT_MOST = 40


def show_id(text: object) -> str:
    """One id without control characters, at most 40 characters long."""
    clean = "".join(c for c in str(text) if unicodedata.category(c)[0] != "C")
    return clean if len(clean) <= ID_LENGTH_AT_MOST else clean[: ID_LENGTH_AT_MOST - 1] + "…"


def list_ids(ids: Iterable[object]) -> str:
    """The first five ids, comma separated."""
    return ", ".join(show_id(each) for each, _ in zip(ids, range(LISTED_AT_MOST), strict=False))


def list_rows(positions: Sequence[int] | np.ndarray) -> str:
    """The first five positions as data row numbers: the row below the header is 1."""
    numbers = sorted(int(p) + 1 for p in positions[:LISTED_AT_MOST])
    return ", ".join(str(n) for n in numbers)


def count(number: int, singular: str, plural: str | None = None) -> str:
    """`1 cell`, `2 cells`."""
    return f"{number} {singular if number == 1 else plural or singular + 's'}"
