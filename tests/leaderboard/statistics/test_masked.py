"""Statistics of entries with masked competitions: the same as if these had never been there, and fair to the others."""

from typing import Any

import numpy as np
import pytest

from grading.models import Benchmark
from leaderboard.integrity.masking import mask_competitions
from leaderboard.models import Entry
from leaderboard.statistics.grid import Grid, fill_grid
from leaderboard.statistics.resampling import draw_competitions, resample_figures
from leaderboard.statistics.shown import FEW_COUNTED
from leaderboard.statistics.sign_flip import compare
from leaderboard.statistics.split import study_split
from tests.factories import NOW, make_maintainer
from tests.leaderboard.boards import GROUNDS
from tests.leaderboard.medal_boards import make_wide, make_wide_benchmark, row_of

IDS = [f"c{at}" for at in range(12)]
SEEDS = ["s0", "s1", "s2"]


def made_up(seed: int, masked: tuple[str, ...] = ()) -> Grid:
    generator = np.random.default_rng(seed)
    won = [(label, key) for label in SEEDS for key in IDS if generator.random() < 0.4]
    return fill_grid(SEEDS, IDS, won, masked)


def without(grid: Grid, masked: tuple[str, ...]) -> Grid:
    """The grid of a benchmark that never had these competitions."""
    return Grid(grid.medals[:, [key not in masked for key in IDS]])


@pytest.mark.parametrize("masked", [("c0",), ("c3", "c11"), tuple(IDS[:6])])
def test_figures_are_those_without_the_masked_ones(masked: tuple[str, ...]) -> None:
    grid, other = made_up(1, masked), without(made_up(1), masked)
    assert (grid.competitions, grid.figure()) == (12 - len(masked), other.figure())
    everything = np.ones(12, dtype=np.bool_)
    studied = study_split(12, {1: grid}, {("masks", "none"): everything}).entries[1]
    rest = np.ones(12 - len(masked), dtype=np.bool_)
    alone = study_split(12 - len(masked), {1: other}, {("masks", "none"): rest}).entries[1]
    assert (studied.interval, studied.pass_at_k) == (alone.interval, alone.pass_at_k)
    assert dict(studied.parts) == dict(alone.parts)
    assert dict(studied.sizes) == dict(alone.sizes)


def test_a_medal_on_a_masked_one_is_nothing() -> None:
    grid = fill_grid(SEEDS, IDS, [(label, "c0") for label in SEEDS], ("c0",))
    assert (grid.figure().mean, grid.counts.sum()) == (0.0, 0)


def test_a_part_of_which_nothing_counts_has_no_figure() -> None:
    only = np.array([key == "c0" for key in IDS])
    parts = {("masks", "none"): np.ones(12, dtype=np.bool_), ("masks", "known-leaks"): only}
    studied = study_split(12, {1: made_up(1, ("c0",)), 2: made_up(2)}, parts)
    assert set(studied.entries[1].parts) == {("masks", "none")}
    assert set(studied.entries[2].parts) == set(parts)


@pytest.mark.parametrize(
    ("one", "other", "left"),
    [
        ((), (), 12),
        (("c0",), (), 11),
        ((), ("c0", "c1"), 10),
        (("c0",), ("c0", "c1"), 10),
        (("c0",), ("c1",), 10),
    ],
)
def test_two_are_compared_on_what_counts_for_both(
    one: tuple[str, ...], other: tuple[str, ...], left: int
) -> None:
    ahead = compare(made_up(1, one), made_up(2, other))
    whole = compare(made_up(1), made_up(2))
    assert ahead == [each for key, each in zip(IDS, whole, strict=True) if key not in {*one, *other}]
    assert len(ahead) == left


def test_resampled_figures_are_of_what_was_drawn_and_counts() -> None:
    weights = draw_competitions(12, 7)
    full = fill_grid(SEEDS, IDS, [(label, key) for label in SEEDS for key in IDS], ("c0", "c1"))
    masked = ("c0", "c1", "c2")
    some = made_up(3, masked)
    figures = resample_figures({1: full, 2: some}, weights, 7)
    assert set(figures[1].tolist()) == {10_000}, "a medal everywhere is 100 % whatever is drawn"
    assert figures[2].mean() / 100 == pytest.approx(some.figure().mean, abs=3)
    assert figures[2].max() <= 10_000


# On a board.


@pytest.fixture
def benchmark(db: None) -> Benchmark:
    return make_wide_benchmark()


def statistics_of(entry: Entry, split: str = "all") -> dict[str, Any]:
    found: dict[str, Any] = row_of(entry, "clean", split)["statistics"]
    return found


def mask(entry: Entry, *competitions: str) -> None:
    mask_competitions(entry, competitions, GROUNDS, make_maintainer(), NOW)


def test_a_mask_moves_nobody_else(benchmark: Benchmark) -> None:
    best, other = make_wide(benchmark, "333333330000"), make_wide(benchmark, "222222221111")
    before = row_of(other)
    mask(best, "c00", "c01")
    found = statistics_of(best)
    assert (found["competitions"], found["counted"], found["is_leader"]) == (12, 10, True)
    assert row_of(best)["any_medal"]["all"]["mean"] == pytest.approx(60.0)
    after = row_of(other)
    for name in ("any_medal", "gold", "masks", "medals"):
        assert after[name] == before[name]
    for name in ("interval_low", "interval_high", "pass_at_k"):
        assert after["statistics"][name] == before["statistics"][name]
    # Compared on the ten that count for both.
    assert after["statistics"]["differing"] == 10


def test_where_too_few_are_left_the_row_says_so(benchmark: Benchmark) -> None:
    few, other = make_wide(benchmark, "333333333333"), make_wide(benchmark, "101010101010")
    mask(few, *(f"c{at:02}" for at in range(7)))
    found = statistics_of(few)
    assert (found["applies"], found["why_not"], found["counted"]) == (False, FEW_COUNTED, 5)
    assert (found["rank_low"], found["interval_low"]) == (None, None)
    assert found["pass_at_k"] == [100.0, 100.0, 100.0]
    assert statistics_of(other)["applies"]
    assert statistics_of(other)["rank_high"] == 2


def test_masks_of_the_board_count_what_is_left_of_the_entry(benchmark: Benchmark) -> None:
    one, other = make_wide(benchmark, "333000000000"), make_wide(benchmark, "300000000000")
    mask(one, "c00")
    masks = row_of(one)["masks"]
    assert {name: each["competitions"] for name, each in masks.items()} == {
        "none": 11, "known-leaks": 11, "known-issues": 10,
    }  # fmt: skip
    assert masks["none"]["mean"] == masks["known-leaks"]["mean"] == pytest.approx(200 / 11)
    assert row_of(other)["masks"]["known-leaks"]["competitions"] == 11
    assert row_of(one)["medals"]["counted"] is not None
