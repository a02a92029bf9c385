"""From medals to the figures of a board: per seed, then mean and SEM over seeds. Pure.

Source: MLE-bench README, "Producing Scores for the Leaderboard". Unlike in the benchmark's own script, seeds
are keyed by label: a missing run is a failure of its seed, counted, and never filled with another seed's run.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from grading.medals import Medal


@dataclass(frozen=True)
class RunResult:
    """What one run counts as. A run that was never handed in has none."""

    medal: Medal
    above_median: bool
    is_valid: bool


@dataclass(frozen=True)
class Figure:
    """Mean over seeds and its standard error, in the unit of the values; no SEM with one seed."""

    mean: float
    sem: float | None


@dataclass(frozen=True)
class SeedFigures:
    """Percent (0-100) of all competitions of the split, for one seed, and the number of its missing runs."""

    any_medal: float
    gold: float
    silver: float
    bronze: float
    above_median: float
    valid: float
    submitted: float
    missing: int


@dataclass(frozen=True)
class Aggregate:
    """The figures of one split. `per_seed` is by label; `total_runs` = seeds x competitions."""

    per_seed: Mapping[str, SeedFigures]
    total_runs: int

    def figure(self, name: str) -> Figure:
        """Mean and SEM over seeds of one percentage of SeedFigures, such as `any_medal`."""
        return mean_and_sem([getattr(seed, name) for seed in self.per_seed.values()])

    @property
    def missing_runs(self) -> int:
        return sum(seed.missing for seed in self.per_seed.values())


def mean_and_sem(values: Sequence[float]) -> Figure:
    """Mean and standard error (ddof 1; None with one value). Raises ValueError without values."""
    if not values:
        raise ValueError("there is no seed to average over")
    count = len(values)
    mean = fsum(values) / count
    if count == 1:
        return Figure(mean, None)
    return Figure(mean, sqrt(fsum((value - mean) ** 2 for value in values) / (count - 1) / count))


def aggregate(runs: Mapping[str, Mapping[str, RunResult]], competitions: Collection[str]) -> Aggregate:
    """The figures of a split. `runs`: seed label to competition to result; `competitions`: all of the split.

    Results of other competitions are left aside. Raises ValueError without competitions.
    """
    wanted = frozenset(competitions)
    if not wanted:
        raise ValueError("the split has no competitions")
    per_seed = {
        seed: _seed_figures([result for key, result in results.items() if key in wanted], len(wanted))
        for seed, results in runs.items()
    }
    return Aggregate(per_seed, len(per_seed) * len(wanted))


def _seed_figures(results: Sequence[RunResult], competitions: int) -> SeedFigures:
    def percent(flags: Iterable[bool]) -> float:
        return 100 * sum(flags) / competitions

    return SeedFigures(
        any_medal=percent(result.medal is not Medal.NONE for result in results),
        gold=percent(result.medal is Medal.GOLD for result in results),
        silver=percent(result.medal is Medal.SILVER for result in results),
        bronze=percent(result.medal is Medal.BRONZE for result in results),
        above_median=percent(result.above_median for result in results),
        valid=percent(result.is_valid for result in results),
        submitted=percent(True for _ in results),
        missing=competitions - len(results),
    )
