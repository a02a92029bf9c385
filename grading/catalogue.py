"""The competitions and benchmarks this site knows: one TOML file each, the source of truth.

Those beside this module, and those of a folder of the operator's own in $MLEB_CATALOGUE: docs/private-holdout.md.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
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
    "catalogue_folders",
    "job_for",
    "load_benchmarks",
    "load_competitions",
    "shipped_benchmarks",
    "shipped_competitions",
]

HERE = Path(__file__).parent
Spec = TypeVar("Spec")


def catalogue_folders(environ: Mapping[str, str] | None = None) -> tuple[Path, ...]:
    """Folders that hold `competitions/` and `benchmarks/`: the shipped one, and the operator's if there is one.

    Raises CatalogueError where $MLEB_CATALOGUE is no such folder.
    """
    chosen = (os.environ if environ is None else environ).get("MLEB_CATALOGUE")
    if not chosen:
        return (HERE,)
    folder = Path(chosen)
    parts = (folder / "competitions", folder / "benchmarks")
    if not folder.is_absolute() or not all(part.is_dir() for part in parts):
        raise CatalogueError(
            f"MLEB_CATALOGUE={chosen!r}: it takes the absolute path of a folder that holds competitions/ "
            "and benchmarks/ (which may be empty)."
        )
    return (HERE, folder)


@cache
def shipped_competitions() -> Mapping[str, CompetitionSpec]:
    """The competitions of all catalogue folders, by id."""
    return MappingProxyType(load_competitions(*_parts("competitions")))


@cache
def shipped_benchmarks() -> Mapping[str, BenchmarkSpec]:
    """The benchmarks of all catalogue folders, by slug, in their order."""
    return MappingProxyType(load_benchmarks(*_parts("benchmarks"), competitions=shipped_competitions()))


def _parts(name: str) -> list[Path]:
    return [folder / name for folder in catalogue_folders()]


def load_competitions(*directories: Path) -> dict[str, CompetitionSpec]:
    """Every competition file of the folders, by id. Raises CatalogueError listing all that is wrong."""
    return {spec.id: spec for spec in _load_all(directories, read_competition)}


def load_benchmarks(
    *directories: Path, competitions: Mapping[str, CompetitionSpec] | None = None
) -> dict[str, BenchmarkSpec]:
    """Every benchmark file of the folders, by slug, in their order. Members must be among `competitions`."""
    specs = sorted(_load_all(directories, read_benchmark), key=lambda spec: (spec.position, spec.slug))
    known = None if competitions is None else set(competitions)
    errors = list(_position_clashes(specs))
    for spec in specs:
        unknown = sorted(set(spec.splits) - known) if known is not None else []
        if unknown:
            errors.append(f"{spec.slug}.toml: splits: no competition file for {', '.join(unknown)}")
    if errors:
        raise CatalogueError("\n".join(errors))
    return {spec.slug: spec for spec in specs}


def _position_clashes(specs: list[BenchmarkSpec]) -> Iterator[str]:
    """A line for each benchmark whose place another has; specs in their order."""
    for before, spec in pairwise(specs):
        if before.position == spec.position:
            free = specs[-1].position + 1
            yield (
                f"{spec.slug}.toml: position: is {spec.position}, as in {before.slug}.toml; write another number, "
                f"such as {free}"
            )


def _misnamed(directory: Path) -> Iterator[str]:
    """A line for each file that nobody would read, since its ending is not written in small letters."""
    for path in sorted(directory.iterdir() if directory.is_dir() else ()):
        if path.suffix != ".toml" and path.suffix.lower() == ".toml":
            yield f"{path.name}: is not read; name it {path.stem}.toml"


def _load_all(directories: Iterable[Path], read: Callable[[Path], Spec]) -> list[Spec]:
    """All files read, or one CatalogueError with the errors of all of them."""
    directories = tuple(directories)
    specs, errors = [], [line for directory in directories for line in _misnamed(directory)]
    paths = [path for directory in directories for path in sorted(directory.glob("*.toml"))]
    for name, count in Counter(path.name for path in paths).items():
        if count > 1:
            errors.append(
                f"{name}: there are two of this name. A file never replaces another: choose a new name."
            )
    for path in paths:
        try:
            specs.append(read(path))
        except CatalogueError as error:
            errors.append(str(error))
    if errors:
        raise CatalogueError("\n".join(errors))
    return specs
