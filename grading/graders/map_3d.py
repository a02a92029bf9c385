"""Mean average precision of boxes in space, over samples and ten IoU thresholds.

Per sample and threshold: the average precision of each class in that sample's answers, averaged over them. A
guess looks at the true box it overlaps most, and is wrong if that one is taken or overlaps too little.
Source: the evaluation script of the Lyft development kit; Kaggle, Lyft 3D Object Detection.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from .answers import Floats, Labelled
from .by_label import by_label
from .cells import BadCell, parse_answers, read_cells
from .job import Job
from .objects import Layout, Objects, parse_objects
from .predictions import Predictions
from .reader import Table
from .rotated_boxes import HEIGHT, WIDTH, YAW, X, Y, overlaps_of_lists
from .verdict import InvalidSubmission

BOXES = Layout(
    ("confidence", "center_x", "center_y", "center_z", "width", "length", "height", "yaw", "class_name"),
    label="class_name",
)
Bits = npt.NDArray[np.bool_]
BLOCK_PAIRS = 1 << 18
NO_BOXES = np.zeros((0, len(BOXES.words) - 1))
BAD_BOX = (
    "A box of a class that counts is no box: its width, length and height must be above 0, and its numbers "
    "finite."
)


def average_precision(right: Bits, positives: int) -> Floats:
    """Area under the best precision at each recall or beyond; `right` by falling confidence.

    Shape (thresholds,) from (thresholds, guesses).
    """
    hits = np.cumsum(right, axis=1)
    precision = hits / (np.arange(right.shape[1]) + 1)
    envelope = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    steps = hits / positives
    steps[:, 1:] -= steps[:, :-1].copy()
    return np.asarray(np.sum(steps * envelope, axis=1))


def find_right(overlaps: Floats, thresholds: Sequence[float]) -> Bits:
    """Which guesses are the first whose largest overlap, above a threshold, is with their true box.

    Shape (thresholds, guesses).
    """
    best, box = overlaps.max(axis=1), overlaps.argmax(axis=1)
    # A guess is too late for a threshold that an earlier guess at the same box has passed.
    before, reached = np.empty(len(best)), np.full(overlaps.shape[1], -np.inf)
    for i, (value, j) in enumerate(zip(best.tolist(), box.tolist(), strict=True)):
        before[i] = reached[j]
        reached[j] = max(reached[j], value)
    levels = np.array(thresholds)[:, None]
    return np.asarray((best > levels) & (before <= levels))


def sample_precision(guesses: Objects, true: Objects, thresholds: Sequence[float]) -> float:
    """Mean over thresholds and the classes of this sample; NaN if it has no true box."""
    return sample_precisions([(guesses, true)], thresholds)[0]


def sample_precisions(samples: Sequence[tuple[Objects, Objects]], thresholds: Sequence[float]) -> list[float]:
    """`sample_precision` of each sample, given as guesses and true boxes. Raises InvalidSubmission."""
    classes = [_class_lists(guesses, true) for guesses, true in samples]
    overlaps = iter(overlaps_of_lists([each for sample in classes for each in sample], min(thresholds)))
    return [_mean_precision([next(overlaps) for _ in sample], thresholds) for sample in classes]


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
    samples = zip(guesses, true, strict=True)
    thresholds = rows.job.params["iou_thresholds"]
    return float(np.mean([p for block in _blocks(samples) for p in sample_precisions(block, thresholds)]))


def _blocks(samples: Iterable[tuple[Objects, Objects]]) -> Iterator[list[tuple[Objects, Objects]]]:
    """The samples by parts, ended by one with many boxes: so memory stays bounded."""
    block, size = [], 0
    for guesses, true in samples:
        block.append((guesses, true))
        size += len(guesses.labels) * len(true.labels)
        if size >= BLOCK_PAIRS:
            yield block
            block, size = [], 0
    if block:
        yield block


def _class_lists(guesses: Objects, true: Objects) -> list[tuple[Floats, Floats]]:
    """The boxes of each class of the answers, the guesses by falling confidence."""
    guessed, wanted = by_label(guesses), by_label(true)
    return [(_by_confidence(guessed.get(label, NO_BOXES)), wanted[label][:, 1:]) for label in sorted(wanted)]


def _by_confidence(guesses: Floats) -> Floats:
    if not len(guesses):
        return guesses[:, 1:]
    _require_boxes(guesses[:, 1:])
    # sorted() and not argsort: a confidence may be NaN, and must stand where it stands upstream.
    order = sorted(range(len(guesses)), key=guesses[:, 0].tolist().__getitem__, reverse=True)
    return guesses[order, 1:]


def _mean_precision(overlaps: list[Floats], thresholds: Sequence[float]) -> float:
    precisions = [
        average_precision(find_right(each, thresholds), each.shape[1])
        if len(each)
        else np.zeros(len(thresholds))
        for each in overlaps
    ]
    return float(np.mean(precisions)) if precisions else float("nan")


def _require_boxes(boxes: Floats) -> None:
    finite = np.isfinite(boxes[:, [X, Y, WIDTH, WIDTH + 1, YAW]]).all()
    # A height or centre above ground may be infinite, as upstream; such a box overlaps nothing.
    if not finite or np.isnan(boxes).any() or not (boxes[:, WIDTH : HEIGHT + 1] > 0).all():
        raise InvalidSubmission("bad_box", BAD_BOX)
