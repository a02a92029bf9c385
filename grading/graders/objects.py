"""Cells that list objects: each a fixed number of words, one of them a label, the others numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .answers import Floats
from .cells import BadCell


@dataclass(frozen=True)
class Layout:
    """The words of one object, by name. `single_spaces`: any further blank makes a word of its own."""

    words: tuple[str, ...]
    label: str
    single_spaces: bool = True


@dataclass(frozen=True)
class Objects:
    """The objects of one cell: labels, and numbers of shape (objects, numbers)."""

    labels: list[str]
    numbers: Floats

    def of(self, label: str) -> Floats:
        """The numbers of the objects with this label, in order."""
        return self.numbers[[each == label for each in self.labels]]


def parse_objects(text: str, layout: Layout) -> Objects:
    """The objects listed in a cell, none in an empty one. Raises BadCell."""
    words = _split(text, layout)
    size = len(layout.words)
    if len(words) % size:
        raise BadCell(
            f"the number of words is no multiple of {size} ({' '.join(layout.words)}); "
            "look for a word too few or a blank too many"
        )
    at = layout.words.index(layout.label)
    columns = [_numbers(words[i::size]) for i in range(size) if i != at]
    return Objects(words[at::size], np.array(columns, dtype=np.float64).T)


def _split(text: str, layout: Layout) -> list[str]:
    if not layout.single_spaces:
        return text.split()
    return text.split(" ") if text else []


def _numbers(words: Sequence[str]) -> list[float]:
    try:
        return [float(word) for word in words]
    except ValueError:
        raise BadCell("a word that must be a number is none") from None
