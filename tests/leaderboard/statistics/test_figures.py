"""pass@k against every choice of seeds, the grid of medals, and masks."""

from itertools import combinations

import numpy as np
import pytest

from leaderboard.aggregation import mean_and_sem
from leaderboard.statistics.grid import Grid, fill_grid
from leaderboard.statistics.masks import Mask
from leaderboard.statistics.pass_at_k import curve, pass_at_k


def every_choice(medals: np.ndarray, k: int) -> float:
    """The share of choices of k seeds with a medal, mean over competitions, in percent."""
    seeds = range(len(medals))
    return 100 * float(np.mean([medals[list(chosen)].any(axis=0) for chosen in combinations(seeds, k)]))


@pytest.mark.parametrize("seeds", [1, 2, 3, 6])
def test_pass_at_k_is_the_mean_over_all_choices_of_seeds(seeds: int) -> None:
    medals = np.random.default_rng(seeds).random((seeds, 9)) < 0.4
    expected = [every_choice(medals, k) for k in range(1, seeds + 1)]
    assert curve(medals.sum(axis=0), seeds) == pytest.approx(expected)


def test_pass_at_k_of_nothing_has_no_curve() -> None:
    assert curve(np.array([], dtype=np.int64), 3) == []


def test_the_first_is_any_medal_and_none_comes_after_the_last() -> None:
    grid = Grid(np.random.default_rng(2).random((3, 20)) < 0.5)
    assert pass_at_k(grid.counts, 3, 1) == pytest.approx(grid.figure().mean)
    for k in (0, 4):
        with pytest.raises(ValueError, match="from 1 to 3"):
            pass_at_k(grid.counts, 3, k)


def test_a_grid_is_filled_by_label() -> None:
    grid = fill_grid(["a", "b"], ["x", "y", "z"], [("b", "x"), ("a", "x"), ("b", "z")])
    assert grid.counts.tolist() == [2, 0, 1]
    assert (grid.seeds, grid.competitions) == (2, 3)
    assert grid.part(np.array([False, True, True])).counts.tolist() == [0, 1]


def test_a_grid_has_the_figure_that_is_published() -> None:
    grid = fill_grid(["a", "b", "c"], ["x", "y", "z"], [("a", "x"), ("b", "x"), ("b", "y")])
    assert grid.figure() == mean_and_sem([100 / 3, 200 / 3, 0.0])
    assert Grid(grid.medals[:1]).figure().sem is None


@pytest.mark.parametrize(
    ("kinds", "hidden"),
    [
        (set(), set()),
        ({"leak"}, {Mask.KNOWN_LEAKS, Mask.KNOWN_ISSUES}),
        ({"thresholds"}, {Mask.KNOWN_ISSUES}),
        ({"grading", "leak"}, {Mask.KNOWN_LEAKS, Mask.KNOWN_ISSUES}),
    ],
)
def test_masks(kinds: set[str], hidden: set[Mask]) -> None:
    assert {mask for mask in Mask if mask.hides(kinds)} == hidden
