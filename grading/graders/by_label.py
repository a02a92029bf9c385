"""Objects of one cell by their label, all labels in one pass."""

from __future__ import annotations

import numpy as np

from .answers import Floats
from .objects import Objects

ByLabel = dict[str, Floats]


def by_label(objects: Objects) -> ByLabel:
    """The numbers of the objects with each label, in order; `Objects.of` for every label that occurs."""
    places: dict[str, list[int]] = {}
    for place, label in enumerate(objects.labels):
        places.setdefault(label, []).append(place)
    return {label: objects.numbers[np.array(rows)] for label, rows in places.items()}
