"""What one grading can end as, and the exceptions that lead there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """How a grading ends; `valid` is the end of a validity check alone."""

    SCORED = "scored"
    VALID = "valid"
    INVALID = "invalid"
    GRADER_ERROR = "grader_error"
    OUT_OF_MEMORY = "out_of_memory"


class OddForm(StrEnum):
    """Codes of the notes on files whose form the metric pays for, whatever they predict."""

    ROWS_REPEATED = "rows_repeated"
    ROWS_LEFT_OUT = "rows_left_out"
    IDS_MOVED = "ids_moved"
    CONFIDENCE_BELOW_ZERO = "confidence_below_zero"
    BOXES_TURNED = "boxes_turned"


class InvalidSubmission(Exception):
    """The submitter's mistake: a code, and a sentence that says what, where and how to mend it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class AnswersError(Exception):
    """Ours: the answers file is not what the competition's file says. Never shown to teams."""


class GraderNotImplemented(Exception):
    """Ours: no grader is registered for the metric family of this competition."""


@dataclass(frozen=True)
class Note:
    """Something a team should know of a file that is valid all the same."""

    code: str
    message: str


@dataclass(frozen=True)
class Verdict:
    outcome: Outcome
    score: float | None = None
    code: str = ""
    message: str = ""

    def as_dict(self) -> dict[str, str | float]:
        """The strict JSON object of this verdict: outcome, code and message, and the score where there is one."""
        said: dict[str, str | float] = {"outcome": self.outcome.value}
        if self.score is not None:
            said["score"] = self.score
        if self.score is None or self.code:
            said.update(code=self.code, message=self.message)
        return said
