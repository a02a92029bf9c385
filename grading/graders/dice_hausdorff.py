"""0.4 mean Dice + 0.6 (1 - mean Hausdorff distance) of organ masks in stacks of slices.

Dice pairs rows by position and leaves out rows empty on both sides. For the distance the masks of one slice
are united, whatever their class, the slices of one case and day stacked in the order of their ids, and the
stacks of both sides paired by position. Sources: the benchmark's grader; Kaggle, UW-Madison GI Tract Image
Segmentation, evaluation page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .answers import Floats, Labelled
from .cells import require_cells
from .checks import require_columns
from .columns import Array, Column, Kind
from .dice import dice
from .hausdorff import Voxels, hausdorff_distance
from .ids import Pairing
from .job import Job
from .masks import compare_masks, image_sizes, predicted_masks, true_masks
from .messages import count, list_rows
from .predictions import Predictions
from .reader import Table
from .rle import Mask, expand_mask, merge_masks, parse_mask
from .values import VALUE_READERS
from .verdict import InvalidSubmission

SIZES_DIFFER = (
    "Rows whose ids share a case and day belong to images of different sizes. Rows are paired with the answers "
    "by position: keep the ids and the order of the sample submission."
)
SLICE = "_slice_"


@dataclass(frozen=True)
class Stack:
    """The united masks of one case and day; pixels numbered down the columns of a slice."""

    height: int
    width: int
    slices: list[Mask]

    @property
    def shape(self) -> tuple[int, int, int]:
        return len(self.slices), self.height, self.width

    @property
    def voxels(self) -> int:
        return sum(each.area for each in self.slices)


def stack_slices(ids: Sequence[str], masks: Sequence[Mask], sizes: Array) -> list[Stack]:
    """One stack per case and day, in the order of their ids. Raises InvalidSubmission if sizes differ."""
    slices: dict[str, list[int]] = {}
    for row in sorted(range(len(ids)), key=ids.__getitem__):
        slices.setdefault(ids[row], []).append(row)
    days: dict[str, list[list[int]]] = {}
    for each, rows in slices.items():
        days.setdefault(each.split(SLICE)[0], []).append(rows)
    return [_stack(day, masks, sizes) for day in days.values()]


def stack_distance(predicted: Stack, true: Stack, size_guard: float) -> float:
    """Hausdorff distance over the diagonal of the true stack, both scaled to a unit cube.

    NaN if both are empty; 1 if one is, or if the prediction is more than `size_guard` times as large. A
    predicted stack of another shape is measured by the true one, so the distance may exceed 1.
    """
    given, wanted = predicted.voxels, true.voxels
    if not given and not wanted:
        return float("nan")
    if not given or not wanted or given > size_guard * wanted:
        return 1.0
    return hausdorff_distance(_voxels(predicted), _voxels(true), true.shape) / float(np.sqrt(3))


def read_organ_masks(job: Job, submission: Table, outline: Table) -> Predictions:
    """Ids and masks of as many rows as the answers have, by position; rows beyond are not looked at."""
    (target,), name = job.target_columns, job.id_columns[0]
    require_columns(submission, [*job.id_columns, target])
    rows = np.arange(min(submission.rows, outline.rows))
    ids = submission.column(name).take(rows)
    _require_text_ids(name, ids)
    cells = VALUE_READERS[job.checks.values](target, submission.column(target).take(rows))
    require_cells(target, cells, rows, parse_mask)
    return Predictions({target: cells, name: ids}, Pairing(rows, rows))


def grade_dice_hausdorff(rows: Labelled) -> float:
    """The weighted sum; NaN if no row, or no stack, is left to compare."""
    name, (target,), params = rows.job.id_columns[0], rows.job.target_columns, rows.job.params
    paired, whole = len(rows.predictions.pairing.answers), _whole_answers(rows)
    sizes = image_sizes(whole)
    predicted = predicted_masks(rows, target, sizes[:paired].prod(axis=1))
    true = true_masks(whole, target, sizes.prod(axis=1))
    stacks = zip(
        stack_slices(rows.predicted(name).values.tolist(), predicted, sizes),
        stack_slices(whole.true(name).values.tolist(), true, sizes),
        strict=False,  # stacks beyond those of the other side are left out
    )
    distances = np.array([stack_distance(p, t, float(params["size_guard"])) for p, t in stacks])
    dices = dice(compare_masks(predicted, true[:paired]))
    return float(
        params["dice_weight"] * _mean_of_numbers(dices)
        + params["hausdorff_weight"] * (1 - _mean_of_numbers(distances))
    )


def _whole_answers(rows: Labelled) -> Labelled:
    """The same with every row of the answers: their stacks are whole even if the submission is short."""
    everything = np.arange(rows.answers.rows)
    return replace(rows, predictions=replace(rows.predictions, pairing=Pairing(everything, everything)))


def _mean_of_numbers(values: Floats) -> float:
    present = values[~np.isnan(values)]
    return float(np.mean(present)) if present.size else float("nan")


def _require_text_ids(name: str, ids: Column) -> None:
    missing = np.flatnonzero(ids.missing)
    if missing.size:
        raise InvalidSubmission(
            "ids_unusable",
            f"Column {name}: {count(missing.size, 'row has', 'rows have')} no id "
            f"(data row {list_rows(missing)}). Keep the ids of the sample submission.",
        )
    if len(ids.values) and ids.kind is not Kind.TEXT:
        raise InvalidSubmission(
            "ids_unusable", f"Column {name} holds no text at all. Keep the ids of the sample submission."
        )


def _stack(slices: list[list[int]], masks: Sequence[Mask], sizes: Array) -> Stack:
    height, width = sizes[slices[0][0]].tolist()
    if any((sizes[rows] != (height, width)).any() for rows in slices):
        raise InvalidSubmission("sizes_differ", SIZES_DIFFER)
    return Stack(height, width, [merge_masks([masks[row] for row in rows]) for rows in slices])


def _voxels(stack: Stack) -> Voxels:
    """Slice, row and column of every set pixel, shape (voxels, 3)."""
    pixels = np.concatenate([expand_mask(each) for each in stack.slices])
    slices = np.repeat(np.arange(len(stack.slices)), [each.area for each in stack.slices])
    return np.column_stack((slices, pixels % stack.height, pixels // stack.height))
