"""Which distances are too small: a table of what lies around, and whether it is near."""

import numpy as np
import pytest

from leaderboard.fingerprints.near import (
    Stock,
    distances,
    is_near_sample,
    near_own,
    near_strangers,
    nearest_of_each,
    too_near,
    unpack,
)
from leaderboard.fingerprints.sketch import BUCKETS, HALVES

SIX_FAR = [0.2, 0.25, 0.3, 0.3, 0.35, 0.4]
NEAR = [
    ("the only other, all but equal", [0.001], None),
    ("the only other, nearer than ten times to an own seed", [0.009], 0.1),
    ("ten times nearer than another", [0.015, 0.3], None),
    ("ten times nearer than many", [0.019, *SIX_FAR], None),
    ("among many a looser bound", [0.03, *(each + 0.2 for each in SIX_FAR)], None),
    ("nearer than the own seeds", [0.015, *SIX_FAR], 0.02),
    ("own seeds that are clones say nothing", [0.015, *SIX_FAR], 0.0001),
    ("two who share it, and others", [0.001, 0.001, *SIX_FAR], None),
    ("nothing apart at all", [0.0, 0.3], None),
]
FAR = [
    ("the only other, with nothing to compare", [0.009], None),
    ("the only other, as far as own seeds", [0.01], 0.05),
    ("one more who is nearly as near", [0.015, 0.1], None),
    ("where all are near, a little nearer", [0.001, 0.002, 0.003, 0.004, 0.005], None),
    ("own seeds are nearer", [0.015, *SIX_FAR], 0.01),
    ("far beyond the bound", [0.06, *(each * 2.5 for each in SIX_FAR)], None),
    ("what most of many share", [0.0, 0.0, 0.0, 0.0, 0.3], None),
    ("few beyond the tighter bound", [0.03, 0.9], None),
]


@pytest.mark.parametrize(("best", "own"), [case[1:] for case in NEAR], ids=[case[0] for case in NEAR])
def test_it_is_near(best: list[float], own: float | None) -> None:
    assert too_near(np.array(best, dtype=np.float32), own)[0]


@pytest.mark.parametrize(("best", "own"), [case[1:] for case in FAR], ids=[case[0] for case in FAR])
def test_it_is_not(best: list[float], own: float | None) -> None:
    assert not too_near(np.array(best, dtype=np.float32), own)[0]


def test_of_every_owner_the_nearest_counts() -> None:
    owners, found = np.array([5, 5, 3, 3, 9]), np.array([0.4, 0.1, 0.2, 0.1, 0.5], dtype=np.float32)
    assert [each.tolist() for each in nearest_of_each(owners, found)] == [[5, 3, 9], [1, 3, 4]]


def sketch(seed: int, like: int = 0, noise: float = 1.0) -> np.ndarray:
    """Random in itself; with little noise near to that of another seed."""
    base, own = (np.random.default_rng(each).normal(size=HALVES * BUCKETS) for each in (like, seed))
    mixed = own if not like else base + noise * own
    return np.rint(mixed / np.abs(mixed).max() * 127).astype(np.int8)


def stock_of(*rows: tuple[int, np.ndarray]) -> Stock:
    """Owner and sketch of each; numbers count from 100."""
    return Stock(
        np.arange(100, 100 + len(rows)),
        np.array([owner for owner, _ in rows]),
        unpack([each.tobytes() for _, each in rows]),
    )


def test_a_distance_is_one_less_the_cosine() -> None:
    one, other = sketch(1), sketch(2, like=1, noise=0.1)
    first, second = (each[:BUCKETS].astype(float) for each in (one, other))
    cosine = first @ second / np.linalg.norm(first) / np.linalg.norm(second)
    assert distances(other[None], one)[0, 0] == pytest.approx(1 - cosine, abs=1e-6)
    assert distances(one[None], one).max() < 1e-6


def test_the_nearest_run_of_the_copied_organisation_is_named_and_no_other() -> None:
    mine = sketch(2, like=1, noise=0.05)
    rows = [(7, sketch(1)), (7, sketch(30)), (8, sketch(31)), (9, sketch(32)), (1, mine)]
    stock = stock_of(*rows)
    (found,) = near_strangers(stock, distances(stock.sketches, mine), 1, None, most=5)
    assert (found.number, found.owner) == (100, 7)
    assert 0.99 < found.likeness < 1
    assert near_strangers(stock, distances(stock.sketches, mine), 1, None, most=0) == []


def test_own_runs_are_no_strangers_and_only_the_equal_ones_are_told() -> None:
    mine = sketch(1)
    stock = stock_of(
        (1, mine), (1, sketch(2, like=1, noise=0.005)), (1, sketch(3, like=1, noise=0.3)), (2, mine)
    )
    found = distances(stock.sketches, mine)
    assert [each.number for each in near_own(stock, found, 1, most=9)] == [100, 101]
    assert [each.number for each in near_strangers(stock, found, 1, None, most=9)] == [103]


def test_an_empty_stock_has_nothing_near() -> None:
    stock = stock_of()
    found = distances(stock.sketches, sketch(1))
    assert near_strangers(stock, found, 1, None, 5) == near_own(stock, found, 1, 5) == []


def test_what_is_near_the_sample() -> None:
    assert is_near_sample(sketch(1), sketch(2, like=1, noise=0.05))
    assert not is_near_sample(sketch(1), sketch(2))
    assert not is_near_sample(None, sketch(2))
