"""Asking by turns, with the yardstick between any two, and what comes of it."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .site_load import Load

# Short bursts by turns instead of a long one each: so a busy minute of the machine meets all of them.
ROUNDS, BURST_S = 5, 2


@dataclass(frozen=True)
class Line:
    """The result for people and programs. The ratio is that of the requests per second, in the median round."""

    what: str
    submissions: int
    rps: float
    p50_ms: float
    p99_ms: float
    ratio_to_bare_view: float


@dataclass(frozen=True)
class Subject:
    """What is asked of one site again and again."""

    what: str
    submissions: int
    url: str
    headers: Mapping[str, str] = field(hash=False)


@dataclass(frozen=True)
class Burst:
    """The load of a subject, and those of the yardstick just before and just after."""

    load: Load
    bare: tuple[Load, Load]

    @property
    def ratio(self) -> float:
        return self.load.rps / statistics.mean(each.rps for each in self.bare)


def take_turns(
    subjects: Sequence[Subject], ask: Callable[[Subject], Load], bare: Subject
) -> dict[Subject, list[Burst]]:
    """The bursts of each. The first round, in which workers and wrk warm up, is left out."""
    bursts: dict[Subject, list[Burst]] = {subject: [] for subject in subjects}
    for at in range(1 + ROUNDS):
        # To and fro, so that it helps nobody to come first.
        for subject, burst in _round(subjects[:: 1 if at % 2 else -1], ask, bare):
            bursts[subject] += [burst] if at else []
    return bursts


def _round(
    subjects: Sequence[Subject], ask: Callable[[Subject], Load], bare: Subject
) -> Iterator[tuple[Subject, Burst]]:
    before = ask(bare)
    for subject in subjects:
        found, after = ask(subject), ask(bare)
        yield subject, Burst(found, (before, after))
        before = after


def make_line(subject: Subject, bursts: Sequence[Burst]) -> Line:
    found = median_load([burst.load for burst in bursts])
    ratio = statistics.median(burst.ratio for burst in bursts)
    return Line(
        subject.what,
        subject.submissions,
        round(found.rps, 1),
        round(found.p50_ms, 2),
        round(found.p99_ms, 2),
        round(ratio, 3),
    )


def median_load(loads: Sequence[Load]) -> Load:
    return Load(
        statistics.median(each.rps for each in loads),
        statistics.median(each.p50_ms for each in loads),
        statistics.median(each.p99_ms for each in loads),
    )
