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
BOXES = Layout(("label", "X", "Y", "width", "height"), label="label")


@dataclass(frozen=True)
class Counts:
    """Characters found, predicted in all, and true in all."""

    found: int
    predicted: int
    true: int


def count_page(points: Objects, boxes: Objects) -> Counts:
    """The counts of one page."""
    found = sum(_count_found(points.of(label), boxes.of(label)) for label in set(boxes.labels))
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


def _count_found(points: Floats, boxes: Floats) -> int:
    """Boxes that get a point, of one label; points (n, 2), boxes (m, 4) as x, y, width, height."""
    unused = np.ones(len(points), dtype=np.bool_)
    for x, y, width, height in boxes.tolist():
        inside = (x < points[:, 0]) & (points[:, 0] < x + width)
        inside &= (y < points[:, 1]) & (points[:, 1] < y + height) & unused
        if inside.any():
            unused[inside.argmax()] = False
    return int((~unused).sum())
