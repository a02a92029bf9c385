"""Whether the server would take a bundle, and what it would say: by its own rules, without asking it."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from .benchmarks import splits_of
from .errors import Fault
from .found import FoundFile
from .rules import (
    Budget,
    BundleError,
    KeptMember,
    Kind,
    Layout,
    Manifest,
    MemberSink,
    RunCardError,
    Split,
    find_collisions,
    parse_run_card,
    read_bundle,
    seed_map,
    title_of,
    undisclosed,
)
from .streams import Counted, ReadFrom
from .tar_stream import tar_stream

Progress = Callable[[int], None]
ATTESTATION = "attestation"


@dataclass(frozen=True)
class CsvCheck:
    """What came of one CSV: every reason why it is invalid; none where it is valid as far as labels do not decide."""

    path: str
    reasons: tuple[Fault, ...]


@dataclass(frozen=True)
class MissingRun:
    """A seed's competition inside the scope without a CSV; `explained`: the run card says why."""

    seed: str
    competition: str
    is_explained: bool


@dataclass(frozen=True)
class BundleReport:
    """What the server would make of a bundle.

    `problems`: why it would be refused. `csvs`: those that could be checked. `unchecked`: why others could not, by
    competition. `open_questions`: title by path, of those that keep it off the Clean track. Format, digest and size
    are empty for files that were not packed.
    """

    problems: tuple[Fault, ...] = ()
    is_cut_short: bool = False
    format: str = ""
    sha256: str = ""
    size: int = 0
    seeds: tuple[str, ...] = ()
    competitions: tuple[str, ...] = ()
    runs: int = 0
    checkpoints: int = 0
    evidence: int = 0
    ignored: Mapping[str, str] = field(default_factory=dict)
    has_run_card: bool = False
    open_questions: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[MissingRun, ...] = ()
    csvs: tuple[CsvCheck, ...] = ()
    unchecked: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_accepted(self) -> bool:
        return not self.problems

    @property
    def invalid(self) -> tuple[CsvCheck, ...]:
        return tuple(each for each in self.csvs if each.reasons)

    @property
    def is_good(self) -> bool:
        return self.is_accepted and not self.invalid


class CsvChecker(Protocol):
    """Takes the CSVs as they come out of the archive. `unchecked`: why, by competition. `csv_check` makes one."""

    csvs: list[CsvCheck]
    unchecked: dict[str, str]

    def sink(self, member: KeptMember) -> MemberSink | None: ...


class Nowhere:
    """A sink for what only needs to be read."""

    def write(self, data: bytes, /) -> None: ...
    def close(self) -> None: ...
    def abort(self) -> None: ...


def check_archive(
    path: Path,
    benchmark: str,
    *,
    scope: str = "",
    checker: CsvChecker | None = None,
    progress: Progress = lambda count: None,
) -> BundleReport:
    """The report on a bundle's file."""
    with path.open("rb") as file:
        return _check(Counted(file, progress), benchmark, scope, checker)


def check_files(
    files: tuple[FoundFile, ...],
    benchmark: str,
    *,
    scope: str = "",
    checker: CsvChecker | None = None,
    progress: Progress = lambda count: None,
) -> BundleReport:
    """The report on the bundle that these files would make, without writing it."""
    report = _check(ReadFrom(tar_stream(files, progress)), benchmark, scope, checker)
    return replace(report, format="", sha256="", size=0)


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def _check(source: _Readable, benchmark: str, scope: str, checker: CsvChecker | None) -> BundleReport:
    splits = splits_of(benchmark)

    def keep(member: KeptMember) -> MemberSink:
        is_csv = member.kind in (Kind.SUBMISSION, Kind.CHECKPOINT)
        return (checker.sink(member) if checker and is_csv else None) or Nowhere()

    try:
        manifest = read_bundle(
            source, layout=Layout(frozenset(splits)), budget=Budget(clock=time.monotonic), keep=keep
        )
    except BundleError as error:
        found = [Fault(p.code.value, p.member or "archive", p.message) for p in error.problems]
        if error.manifest:
            found += _read_card(error.manifest)[1]
        return BundleReport(problems=tuple(found), is_cut_short=error.stopped)
    return _report(manifest, splits, scope, checker)


def _report(
    manifest: Manifest, splits: Mapping[str, Split], scope: str, checker: CsvChecker | None
) -> BundleReport:
    document, problems = _read_card(manifest)
    runs = [member for member in manifest.members if member.kind is Kind.SUBMISSION]
    checkpoints = [member for member in manifest.members if member.kind is Kind.CHECKPOINT]
    places = [(m.seed or "", m.competition_id or "", m.checkpoint_hours) for m in [*runs, *checkpoints]]
    seeds = seed_map(document)
    problems += [
        Fault("seed_collision", "run card: seeds.run_groups", each) for each in find_collisions(places, seeds)
    ]
    present = {
        (seeds.get(folder, folder), competition) for folder, competition, hours in places if hours is None
    }
    return BundleReport(
        problems=tuple(problems),
        format=manifest.format,
        sha256=manifest.sha256,
        size=manifest.size,
        seeds=tuple(sorted({seed for seed, _ in present})),
        competitions=tuple(sorted({competition for _, competition in present})),
        runs=len(runs),
        checkpoints=len(checkpoints),
        evidence=len(manifest.members) - len(runs) - len(checkpoints),
        ignored={each.path: each.reason for each in manifest.ignored},
        has_run_card=manifest.run_card is not None,
        open_questions=_open_questions(document),
        missing=tuple(_missing(present, document, splits, scope)),
        csvs=tuple(checker.csvs) if checker else (),
        unchecked=dict(checker.unchecked) if checker else {},
    )


def _read_card(manifest: Manifest) -> tuple[dict[str, object], list[Fault]]:
    """The document and what is wrong with it; an empty one where the bundle has none, which is no fault."""
    if manifest.run_card is None:
        return {}, []
    name = manifest.run_card_name or "run_card.yaml"
    try:
        return parse_run_card(manifest.run_card, name), []
    except RunCardError as error:
        places = [
            f"{name}, line {p.line}: {p.path}" if p.line else f"{name}: {p.path}" for p in error.problems
        ]
        return {}, [Fault(p.code, at, p.message) for p, at in zip(error.problems, places, strict=True)]


def _open_questions(document: dict[str, object]) -> dict[str, str]:
    """Those of Clean; the attestation is given when the team confirms."""
    return {path: title_of(path) for path in undisclosed(document) if not path.startswith(ATTESTATION)}


def _missing(
    present: set[tuple[str, str]], document: dict[str, object], splits: Mapping[str, Split], scope: str
) -> list[MissingRun]:
    if not scope:
        return []
    wanted = [each for each, split in sorted(splits.items()) if split in Split(scope).members]
    seeds = sorted({seed for seed, _ in present})
    explained = _explained(document)
    return [
        MissingRun(seed, competition, (seed, competition) in explained)
        for seed in seeds
        for competition in wanted
        if (seed, competition) not in present
    ]


def _explained(document: dict[str, object]) -> set[tuple[str, str]]:
    section = document.get("seeds")
    rows = section.get("missing", []) if isinstance(section, dict) else []
    return {(str(row.get("seed")), str(row.get("competition"))) for row in rows if row.get("missing_reason")}
