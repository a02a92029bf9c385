"""Draws: the same whoever else is there, even, without pattern between entries, and the wins they stand for."""

from math import comb

import numpy as np
import pytest

from leaderboard.statistics.draws import BITS, draw_bits, tabulate_wins

MOST = 2**BITS


def test_an_entry_has_its_own_draws() -> None:
    together = draw_bits(1, [3, 5, 9], 1, 1001)
    assert together.shape == (3, 1001)
    assert (draw_bits(1, [5], 1, 1001)[0] == together[1]).all()
    assert (draw_bits(1, [5], 1, 10)[0] == together[1, :10]).all()
    for other in (draw_bits(2, [5], 1, 1001), draw_bits(1, [5], 2, 1001), draw_bits(1, [6], 1, 1001)):
        assert (other[0] == together[1]).mean() < 0.01


def test_they_are_even_and_unrelated() -> None:
    drawn = draw_bits(2410, range(200), 1, 1000) / MOST
    assert drawn.min() >= 0
    assert drawn.max() < 1
    counts = np.histogram(drawn, 20, (0, 1))[0]
    assert counts == pytest.approx(np.full(20, 10_000), rel=0.05)
    between = np.corrcoef(drawn)[np.triu_indices(200, 1)]
    assert np.abs(between).max() < 0.2
    assert abs(np.corrcoef(drawn[:, :-1].ravel(), drawn[:, 1:].ravel())[0, 1]) < 0.01


@pytest.mark.parametrize(("count", "seeds"), [(1, 3), (2, 3), (1, 2), (4, 5)])
def test_every_draw_stands_for_a_number_of_wins_as_often_as_it_should(count: int, seeds: int) -> None:
    table = tabulate_wins(10, count, seeds)
    assert table.shape == (11, MOST)
    assert not table[0].any()
    for drawn in (1, 4, 10):
        trials, chance = drawn * seeds, count / seeds
        expected = [comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(trials + 1)]
        found = np.bincount(table[drawn], minlength=trials + 1) / MOST
        assert found == pytest.approx(expected, abs=2 / MOST)
