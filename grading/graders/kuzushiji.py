"""F1 of predicted characters: right where the point lies strictly inside a box of the same character.

Boxes are gone through in order, each taking the first prediction that fits and is unused; counts are pooled
over pages. Source: Kaggle, Kuzushiji Recognition, evaluation page and the organisers' script.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .answers import Floats, Labelled
from .cells import parse_answers, read_cells
from .job import Job
from .objects import Layout, Objects, parse_objects
from .predictions import Predictions
from .reader import Table

POINTS = Layout(("label", "X", "Y"), label="label")
MANY = 64  # points of one label, from which on arrays are quicker than lists
BOXES = Layout(("label", "X", "Y", "width", "height"), label="label")


@dataclass(frozen=True)
class Counts:
    """Characters found, predicted in all, and true in all."""

    found: int
    predicted: int
    true: int


def count_page(points: Objects, boxes: Objects) -> Counts:
    """The counts of one page."""
    guessed = _rows_by_label(points)
    found = sum(_count_found(guessed.get(label, []), rows) for label, rows in _rows_by_label(boxes).items())
    return Counts(found, len(points.labels), len(boxes.labels))


def f1(found: int, predicted: int, true: int) -> float:
    """Harmonic mean of found / predicted and found / true; 0 where nothing is found."""
    if not found:
        return 0.0
    precision, recall = found / predicted, found / true
    return 2 * precision * recall / (precision + recall)


def read_points(job: Job, submission: Table, outline: Table) -> Predictions:
    """Predictions whose cells list points. Coordinates may be NaN or infinite: such points are in no box."""
    return read_cells(job, submission, outline, parse_points)


def parse_points(text: str) -> Objects:
    return parse_objects(text, POINTS)


def grade_kuzushiji(rows: Labelled) -> float:
    """F1 over all pages."""
    (name,) = rows.targets
    true = rows.true(name)
    cells = np.where(true.missing, "", true.values).tolist()
    pages = parse_answers(name, cells, lambda text: parse_objects(text, BOXES))
    guesses = map(parse_points, rows.predicted(name).values.tolist())
    counts = [count_page(points, boxes) for points, boxes in zip(guesses, pages, strict=True)]
    return f1(sum(c.found for c in counts), sum(c.predicted for c in counts), sum(c.true for c in counts))


def _rows_by_label(objects: Objects) -> dict[str, list[list[float]]]:
    """The numbers of each object, by label. Plain lists: a page has many labels with a few objects each."""
    rows: dict[str, list[list[float]]] = {}
    for label, numbers in zip(objects.labels, objects.numbers.tolist(), strict=True):
        rows.setdefault(label, []).append(numbers)
    return rows


def _count_found(points: list[list[float]], boxes: list[list[float]]) -> int:
    """Boxes that get a point, of one label; points are x, y, boxes x, y, width, height."""
    if len(points) > MANY:
        return _count_found_of_many(np.array(points), boxes)
    unused, found = list(points), 0
    for x, y, width, height in boxes:
        for place, (across, down) in enumerate(unused):
            if x < across < x + width and y < down < y + height:
                del unused[place]
                found += 1
                break
    return found


def _count_found_of_many(points: Floats, boxes: list[list[float]]) -> int:
    """The same for a long list of points, which is searched at once."""
    unused = np.ones(len(points), dtype=np.bool_)
    for x, y, width, height in boxes:
        inside = (x < points[:, 0]) & (points[:, 0] < x + width)
        inside &= (y < points[:, 1]) & (points[:, 1] < y + height) & unused
        if inside.any():
            unused[inside.argmax()] = False
    return int((~unused).sum())
