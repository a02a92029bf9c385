"""Files that the metric pays for their form, whatever they predict: scored as the benchmark scores them, and noted.

Each note follows from the file and the ids alone, so it gives no label away. A finding for maintainers comes of it.
"""

from __future__ import annotations

import numpy as np

from .answers import Labelled
from .ids import same_ids, unmatched
from .map_coco import guessed_boxes
from .map_voc import parse_boxes
from .messages import count
from .verdict import Note, OddForm


def note_repeated_rows(rows: Labelled) -> Note | None:
    """Where each copy of a row counts, sure ones outweigh the others."""
    more = len(rows.predictions.pairing.answers) - rows.answers.rows
    return (
        Note(OddForm.ROWS_REPEATED, f"{count(more, 'row')} more than ids: each copy counts.")
        if more > 0
        else None
    )


def note_forecasts(rows: Labelled) -> Note | None:
    """Where rows that are not there are not scored either, only the easy ones may be. Ids are a column of their own."""
    (name,) = rows.job.id_columns
    ids, given = rows.answers.column(name), rows.predicted(name)
    absent = len(unmatched(ids.values, given.values))
    if absent:
        return Note(OddForm.ROWS_LEFT_OUT, f"{count(absent, 'id is', 'ids are')} left out, and not scored.")
    more = len(given) - len(ids)
    return Note(OddForm.ROWS_REPEATED, f"{count(more, 'row')} more than ids.") if more > 0 else None


def note_organ_rows(rows: Labelled) -> Note | None:
    """The same where rows are paired by position, and where their ids say which slices are measured together."""
    name, paired = rows.job.id_columns[0], len(rows.predictions.pairing.answers)
    absent = rows.answers.rows - paired
    if absent:
        return Note(OddForm.ROWS_LEFT_OUT, f"{count(absent, 'row')} left out, and not scored.")
    moved = not same_ids(rows.predicted(name), rows.true(name))
    return (
        Note(OddForm.IDS_MOVED, "The ids are not those of the sample submission in its order.")
        if moved
        else None
    )


def note_confidence(rows: Labelled) -> Note | None:
    """A box below zero stands behind all that were missed, and takes an empty row out of the count before them."""
    (name,) = rows.targets
    cells = [cell for cell in rows.predicted(name).values.tolist() if "-" in cell]
    below = sum(int(np.count_nonzero(parse_boxes(cell).numbers[:, 0] < 0)) for cell in cells)
    return (
        Note(OddForm.CONFIDENCE_BELOW_ZERO, f"{count(below, 'box', 'boxes')} with a confidence below 0.")
        if below
        else None
    )


def note_turned_boxes(rows: Labelled) -> Note | None:
    """Boxes of negative area count where they are right and not where they are wrong."""
    turned = int(np.count_nonzero(guessed_boxes(rows)[0].outside))
    if not turned:
        return None
    return Note(
        OddForm.BOXES_TURNED,
        f"{count(turned, 'box', 'boxes')} of negative or enormous area: wrong ones cost nothing.",
    )
