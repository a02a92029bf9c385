"""What the site knows of a competition and of a benchmark, as values read by spec_files.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from .medals import Direction, Thresholds
from .splits import Split


class IssueKind(StrEnum):
    """What a known issue touches: hidden labels, the score, the cut-offs, or how the data were prepared."""

    LEAK = "leak"
    GRADING = "grading"
    THRESHOLDS = "thresholds"
    PREPARATION = "preparation"


@dataclass(frozen=True)
class KnownIssue:
    kind: IssueKind
    summary: str
    source: str


@dataclass(frozen=True)
class MetricSpec:
    """`family` names the grader, `params` are its parameters, `name` is for people."""

    family: str
    name: str
    params: Mapping[str, Any]


@dataclass(frozen=True)
class CompetitionSpec:
    """One competition, as its file says.

    `plausible_margin`: how far beyond gold a score may be before a maintainer is told, in the metric's own unit.
    """

    id: str
    title: str
    category: str
    category_source: str
    kaggle_url: str
    closed_on: date | None
    test_rows: int | None
    metric: MetricSpec
    direction: Direction
    id_columns: tuple[str, ...]
    target_columns: tuple[str, ...]
    answer_columns: tuple[str, ...]
    submission_columns: tuple[str, ...]
    answers_format: str
    answers_file: str
    repeated_ids: bool
    checks: Mapping[str, Any]
    limits: Mapping[str, int]
    validity: tuple[str, ...]
    scoring: str
    quirks: tuple[str, ...]
    thresholds: Thresholds
    plausible_margin: float | None
    known_issues: tuple[KnownIssue, ...]
    file_digest: str

    @property
    def lower_is_better(self) -> bool:
        return self.direction is Direction.LOWER

    @property
    def answers_path(self) -> str:
        """Where the benchmark's prepare command leaves the answers, under its data directory."""
        return f"{self.id}/prepared/private/{self.answers_file}"


@dataclass(frozen=True)
class BenchmarkSpec:
    """One version of a benchmark. `splits` maps the id of each member competition to its split."""

    slug: str
    title: str
    description: str
    answers_public: bool
    position: int
    splits: Mapping[str, Split]


def job_for(spec: CompetitionSpec) -> dict[str, Any]:
    """The part of a competition its grader needs, as plain values that survive JSON."""
    return {
        "competition": spec.id,
        "family": spec.metric.family,
        "params": dict(spec.metric.params),
        "answers_format": spec.answers_format,
        "id_columns": list(spec.id_columns),
        "target_columns": list(spec.target_columns),
        "checks": dict(spec.checks),
        "limits": dict(spec.limits),
    }
