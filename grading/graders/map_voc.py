"""Mean average precision of boxes at IoU > 0.5, from pairs of outcome and confidence pooled over rows.

Per class, a predicted box gives (1, confidence) if it takes a true box and (0, confidence) if not, a true box
left over gives (1, 0), and a row without any box of the class (0, 0). Average precision is the plain one,
without interpolation. Sources: the benchmark's grader for SIIM-FISABIO-RSNA COVID-19; scikit-learn,
average_precision_score.
"""

from __future__ import annotations

from itertools import chain

import numpy as np

from .answers import Floats, Labelled
from .by_label import ByLabel, by_label
from .cells import parse_answers, read_cells
from .job import Job
from .objects import Layout, Objects, parse_objects
from .predictions import Predictions
from .reader import Table
from .verdict import InvalidSubmission

BOXES = Layout(("label", "confidence", "xmin", "ymin", "xmax", "ymax"), label="label", single_spaces=False)
NOTHING, MISSED = np.array([[0.0, 0.0]]), np.array([[1.0, 0.0]])
NO_CONFIDENCE = "A confidence is NaN or infinite. Write an ordinary number for each box."
ALL_RIGHT = (
    "The score of this submission is not defined: for one class neither a wrong box nor an empty row is left."
)


def average_precision(outcomes: Floats, scores: Floats) -> float:
    """Sum over distinct scores, falling, of precision times the step in recall. Some outcome must be 1."""
    order = np.argsort(-scores, kind="stable")
    hits, ordered = np.cumsum(outcomes[order]), scores[order]
    last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))
    precision, recall = hits[last] / (last + 1), hits[last] / hits[-1]
    return float(np.sum(np.diff(recall, prepend=0.0) * precision))


def box_overlaps(predicted: Floats, true: Floats) -> Floats:
    """IoU, shape (predicted, true), of boxes xmin ymin xmax ymax; 0 where the union is not positive.

    A box with its corners swapped has a negative area and overlaps nothing; a NaN counts as no overlap.
    """
    p, t = predicted[:, None, :], true[None, :, :]
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        sides = np.minimum(p[..., 2:], t[..., 2:]) - np.maximum(p[..., :2], t[..., :2])
        common = np.where(sides > 0, sides, 0).prod(axis=-1)
        union = _area(p) + _area(t) - common
        return np.where(union > 0, common / union, 0.0)


def match_boxes(overlaps: Floats, threshold: float) -> list[bool]:
    """Whether each predicted box, in order, takes a free true box: the one with the largest IoU above."""
    taken = np.zeros(overlaps.shape[1], dtype=np.bool_)
    matched = [False] * len(overlaps)
    for i in np.flatnonzero((overlaps > threshold).any(axis=1)):
        free = np.where(taken, 0.0, overlaps[i])
        best = int(free.argmax())
        matched[i] = bool(free[best] > threshold)
        taken[best] |= matched[i]
    return matched


def read_boxes(job: Job, submission: Table, outline: Table) -> Predictions:
    """Predictions whose cells list boxes, blank separated. Labels nobody asks for are allowed."""
    return read_cells(job, submission, outline, parse_boxes)


def parse_boxes(text: str) -> Objects:
    return parse_objects(text, BOXES)


def grade_map_voc(rows: Labelled) -> float:
    """Mean of the average precisions of the labels that occur in the answers."""
    (name,) = rows.targets
    true = parse_answers(name, rows.true(name).values.tolist(), parse_boxes)
    cells = map(parse_boxes, rows.predicted(name).values.tolist())
    guesses = [by_label(_by_confidence(boxes)) for boxes in cells]
    wanted = [by_label(boxes) for boxes in true]
    labels = sorted(set(chain.from_iterable(wanted)))
    threshold = float(rows.job.params["iou_threshold"])
    return float(np.mean([_class_precision(label, guesses, wanted, threshold) for label in labels]))


def _class_precision(label: str, guesses: list[ByLabel], true: list[ByLabel], threshold: float) -> float:
    pairs = [_row_pairs(g.get(label), t.get(label), threshold) for g, t in zip(guesses, true, strict=True)]
    outcomes, scores = np.concatenate(pairs).T
    if not np.isfinite(scores).all():
        raise InvalidSubmission("bad_confidence", NO_CONFIDENCE)
    if outcomes.all():
        raise InvalidSubmission("score_undefined", ALL_RIGHT)
    return average_precision(outcomes, scores)


def _row_pairs(guesses: Floats | None, true: Floats | None, threshold: float) -> Floats:
    """(outcome, confidence) of one row and class, shape (pairs, 2); boxes as confidence and four corners."""
    if guesses is None:
        return NOTHING if true is None else np.tile(MISSED, (len(true), 1))
    matched = [False] * len(guesses)
    if true is not None:
        matched = match_boxes(box_overlaps(guesses[:, 1:], true[:, 1:]), threshold)
    right = np.column_stack((np.array(matched, dtype=np.float64), guesses[:, 0]))
    left_over = 0 if true is None else len(true) - sum(matched)
    return np.concatenate((right, np.tile(MISSED, (left_over, 1)))) if left_over else right


def _by_confidence(boxes: Objects) -> Objects:
    """The boxes by falling confidence, stable."""
    # sorted() and not argsort: only so does a NaN of a class nobody asks for stand where it stands upstream.
    confidences = boxes.numbers[:, 0].tolist()
    order = sorted(range(len(confidences)), key=confidences.__getitem__, reverse=True)
    return Objects([boxes.labels[i] for i in order], boxes.numbers[order])


def _area(boxes: Floats) -> Floats:
    return (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])
