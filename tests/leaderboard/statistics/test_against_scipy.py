"""The same figures by SciPy, in a file of their own since it takes long to load."""

from math import ceil, floor

import numpy as np
import pytest
from scipy.stats import binom, permutation_test, rankdata, sem

from leaderboard.aggregation import mean_and_sem
from leaderboard.statistics.binomial import chances_of
from leaderboard.statistics.rank_range import number_figures, rank_ranges
from leaderboard.statistics.resampling import SEED, draw_competitions, resample_figures
from leaderboard.statistics.sign_flip import sign_flip_p
from tests.leaderboard.statistics.test_ranges import grids


@pytest.mark.parametrize(
    ("trials", "wins", "of"), [(0, 1, 3), (4, 0, 3), (4, 3, 3), (5, 1, 3), (36, 17, 36), (200, 1, 2)]
)
def test_binomial_chances(trials: int, wins: int, of: int) -> None:
    expected = binom.pmf(np.arange(trials + 1), trials, wins / of)
    assert chances_of(trials, wins, of) == pytest.approx(expected, abs=1e-12)


def test_is_that_of_scipy() -> None:
    generator = np.random.default_rng(8)
    differences = generator.integers(-2, 4, size=13)
    found = permutation_test(
        (differences,), lambda x, axis: x.sum(axis=axis), permutation_type="samples",
        n_resamples=np.inf, vectorized=True, alternative="two-sided",
    )  # fmt: skip
    assert sign_flip_p(differences.tolist()) == pytest.approx(found.pvalue)


@pytest.mark.parametrize("fixed", [(), (5000,), (0, 4000, 4000, 10_000)])
def test_ranges_are_those_of_scipys_ranks(fixed: tuple[int, ...]) -> None:
    drawn = resample_figures(
        grids({1: 0.4, 2: 0.45, 3: 0.6, 4: 0.05}), draw_competitions(30, SEED), SEED
    ).values()
    figures = np.stack(list(drawn))
    # One that is known stands on another board, and so does a fixed one.
    numbered, here = number_figures(figures, [*fixed, 700]), np.array([0, 1, 3])
    board = np.vstack([figures[here], *(np.full(len(figures[0]), value) for value in fixed)])
    ranks = np.sort(rankdata(-board, method="min", axis=0)[: len(here)], axis=1)
    low, high = floor(0.025 * ranks.shape[1]), ceil(0.975 * ranks.shape[1]) - 1
    assert rank_ranges(numbered, here, fixed).tolist() == [[row[low], row[high]] for row in ranks]


def test_sem_is_that_of_scipy() -> None:
    values = [64.0, 62.667, 66.667, 60.0]
    assert mean_and_sem(values).sem == pytest.approx(sem(values))
