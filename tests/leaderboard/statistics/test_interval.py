"""The interval of Any Medal, against all resamples of a small case and many of a large one."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from leaderboard.statistics.grid import Counts
from leaderboard.statistics.interval import LEVEL, Interval, bootstrap_intervals, count_alike


def bootstrap_interval(counts: Counts, seeds: int, level: float = LEVEL) -> Interval | None:
    alike = count_alike(counts, seeds)
    return bootstrap_intervals([alike], level)[alike]


def resampled(medals: list[list[int]]) -> dict[int, Fraction]:
    """Chances of each number of medals when competitions are drawn again, then seeds within each: all of them."""
    found: Counter[int] = Counter()
    for drawn in product(medals, repeat=len(medals)):
        for sums in product(
            *([sum(again) for again in product(seeds, repeat=len(seeds))] for seeds in drawn)
        ):
            found[sum(sums)] += 1
    return {total: Fraction(number, found.total()) for total, number in sorted(found.items())}


def quantile(chances: dict[int, Fraction], share: Fraction) -> int:
    below = Fraction(0)
    for total, chance in chances.items():
        below += chance
        if below >= share:
            return total
    raise AssertionError(share)


@pytest.mark.parametrize(
    "medals",
    [
        [[1, 0], [1, 1]],
        [[1, 0], [0, 0]],
        [[1, 0], [1, 1], [0, 0]],
        [[0], [1], [1], [0]],
        [[1, 0, 0], [1, 1, 0]],
    ],
)
@pytest.mark.parametrize("level", [0.5, 0.8, 0.95])
def test_is_that_of_every_possible_resample(medals: list[list[int]], level: float) -> None:
    chances, tail = resampled(medals), (1 - Fraction(str(level))) / 2
    seeds = len(medals[0])
    found = bootstrap_interval(np.array([sum(row) for row in medals]), seeds, level)
    assert found is not None
    runs = seeds * len(medals)
    assert found.low == pytest.approx(100 * quantile(chances, tail) / runs)
    assert found.high == pytest.approx(100 * quantile(chances, 1 - tail) / runs)


@pytest.mark.parametrize("seeds", [1, 3, 5])
def test_is_that_of_many_resamples(seeds: int) -> None:
    """The same by brute force, within two runs of 75 competitions."""
    generator = np.random.default_rng(5)
    medals = generator.random((seeds, 75)) < generator.random(75)
    columns = generator.integers(0, 75, size=(20_000, 75))
    rows = generator.integers(0, seeds, size=(20_000, 75, seeds))
    means = 100 * medals[rows, columns[:, :, None]].mean(axis=(1, 2))
    found = bootstrap_interval(medals.sum(axis=0), seeds)
    assert found is not None
    near = 2 * 100 / (seeds * 75) + 1e-9
    assert found.low == pytest.approx(np.quantile(means, 0.025), abs=near)
    assert found.high == pytest.approx(np.quantile(means, 0.975), abs=near)
    assert found.low < 100 * medals.mean() < found.high


def test_it_is_wider_than_the_seeds_alone_and_narrower_with_more_competitions() -> None:
    few, many = (bootstrap_interval(np.array([3, 0] * half), 3) for half in (5, 50))
    assert few is not None
    assert many is not None
    # The seeds agree wholly, so over them alone there would be no doubt at all.
    assert many.high - many.low > 0
    assert few.high - few.low > 2 * (many.high - many.low)


@pytest.mark.parametrize("counts", [[0, 0, 0], [3, 3, 3]])
def test_runs_that_all_came_out_alike_have_none(counts: list[int]) -> None:
    assert bootstrap_interval(np.array(counts), 3) is None


def test_order_of_competitions_changes_nothing() -> None:
    counts = np.array([3, 2, 0, 0, 1, 3, 0, 1])
    assert bootstrap_interval(counts, 3) == bootstrap_interval(counts[::-1], 3)


def test_many_at_once_are_those_of_each_alone() -> None:
    generator = np.random.default_rng(8)
    wanted = {
        count_alike(generator.binomial(seeds, generator.beta(1, 2, competitions)), seeds)
        for seeds, competitions in [(3, 75), (3, 22), (1, 75), (5, 38), (16, 7)] * 40
    }
    together = bootstrap_intervals(wanted)
    assert set(together) == wanted
    assert together == {alike: bootstrap_intervals([alike])[alike] for alike in wanted}
