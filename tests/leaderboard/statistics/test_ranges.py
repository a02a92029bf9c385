"""Resampled boards and the ranks on them, against SciPy's ranks and brute force."""

from math import ceil, floor

import numpy as np
import pytest

from leaderboard.statistics.grid import Grid
from leaderboard.statistics.interval import bootstrap_intervals, count_alike
from leaderboard.statistics.rank_range import number_figures, rank_ranges
from leaderboard.statistics.resampling import SEED, draw_competitions, resample_figures


def grids(rates: dict[int, float], competitions: int = 30, seeds: int = 3) -> dict[int, Grid]:
    generator = np.random.default_rng(11)
    return {entry: Grid(generator.random((seeds, competitions)) < rate) for entry, rate in rates.items()}


def test_competitions_are_drawn_as_often_as_there_are() -> None:
    weights = draw_competitions(30, SEED)
    assert (weights.sum(axis=0) == 30).all()
    assert weights.mean() == pytest.approx(1.0)
    # The variance of a multinomial share.
    assert weights.var() == pytest.approx(29 / 30, rel=0.05)


@pytest.mark.parametrize("seeds", [1, 3, 6])
def test_figures_spread_as_the_hierarchical_bootstrap_does(seeds: int) -> None:
    """Mean and interval of the resamples, against those computed as a whole."""
    grid = grids({7: 0.4}, seeds=seeds)[7]
    figures = resample_figures({7: grid}, draw_competitions(30, SEED, 20_000), SEED)[7] / 100
    alike = count_alike(grid.counts, grid.seeds)
    exact = bootstrap_intervals([alike])[alike]
    assert exact is not None
    near = 2 * 100 / (seeds * 30)
    assert figures.mean() == pytest.approx(100 * grid.medals.mean(), abs=0.5)
    assert np.quantile(figures, 0.025) == pytest.approx(exact.low, abs=near)
    assert np.quantile(figures, 0.975) == pytest.approx(exact.high, abs=near)


def test_entries_meet_the_same_competitions() -> None:
    """Without a difference between seeds two entries with equal medals move together in every resample."""
    same = Grid(np.tile(np.arange(30) % 3 == 0, (3, 1)))
    found = resample_figures({1: same, 2: same}, draw_competitions(30, SEED), SEED)
    assert (found[1] == found[2]).all()
    assert len(set(found[1].tolist())) > 5


def test_who_else_is_there_and_in_what_order_changes_no_draw() -> None:
    some = grids({3: 0.2, 5: 0.5, 9: 0.7})
    weights = draw_competitions(30, SEED)
    together = resample_figures(some, weights, SEED)
    backwards = resample_figures(dict(reversed(some.items())), weights, SEED)
    alone = resample_figures({5: some[5]}, weights, SEED)
    assert (together[5] == alone[5]).all()
    assert all((together[entry] == backwards[entry]).all() for entry in some)


def ranges(figures: list[list[int]], fixed: list[int]) -> list[list[int]]:
    table = np.array(figures, dtype=np.int16) if figures else np.zeros((0, 100), dtype=np.int16)
    return rank_ranges(number_figures(table, fixed), np.arange(len(table)), fixed).tolist()  # type: ignore[no-any-return]


def test_what_is_always_ahead_has_no_range_and_equals_share_the_better_rank() -> None:
    ahead, behind = [9000] * 100, [100] * 100
    assert ranges([ahead, behind, behind], []) == [[1, 1], [2, 2], [2, 2]]
    assert ranges([behind], [9000, 100]) == [[2, 2]]
    assert ranges([], [100]) == ranges([], []) == []


@pytest.mark.parametrize(("entries", "resamples"), [(1, 1), (3, 2), (40, 41), (300, 100), (700, 7)])
def test_ranges_are_counted_one_by_one(entries: int, resamples: int) -> None:
    """Few or many, more than are looked at at a time; some that do not move beside them."""
    generator = np.random.default_rng(entries)
    figures, fixed = generator.integers(0, 60, (entries, resamples)), generator.integers(0, 60, 5).tolist()
    others = np.vstack([figures, np.tile(np.array(fixed)[:, None], resamples)])
    low, high = floor(0.025 * resamples), ceil(0.975 * resamples) - 1
    expected = []
    for own in figures:
        ranks = np.sort(1 + (others > own).sum(axis=0)).tolist()
        expected.append([ranks[low], ranks[high]])
    assert ranges(figures.tolist(), fixed) == expected
