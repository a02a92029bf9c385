"""The cases of the grading benchmark, what each may cost, and how one is measured."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from grading.catalogue import shipped_competitions
from grading.sandbox.warm import WarmPool

from .made_up.recipes import make_up
from .make_bundle import Pair, make_files, member_ids, run_path
from .measure import Timed, bare_read, grade, grade_all, plain_way
from .rows import sizes

REPEATS = 3
SEEDS = 3
TINY_SCALE = 0.0001
MEMORY_RATIO = 2.0


@dataclass(frozen=True)
class Budget:
    """At most so many seconds, or so many times the bare read and twice its memory; None where not asked."""

    seconds: float | None = None
    ratio: float | None = None


@dataclass(frozen=True)
class LargeCase:
    """One file of one competition; `rows` where the case is larger than the competition."""

    competition: str
    budget: Budget = Budget(ratio=2.5)
    rows: int | None = None


LARGE: dict[str, LargeCase] = {
    "taxi": LargeCase("new-york-city-taxi-fare-prediction", Budget(seconds=0.040)),
    "text-normalization": LargeCase("text-normalization-challenge-english-language"),
    "tps-dec-2021": LargeCase("tabular-playground-series-dec-2021"),
    "dog-breed": LargeCase("dog-breed-identification", rows=100_000),
    "jigsaw-toxic": LargeCase("jigsaw-toxic-comment-classification-challenge"),
    "denoising": LargeCase("denoising-dirty-documents"),
}
BUNDLES = {"bundle": Budget(ratio=6.0), "bundle-tiny": Budget(seconds=5.0)}
CASES = (*LARGE, *BUNDLES)


@dataclass(frozen=True)
class Line:
    """What was measured of one case; the fields are those of `--json`."""

    case: str
    ours_s: float
    bare_read_s: float
    ratio: float
    ours_peak_mb: float
    bare_read_peak_mb: float
    pandas_s: float | None
    equal: bool


@dataclass(frozen=True)
class Measured:
    """A line, with what only people are shown: the seconds of reading alone, and versions."""

    line: Line
    read_only_s: float
    versions: dict[str, str]

    @property
    def verdict(self) -> str:
        """`ok`, or what is over budget."""
        budget = LARGE[self.line.case].budget if self.line.case in LARGE else BUNDLES[self.line.case]
        over = []
        if budget.seconds is not None and self.line.ours_s > budget.seconds:
            over.append("time")
        if budget.ratio is not None and self.line.ratio > budget.ratio:
            over.append("ratio")
        if (
            self.line.case in LARGE
            and budget.ratio
            and self.line.ours_peak_mb > MEMORY_RATIO * self.line.bare_read_peak_mb
        ):
            over.append("memory")
        return f"over: {', '.join(over)}" if over else "ok"


def make_large(case: LargeCase, folder: Path, scale: float) -> Pair:
    """The two files of a case, made if they are not there yet."""
    spec, size = shipped_competitions()[case.competition], sizes()[case.competition]
    size = replace(size, rows=case.rows or size.rows).scaled(scale)
    out = folder / f"{case.competition}-{size.rows}"
    answers, submission = out / "data" / spec.answers_path, run_path(out, 0, case.competition)
    if not (answers.exists() and submission.exists()):
        competition = make_up(spec, size)
        competition.write_answers(out / "data")
        competition.write_submission(submission, 0)
    return Pair(case.competition, 0, answers, submission)


def make_pairs(
    folder: Path, names: Sequence[str], seeds: int, scale: float, done: Callable[[], None]
) -> list[Pair]:
    """Answers and submissions of these competitions, made if they are not there yet."""
    out, pairs = folder / f"bundle-{scale:g}", []
    for name in names:
        spec = shipped_competitions()[name]
        made = [
            Pair(name, seed, out / "data" / spec.answers_path, run_path(out, seed, name))
            for seed in range(seeds)
        ]
        if not all(pair.answers.exists() and pair.submission.exists() for pair in made):
            made = next(make_files(out, [name], seeds, scale))
        pairs += made
        done()
    return pairs


def measure_large(name: str, folder: Path, scale: float, pool: WarmPool) -> Measured:
    """Medians over a few repetitions, ours and the yardstick by turns, so that both meet the same weather."""
    pair = make_large(LARGE[name], folder, scale)
    ours, bare = [], []
    grade(pool, pair)
    for _ in range(REPEATS):
        ours.append(grade(pool, pair))
        bare.append(bare_read([pair]))
    plain = plain_way(pair)
    equal = ours[-1].said.score == plain.said["score"]
    return _measured(name, _middle(ours), _middle(bare), plain, equal)


def measure_bundle(name: str, folder: Path, scale: float, done: Callable[[], None]) -> Measured:
    """All runs of a bundle, graded in parallel up to the cores; `equal` says that every run was scored."""
    pairs = make_pairs(folder, member_ids(), SEEDS, TINY_SCALE if name == "bundle-tiny" else scale, done)
    ours = grade_all(pairs, os.cpu_count() or 1, done)
    equal = all(verdict.outcome == "scored" for verdict in ours.said)
    return _measured(name, ours, bare_read(pairs), None, equal)


def measure_competitions(
    folder: Path, scale: float, pool: WarmPool, names: Sequence[str]
) -> Iterator[tuple[str, Timed]]:
    """One grading of each competition, as they go."""
    for name in names:
        (pair,) = make_pairs(folder, [name], 1, scale, lambda: None)
        yield name, grade(pool, pair)


def _middle(timed: Sequence[Timed]) -> Timed:
    """The median of the seconds and of the memory."""
    return Timed(median(t.seconds for t in timed), median(t.peak_mb for t in timed), timed[-1].said)


def _measured(name: str, ours: Timed, bare: Timed, plain: Timed | None, equal: bool) -> Measured:
    line = Line(
        case=name,
        ours_s=round(ours.seconds, 4),
        bare_read_s=round(bare.seconds, 4),
        ratio=round(ours.seconds / bare.seconds, 3),
        ours_peak_mb=round(ours.peak_mb, 1),
        bare_read_peak_mb=round(bare.peak_mb, 1),
        pandas_s=round(plain.seconds, 4) if plain else None,
        equal=equal,
    )
    return Measured(line, bare.said["read_s"], plain.said["versions"] if plain else {})
