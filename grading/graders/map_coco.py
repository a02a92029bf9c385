"""Mean average precision as the COCO evaluation computes it, at one IoU threshold, averaged over classes.

Two oddities of the benchmark's use of it decide scores and are kept. Corners are handed over where the
evaluation expects x, y, width, height, so IoU is that of other rectangles. And numbers begin at 0, which the
evaluation takes for "unmatched": a prediction that takes the first box of the answers counts as wrong, and a
box taken by the first prediction of the file stays free. Sources: COCO evaluation, bounding boxes; Kaggle,
VinBigData Chest X-ray, evaluation page, and the benchmark's grader.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from .answers import Floats, Labelled
from .cells import BadCell, require_cells
from .checks import require_columns
from .columns import Column
from .ids import Pairing, match_rows, pair_joined
from .job import Job
from .objects import Layout, Objects, parse_objects
from .predictions import Predictions
from .reader import Table
from .values import VALUE_READERS

BOXES = Layout(("class", "confidence", "xmin", "ymin", "xmax", "ymax"), label="class")
LARGEST_AREA = 1e10
Bits = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Boxes:
    """Boxes of one class: image number, four corners, and whether it is number 0; confidences of guesses.

    `outside`: boxes whose area, by their corners, is negative or too large; wrong ones among them do not count.
    """

    images: npt.NDArray[np.intp]
    corners: Floats
    first: Bits
    scores: Floats
    outside: Bits

    def take(self, rows: npt.NDArray[np.intp]) -> Boxes:
        return Boxes(*(getattr(self, each.name)[rows] for each in fields(self)))


@dataclass(frozen=True)
class Scoring:
    """The numbers of the evaluation: lowest IoU, guesses looked at per image, points of the recall axis."""

    threshold: float
    most: int
    recall_points: int


def find_outside(corners: Floats) -> Bits:
    """Which of the boxes have a negative or too large area by their corners, shape (boxes, 4)."""
    with np.errstate(over="ignore"):
        area = np.prod(corners[:, 2:] - corners[:, :2], axis=1)
    return np.array((area < 0) | (area > LARGEST_AREA))


def box_overlaps(guesses: Floats, true: Floats) -> Floats:
    """IoU, shape (guesses, true), of rectangles given as x, y, width, height."""
    g, t = guesses[:, None, :], true[None, :, :]
    low = np.maximum(g[..., :2], t[..., :2])
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        sides = np.minimum(g[..., :2] + g[..., 2:], t[..., :2] + t[..., 2:]) - low
        common = sides.prod(axis=-1)
        union = g[..., 2:].prod(axis=-1) + t[..., 2:].prod(axis=-1) - common
        return np.where((sides > 0).all(axis=-1), common / union, 0.0)


def match_image(guesses: Boxes, true: Boxes, threshold: float) -> tuple[Bits, Bits]:
    """Of guesses by falling confidence, which count as right, and which do not count at all."""
    right, left_out = np.zeros(len(guesses.images), dtype=np.bool_), guesses.outside.copy()
    if not len(true.images):
        return right, left_out
    overlaps = box_overlaps(guesses.corners, true.corners)
    ignored, free = true.outside, np.ones(len(true.images), dtype=np.bool_)
    for i in np.flatnonzero((overlaps >= threshold).any(axis=1)):
        best = _best_free(overlaps[i], free, ignored, threshold)
        if best is None:
            continue
        free[best] = guesses.first[i]
        right[i] = not true.first[best]
        left_out[i] = ignored[best] or (left_out[i] and not right[i])
    return right, left_out


def interpolated_precision(right: Bits, positives: int, recall_points: int) -> float:
    """Mean over evenly spaced recalls of the best precision at that recall or beyond; 0 beyond the last."""
    hits = np.cumsum(right)
    precision = hits / (np.arange(len(right)) + 1 + np.spacing(1))
    envelope = np.append(np.maximum.accumulate(precision[::-1])[::-1], 0.0)
    reached = np.searchsorted(hits / positives, np.linspace(0.0, 1.0, recall_points), side="left")
    return float(np.mean(envelope[reached]))


def class_precision(guesses: Boxes, true: Boxes, scoring: Scoring) -> float:
    """Average precision of one class, 0 to 1; NaN if the answers have no box of it that counts."""
    positives = int((~true.outside).sum())
    if not positives:
        return float("nan")
    kept = {image: rows[: scoring.most] for image, rows in _by_image(guesses).items()}
    if not kept:
        return 0.0
    true_rows, none = _by_image(true), np.zeros(0, dtype=np.intp)
    outcomes = [
        match_image(guesses.take(rows), true.take(true_rows.get(image, none)), scoring.threshold)
        for image, rows in kept.items()
    ]
    right, left_out = (np.concatenate(each) for each in zip(*outcomes, strict=True))
    order = np.argsort(-guesses.scores[np.concatenate([*kept.values()])], kind="stable")
    counted = right[order][~left_out[order]]
    return interpolated_precision(counted, positives, scoring.recall_points)


def read_chest_boxes(job: Job, submission: Table, outline: Table) -> Predictions:
    """Box lists, each row with the first answer of its image; an image may have several rows."""
    (name,), (target,) = job.id_columns, job.target_columns
    require_columns(submission, [name, target])
    given, expected = submission.column(name), outline.column(name)
    images = _first_rows(expected)
    pairing = pair_joined(name, given, expected.take(images))
    column = VALUE_READERS[job.checks.values](target, submission.column(target))
    require_cells(target, column, pairing.submission, parse_boxes)
    return Predictions({target: column}, Pairing(pairing.submission, images[pairing.answers]))


def parse_boxes(text: str) -> Objects:
    """The boxes of a cell. Raises BadCell, also for numbers that are not finite."""
    boxes = parse_objects(text, BOXES)
    try:
        classes = [float(label) for label in boxes.labels]
    except ValueError:
        raise BadCell("a class is no number") from None
    # Upstream a coordinate that is NaN overlaps every box.
    if not (np.isfinite(classes).all() and np.isfinite(boxes.numbers[:, 1:]).all()):
        raise BadCell("a class or coordinate is NaN or infinite")
    return boxes


def grade_map_coco(rows: Labelled) -> float:
    """Mean of the average precisions of the classes in the answers."""
    params = rows.job.params
    scoring = Scoring(
        float(params["iou_threshold"]), int(params["max_detections"]), int(params["recall_points"])
    )
    true, classes = _true_boxes(rows)
    guesses, guessed = guessed_boxes(rows)
    precisions = [
        class_precision(
            guesses.take(np.flatnonzero(guessed == each)), true.take(np.flatnonzero(classes == each)), scoring
        )
        for each in np.unique(classes)
    ]
    return float(np.nanmean(precisions))


def _best_free(overlaps: Floats, free: Bits, ignored: Bits, threshold: float) -> int | None:
    """The free box with the largest overlap, the last of equals; ignored boxes only if no other fits."""
    for among in (~ignored, ignored):
        fits = np.flatnonzero(free & among & (overlaps >= threshold))
        if fits.size:
            return int(fits[overlaps[fits] == overlaps[fits].max()][-1])
    return None


def _by_image(boxes: Boxes) -> dict[int, npt.NDArray[np.intp]]:
    """The rows of each image by falling score, stable; images in ascending order."""
    order = np.lexsort((-boxes.scores, boxes.images))
    parts = np.split(order, np.flatnonzero(np.diff(boxes.images[order])) + 1)
    return {int(boxes.images[part[0]]): part for part in parts if part.size}


def _first_rows(ids: Column) -> npt.NDArray[np.intp]:
    """The row in which each id occurs first, ascending."""
    first: dict[object, int] = {}
    for row, each in enumerate(ids.values.tolist()):
        first.setdefault(each, row)
    return np.array(list(first.values()), dtype=np.intp)


def _true_boxes(rows: Labelled) -> tuple[Boxes, Floats]:
    """All boxes of the answers in file order, numbered by the first row of their image, and their classes."""
    (name,) = rows.job.id_columns
    kind, *corners = (rows.answers.column(each).floats() for each in rows.job.labels(rows.answers.names))
    ids = rows.answers.column(name)
    first = _first_rows(ids)
    images = first[match_rows(name, ids, ids.take(first))]
    number = np.arange(rows.answers.rows)
    places = np.column_stack(corners)
    return Boxes(images, places, number == 0, np.zeros(len(number)), find_outside(places)), kind


@lru_cache(maxsize=1)  # For the score and for the note on it.
def guessed_boxes(rows: Labelled) -> tuple[Boxes, Floats]:
    """All boxes of the submission in file order, and their classes, cut to whole numbers."""
    (target,) = rows.targets
    cells = [parse_boxes(cell) for cell in rows.predicted(target).values.tolist()]
    images = np.repeat(rows.predictions.pairing.answers, [len(cell.labels) for cell in cells])
    numbers = np.concatenate([cell.numbers for cell in cells])
    classes = np.trunc([float(label) for cell in cells for label in cell.labels])
    first, corners = np.arange(len(images)) == 0, numbers[:, 1:]
    return Boxes(images, corners, first, numbers[:, 0], find_outside(corners)), classes
