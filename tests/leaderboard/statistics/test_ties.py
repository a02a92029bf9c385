"""The sign-flip test against every flip and against SciPy, Holm's adjustment, and who is tied with a leader."""

from itertools import product

import numpy as np
import pytest

from leaderboard.statistics.grid import Grid
from leaderboard.statistics.holm import adjust
from leaderboard.statistics.sign_flip import compare, sign_flip_p
from leaderboard.statistics.ties import FEWEST_COMPETITIONS, compare_with_leader


def grid(counts: list[int], seeds: int = 3) -> Grid:
    return Grid(np.array([[seed < count for count in counts] for seed in range(seeds)]))


def every_flip(differences: list[int]) -> float:
    observed = abs(sum(differences))
    sums = [abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
            for signs in product((1, -1), repeat=len(differences))]  # fmt: skip
    return sum(value >= observed for value in sums) / len(sums)


@pytest.mark.parametrize(
    "differences",
    [
        [],
        [0, 0],
        [1],
        [1, -1],
        [3, 2, 0, -1],
        [1] * 6,
        [2, 2, 2, -1, 3],
        [5, -4, 3, -2, 1, 1, 1],
        [7, 1, 1, 1, 1, 1, 1],
    ],
)
def test_is_the_share_of_all_flips(differences: list[int]) -> None:
    assert sign_flip_p(differences) == pytest.approx(every_flip(differences))


def test_random_cases() -> None:
    generator = np.random.default_rng(3)
    for _ in range(60):
        differences = generator.integers(-3, 4, size=10).tolist()
        assert sign_flip_p(differences) == pytest.approx(every_flip(differences))


def test_is_exact_for_a_whole_benchmark() -> None:
    """75 competitions: 2**75 flips, of which two are as far out."""
    assert sign_flip_p([1] * 75) == pytest.approx(2 / 2**75)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (grid([3, 1, 0]), grid([1, 1, 2]), [2, 0, -2]),
        (grid([2, 1], seeds=2), grid([3, 1], seeds=3), [0, 1]),
        (grid([1, 0], seeds=1), grid([2, 3], seeds=4), [2, -3]),
    ],
)
def test_rates_are_compared_in_a_common_unit(one: Grid, other: Grid, expected: list[int]) -> None:
    assert compare(one, other) == expected
    assert compare(other, one) == [-part for part in expected]


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        ([], []),
        ([0.04], [0.04]),
        # Worked by hand: times 4, 3, 2, 1 from the smallest up, never falling, never above 1.
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.6, 0.5], [1.0, 1.0]),
        ([0.02, 0.02], [0.04, 0.04]),
    ],
)
def test_holm(p_values: list[float], adjusted: list[float]) -> None:
    assert adjust(p_values) == pytest.approx(adjusted)


def test_equal_agents_are_tied_and_one_that_is_better_everywhere_is_not() -> None:
    leader = grid([3] * 12)
    found = compare_with_leader(leader, {1: grid([3] * 12), 2: grid([2] * 12), 3: grid([3] * 11 + [0])})
    assert (found[1].is_tied, found[1].p_value, found[1].differing) == (True, 1.0, 0)
    assert (found[2].is_tied, found[2].p_value) == (False, pytest.approx(2 / 2**12))
    assert (found[3].is_tied, found[3].differing) == (True, 1)


def test_fewer_competitions_than_the_fewest_could_tell_nobody_apart() -> None:
    assert sign_flip_p([3] * FEWEST_COMPETITIONS) < 0.05 < sign_flip_p([3] * (FEWEST_COMPETITIONS - 1))


def test_many_comparisons_ask_for_more() -> None:
    """Six of six is enough for one comparison, and not for the same one among ten."""
    leader, behind = grid([3] * 6), grid([2] * 6)
    alone = compare_with_leader(leader, {1: behind})
    among = compare_with_leader(leader, {1: behind} | {n: grid([3] * 5 + [2]) for n in range(2, 11)})
    assert not alone[1].is_tied
    assert among[1].is_tied


def test_all_at_once_are_compared_as_two_are() -> None:
    """Whatever the seeds, and with competitions that are masked for one of the two."""
    generator = np.random.default_rng(5)

    def some(seeds: int, is_masked: bool) -> Grid:
        counted = generator.random(20) < 0.8 if is_masked else None
        medals = generator.random((seeds, 20)) < 0.4
        return Grid(medals if counted is None else medals & counted, counted)

    for is_masked in (False, True):
        leader = some(3, is_masked)
        others = {at: some(seeds, at % 4 == 0) for at, seeds in enumerate([3, 3, 1, 2, 3, 5, 3] * 4)}
        found = compare_with_leader(leader, others)
        assert list(found) == list(others)
        for entry, grid_ in others.items():
            ahead = compare(leader, grid_)
            assert found[entry].differing == sum(part != 0 for part in ahead)
            assert found[entry].p_value == sign_flip_p(ahead)
