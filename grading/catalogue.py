"""The competitions and benchmarks this site knows: one TOML file each, the source of truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from grading.spec_files import read_benchmark, read_competition
from grading.specs import BenchmarkSpec, CompetitionSpec, IssueKind, KnownIssue, MetricSpec, job_for
from grading.strict import CatalogueError

__all__ = [
    "BenchmarkSpec",
    "CatalogueError",
    "CompetitionSpec",
    "IssueKind",
    "KnownIssue",
    "MetricSpec",
    "job_for",
    "load_benchmarks",
    "load_competitions",
    "shipped_benchmarks",
    "shipped_competitions",
]

HERE = Path(__file__).parent
Spec = TypeVar("Spec")


@cache
def shipped_competitions() -> Mapping[str, CompetitionSpec]:
    """The competitions in `grading/competitions/`, by id."""
    return MappingProxyType(load_competitions(HERE / "competitions"))


@cache
def shipped_benchmarks() -> Mapping[str, BenchmarkSpec]:
    """The benchmarks in `grading/benchmarks/`, by slug, in their order."""
    return MappingProxyType(load_benchmarks(HERE / "benchmarks", shipped_competitions()))


def load_competitions(directory: Path) -> dict[str, CompetitionSpec]:
    """Every competition file of a folder, by id. Raises CatalogueError listing all that is wrong."""
    return {spec.id: spec for spec in _load_all(directory, read_competition)}


def load_benchmarks(
    directory: Path, competitions: Mapping[str, CompetitionSpec] | None = None
) -> dict[str, BenchmarkSpec]:
    """Every benchmark file of a folder, by slug, in their order. Members must be among `competitions`."""
    specs = sorted(_load_all(directory, read_benchmark), key=lambda spec: (spec.position, spec.slug))
    known = None if competitions is None else set(competitions)
    for spec in specs:
        unknown = sorted(set(spec.splits) - known) if known is not None else []
        if unknown:
            raise CatalogueError(f"{spec.slug}.toml: splits: no competition file for {', '.join(unknown)}")
    return {spec.slug: spec for spec in specs}


def _load_all(directory: Path, read: Callable[[Path], Spec]) -> list[Spec]:
    """All files read, or one CatalogueError with the errors of all of them."""
    specs, errors = [], []
    for path in sorted(directory.glob("*.toml")):
        try:
            specs.append(read(path))
        except CatalogueError as error:
            errors.append(str(error))
    if errors:
        raise CatalogueError("\n".join(errors))
    return specs
