"""Predicted and true masks of one column of run lengths, and the pixels they share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .answers import Floats, Labelled
from .cells import BadCell, parse_answers, read_cells
from .columns import Array
from .job import Job
from .messages import count, list_rows
from .predictions import Predictions
from .reader import Table
from .rle import Mask, count_common, cut_mask, parse_mask
from .verdict import AnswersError, InvalidSubmission


@dataclass(frozen=True)
class Overlaps:
    """Pixels per image: set in the prediction, in the truth, in both, shape (images,) each."""

    predicted: Floats
    true: Floats
    common: Floats


def read_masks(job: Job, submission: Table, outline: Table) -> Predictions:
    """Predictions whose cells hold run lengths. Raises InvalidSubmission.

    Overlapping runs are found in grading only: an image's size stands in the answers.
    """
    empty = job.params.get("empty_mask", "")
    return read_cells(job, submission, outline, lambda cell: parse_mask("" if cell == empty else cell))


def find_overlaps(rows: Labelled) -> Overlaps:
    """Predicted, true and common pixels of every image."""
    (name,), (label,) = rows.targets, rows.job.labels(rows.answers.names)
    sizes = image_sizes(rows).prod(axis=1)
    return compare_masks(predicted_masks(rows, name, sizes), true_masks(rows, label, sizes))


def compare_masks(predicted: list[Mask], true: list[Mask]) -> Overlaps:
    """Predicted, true and common pixels of equally many masks."""
    common = [count_common(p, t) for p, t in zip(predicted, true, strict=True)]
    return Overlaps(_areas(predicted), _areas(true), np.array(common, dtype=np.float64))


def image_sizes(rows: Labelled) -> Array:
    """Height and width of every image, shape (images, 2), integers.

    From the parameter `image_size`, or the two columns of the answers named in `reads`, height first.
    """
    images = len(rows.predictions.pairing.answers)
    if "image_size" in rows.job.params:
        return np.tile(np.array(rows.job.params["image_size"], dtype=np.int64), (images, 1))
    columns = [rows.true(name) for name in rows.job.reads]
    if not all(column.is_numeric and not column.missing.any() for column in columns):
        raise AnswersError("an image has no size")
    return np.column_stack([column.floats().astype(np.int64) for column in columns])


def predicted_masks(rows: Labelled, name: str, sizes: Array) -> list[Mask]:
    """The masks of the submission, each cut to its image. Raises InvalidSubmission where runs overlap."""
    masks, overlapping = [], []
    positions = rows.predictions.pairing.submission.tolist()
    for cell, size, row in zip(_cells(rows, rows.predicted(name).values), sizes, positions, strict=True):
        try:
            masks.append(cut_mask(parse_mask(cell), int(size)))
        except BadCell:
            overlapping.append(row)
    if overlapping:
        raise InvalidSubmission(
            "runs_overlap",
            f"Column {name}: {count(len(overlapping), 'mask')} with overlapping runs "
            f"(data row {list_rows(sorted(overlapping))}). Encode each pixel once.",
        )
    return masks


def true_masks(rows: Labelled, name: str, sizes: Array) -> list[Mask]:
    """The masks of the answers; a missing one is empty. AnswersError if one cannot be read."""
    column = rows.true(name)
    cells = _cells(rows, np.where(column.missing, "", column.values.astype(np.dtypes.StringDType())))
    runs = parse_answers(name, cells, parse_mask)
    try:
        return [cut_mask(each, int(size)) for each, size in zip(runs, sizes, strict=True)]
    except BadCell as reason:
        raise AnswersError(f"column {name} of the answers cannot be read: {reason}") from None


def _cells(rows: Labelled, cells: Array) -> list[str]:
    """The cells with the competition's word for an empty mask replaced by nothing."""
    empty = rows.job.params.get("empty_mask", "")
    return ["" if cell == empty else cell for cell in cells.tolist()]


def _areas(masks: list[Mask]) -> Floats:
    return np.array([mask.area for mask in masks], dtype=np.float64)
