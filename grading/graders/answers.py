"""Predictions beside the labels they are scored on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .columns import Column
from .job import Job
from .predictions import Predictions
from .reader import Table
from .verdict import AnswersError

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Labelled:
    """What a grader gets: checked predictions and true labels, rows in the same order, shape (rows,) each.

    Each is equal to itself alone, so that what was read of it can be kept for it.
    """

    job: Job
    predictions: Predictions
    answers: Table

    @property
    def targets(self) -> list[str]:
        return list(self.predictions.columns)

    def predicted(self, name: str) -> Column:
        return self.predictions.columns[name]

    def true(self, name: str) -> Column:
        """The true cells of this column. AnswersError if the answers lack it."""
        if name not in self.answers:
            raise AnswersError(f"the answers have no column {name}")
        return self.answers.column(name).take(self.predictions.pairing.answers)

    def pair(self, name: str) -> tuple[Floats, Floats]:
        """Predicted and true numbers of one column. AnswersError if the answers hold anything else."""
        true = self.true(name)
        if not true.is_numeric or true.missing.any():
            raise AnswersError(f"column {name} of the answers is not all numbers")
        return self.predictions.floats(name), true.floats()

    def pairs(self) -> list[tuple[Floats, Floats]]:
        """pair() for every target column."""
        return [self.pair(name) for name in self.targets]

    def matrices(self) -> tuple[Floats, Floats]:
        """Predicted and true numbers of all target columns, shape (rows, targets) each."""
        predicted, true = zip(*self.pairs(), strict=True)
        return np.column_stack(predicted), np.column_stack(true)
