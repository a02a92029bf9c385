"""The sign-flip test against every flip and against SciPy, Holm's adjustment, and who is tied with a leader."""

from itertools import product

import numpy as np
import pytest

from leaderboard.statistics.grid import Grid
from leaderboard.statistics.holm import adjust
from leaderboard.statistics.sign_flip import compare, sign_flip_p
from leaderboard.statistics.ties import FEWEST_COMPETITIONS, Comparisons, compare_with_leader


def grid(counts: list[int], seeds: int = 3) -> Grid:
    return Grid(np.array([[seed < count for count in counts] for seed in range(seeds)]))


def against(leader: Grid, *others: Grid) -> Comparisons:
    """The others against the leader, all of a board."""
    grids = [leader, *others]
    every = np.ones(leader.medals.shape[1], dtype=bool)
    return compare_with_leader(
        np.array([each.seeds for each in grids]),
        np.stack([each.medals.sum(axis=0).astype(np.int16) for each in grids]),
        np.stack([every if each.counted is None else each.counted for each in grids]),
    )


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
    found = against(leader, grid([3] * 12), grid([2] * 12), grid([3] * 11 + [0]))
    assert found.is_tied.tolist() == [True, False, True]
    assert found.p_value.tolist() == [1.0, pytest.approx(2 / 2**12), 1.0]
    assert found.differing.tolist() == [0, 12, 1]


def test_fewer_competitions_than_the_fewest_could_tell_nobody_apart() -> None:
    assert sign_flip_p([3] * FEWEST_COMPETITIONS) < 0.05 < sign_flip_p([3] * (FEWEST_COMPETITIONS - 1))


def test_many_comparisons_ask_for_more() -> None:
    """Six of six is enough for one comparison, and not for the same one among ten."""
    leader, behind = grid([3] * 6), grid([2] * 6)
    alone = against(leader, behind)
    among = against(leader, behind, *(grid([3] * 5 + [2]) for _ in range(9)))
    assert not alone.is_tied[0]
    assert among.is_tied[0]


def test_all_at_once_are_compared_as_two_are() -> None:
    """Whatever the seeds, and with competitions that are masked for one of the two."""
    generator = np.random.default_rng(5)

    def some(seeds: int, is_masked: bool) -> Grid:
        counted = generator.random(20) < 0.8 if is_masked else None
        medals = generator.random((seeds, 20)) < 0.4
        return Grid(medals if counted is None else medals & counted, counted)

    for is_masked in (False, True):
        leader = some(3, is_masked)
        others = [some(seeds, at % 4 == 0) for at, seeds in enumerate([3, 3, 1, 2, 3, 5, 3] * 4)]
        found = against(leader, *others)
        for at, other in enumerate(others):
            ahead = compare(leader, other)
            assert found.differing[at] == sum(part != 0 for part in ahead)
            assert found.p_value[at] == sign_flip_p(ahead)
