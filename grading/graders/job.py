"""What the grader must know of a competition: the part of its file that is data for graders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from .precheck import Limits
from .values import VALUE_READERS

EVERY_OTHER = "*"


@dataclass(frozen=True)
class Checks:
    """Validity rules as data. docs/grading.md, "Checks", explains each word.

    rows: `equal` or `any` number of rows. ids: how rows are paired, extra_columns: what becomes of columns not
    asked for, each a word of CHECK_WORDS. values: a reader of graders/values.py. range: smallest and largest
    value allowed. row_sum_tolerance, row_sum_decimals: how near to 1 the cells of a row must sum. id_first: the
    id must be the first column. scored_where: only rows whose answer holds this value in this column are
    looked at.
    """

    rows: str = "equal"
    ids: str = "paired"
    extra_columns: str = "ignored"
    values: str = "numbers"
    range: tuple[float, float] | None = None
    row_sum_tolerance: float | None = None
    row_sum_decimals: int | None = None
    id_first: bool = False
    scored_where: Mapping[str, float] = field(default_factory=dict)


CHECK_WORDS = {
    "rows": ("equal", "any"),
    "ids": ("paired", "grouped", "joined", "same_set", "superset", "ranked", "position"),
    "extra_columns": ("ignored", "refused", "kept"),
    "values": tuple(VALUE_READERS),
}
CHECK_NAMES = tuple(each.name for each in fields(Checks))


@dataclass(frozen=True)
class Job:
    """One competition as graders see it. The target `*` means every other column of the answers."""

    competition: str
    family: str
    params: Mapping[str, Any]
    answers_format: str
    id_columns: tuple[str, ...]
    target_columns: tuple[str, ...]
    checks: Checks = Checks()
    limits: Limits = field(default_factory=Limits)

    @staticmethod
    def from_dict(plain: Mapping[str, Any]) -> Job:
        """The job in a plain dictionary as `grading.catalogue.job_for` makes it."""
        checks = dict(plain["checks"])
        if checks.get("range") is not None:
            checks["range"] = tuple(checks["range"])
        return Job(
            competition=plain["competition"],
            family=plain["family"],
            params=plain["params"],
            answers_format=plain["answers_format"],
            id_columns=tuple(plain["id_columns"]),
            target_columns=tuple(plain["target_columns"]),
            checks=Checks(**checks),
            limits=Limits(**plain["limits"]),
        )

    @property
    def reads(self) -> tuple[str, ...]:
        """Columns of the answers which scoring reads beside ids and labels: the parameter `reads`."""
        return tuple(self.params.get("reads", ()))

    def labels(self, answer_names: list[str]) -> list[str]:
        """Columns of the answers that hold the labels: the parameter `labels`, or those of the targets."""
        return list(self.params.get("labels", ())) or self.targets(answer_names)

    def targets(self, answer_names: list[str]) -> list[str]:
        """The target columns by name, `*` resolved against the columns of the answers."""
        if EVERY_OTHER not in self.target_columns:
            return list(self.target_columns)
        return [name for name in answer_names if name not in self.id_columns]

    def needs(self, name: str) -> bool:
        """Whether the answers' column of this name takes part in grading."""
        return (
            name in self.id_columns
            or name in self.target_columns
            or EVERY_OTHER in self.target_columns
            or name in self.checks.scored_where
            or name in self.reads
            or name in self.params.get("labels", ())
        )
