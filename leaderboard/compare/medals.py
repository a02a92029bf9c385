"""Medals of some entries competition by competition. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from leaderboard.run_marks import mark_of
from leaderboard.statistics.grid import Grid, fill_grid

MEDALS = ("gold", "silver", "bronze")
# As runs are counted up: the best first.
ORDER = (*MEDALS, "above_median", "none", "invalid", "timed_out", "out_of_memory", "grader_error", "missing")

# Runs with each mark, by entry and competition.
Counts = dict[tuple[int, str], Counter[str]]


@dataclass(frozen=True)
class Run:
    entry: int
    seed: str
    competition: str
    outcome: str
    medal: str
    above_median: bool
    masked_by: int | None = None

    @property
    def mark(self) -> str:
        return mark_of(self.outcome, self.medal, self.above_median)


@dataclass(frozen=True)
class Cell:
    """An entry's runs on a competition: how many ended with each mark, best first.

    `masked_by`: the decision by which they are shown, but not counted.
    """

    marks: tuple[tuple[str, int], ...]
    masked_by: int | None = None

    @property
    def runs(self) -> int:
        return sum(count for _, count in self.marks)

    @property
    def medals(self) -> int:
        return sum(count for mark, count in self.marks if mark in MEDALS)

    @property
    def rate(self) -> float:
        return self.medals / self.runs if self.runs else 0.0


@dataclass(frozen=True)
class CompetitionLine:
    """One competition with a cell for each entry; None where its runs are not known."""

    id: str
    title: str
    cells: tuple[Cell | None, ...]

    @property
    def spread(self) -> float:
        """How far the medal rates that count lie apart, 0-1."""
        rates = [cell.rate for cell in self.cells if cell and cell.masked_by is None]
        return max(rates) - min(rates) if rates else 0.0


def line_up(
    runs: Iterable[Run], columns: Sequence[int | None], competitions: Mapping[str, str]
) -> list[CompetitionLine]:
    """A line for every competition, those that differ most first. `columns`: entries, None where runs are not known.

    `competitions`: id to title.
    """
    counted: Counts = {}
    masked: dict[tuple[int, str], int | None] = {}
    for run in runs:
        counted.setdefault((run.entry, run.competition), Counter())[run.mark] += 1
        masked[run.entry, run.competition] = run.masked_by
    lines = [
        CompetitionLine(key, title, tuple(_cell(counted, masked, entry, key) for entry in columns))
        for key, title in competitions.items()
    ]
    return sorted(lines, key=lambda line: (-line.spread, line.title))


def _cell(
    counted: Counts, masked: Mapping[tuple[int, str], int | None], entry: int | None, competition: str
) -> Cell | None:
    if entry is None:
        return None
    found = counted.get((entry, competition), Counter())
    marks = tuple((mark, found[mark]) for mark in ORDER if found[mark])
    return Cell(marks, masked.get((entry, competition)))


def grid_of(runs: Sequence[Run], seeds: Sequence[str], competitions: Sequence[str]) -> Grid:
    """The medals of one entry. `runs`: of these competitions alone."""
    medalled = [(run.seed, run.competition) for run in runs if run.medal in MEDALS]
    masked = {run.competition for run in runs if run.masked_by is not None}
    return fill_grid(seeds, competitions, medalled, masked)
