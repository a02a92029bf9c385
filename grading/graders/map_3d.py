"""Mean average precision of boxes in space, over samples and ten IoU thresholds.

Per sample and threshold: the average precision of each class in that sample's answers, averaged over them. A
guess looks at the true box it overlaps most, and is wrong if that one is taken or overlaps too little.
Source: the evaluation script of the Lyft development kit; Kaggle, Lyft 3D Object Detection.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .answers import Floats, Labelled
from .cells import BadCell, parse_answers, read_cells
from .job import Job
from .objects import Layout, Objects, parse_objects
from .predictions import Predictions
from .reader import Table
from .rotated_boxes import HEIGHT, WIDTH, YAW, X, Y, box_overlaps
from .verdict import InvalidSubmission

BOXES = Layout(
    ("confidence", "center_x", "center_y", "center_z", "width", "length", "height", "yaw", "class_name"),
    label="class_name",
)
BAD_BOX = (
    "A box of a class that counts is no box: its width, length and height must be above 0, and its numbers "
    "finite."
)


def average_precision(right: npt.NDArray[np.bool_], positives: int) -> float:
    """Area under the best precision at each recall or beyond; `right` by falling confidence."""
    hits = np.cumsum(right)
    precision = hits / (np.arange(len(right)) + 1)
    envelope = np.maximum.accumulate(precision[::-1])[::-1]
    return float(np.sum(np.diff(hits / positives, prepend=0.0) * envelope))


def find_right(overlaps: Floats, threshold: float) -> npt.NDArray[np.bool_]:
    """Which guesses are the first whose largest overlap, above the threshold, is with their true box."""
    right = np.zeros(len(overlaps), dtype=np.bool_)
    above = np.flatnonzero(overlaps.max(axis=1) > threshold)
    _, first = np.unique(overlaps[above].argmax(axis=1), return_index=True)
    right[above[first]] = True
    return right


def sample_precision(guesses: Objects, true: Objects, thresholds: Sequence[float]) -> float:
    """Mean over thresholds and the classes of this sample; NaN if it has no true box."""
    precisions = [
        _class_precision(guesses.of(label), true.of(label)[:, 1:], thresholds)
        for label in sorted(set(true.labels))
    ]
    return float(np.mean(precisions)) if precisions else float("nan")


def read_boxes_3d(job: Job, submission: Table, outline: Table) -> Predictions:
    """Predictions whose cells list boxes in space. Sizes are looked at in grading, and only where they count."""
    return read_cells(job, submission, outline, parse_boxes)


def parse_boxes(text: str) -> Objects:
    """The boxes of a cell, none in a blank one. Raises BadCell."""
    boxes = parse_objects(text if text.strip() else "", BOXES)
    if np.isinf(boxes.numbers[:, 1 + YAW]).any():
        raise BadCell("a yaw is infinite")
    return boxes


def grade_map_3d(rows: Labelled) -> float:
    """Mean over samples. Raises InvalidSubmission for a box that counts and is none."""
    (name,) = rows.targets
    true = parse_answers(name, rows.true(name).values.tolist(), parse_boxes)
    guesses = map(parse_boxes, rows.predicted(name).values.tolist())
    thresholds = rows.job.params["iou_thresholds"]
    return float(np.mean([sample_precision(g, t, thresholds) for g, t in zip(guesses, true, strict=True)]))


def _class_precision(guesses: Floats, true: Floats, thresholds: Sequence[float]) -> list[float]:
    if not len(guesses):
        return [0.0] * len(thresholds)
    _require_boxes(guesses[:, 1:])
    # sorted() and not argsort: a confidence may be NaN, and must stand where it stands upstream.
    order = sorted(range(len(guesses)), key=guesses[:, 0].tolist().__getitem__, reverse=True)
    overlaps = box_overlaps(guesses[order, 1:], true)
    return [average_precision(find_right(overlaps, threshold), len(true)) for threshold in thresholds]


def _require_boxes(boxes: Floats) -> None:
    finite = np.isfinite(boxes[:, [X, Y, WIDTH, WIDTH + 1, YAW]]).all()
    # A height or centre above ground may be infinite, as upstream; such a box overlaps nothing.
    if not finite or np.isnan(boxes).any() or not (boxes[:, WIDTH : HEIGHT + 1] > 0).all():
        raise InvalidSubmission("bad_box", BAD_BOX)
