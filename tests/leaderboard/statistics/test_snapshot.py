"""Statistics in a snapshot: which rows have them, what they are in known cases, and that row order decides nothing."""

import json
from random import Random
from typing import Any

import pytest

from grading.models import Benchmark
from leaderboard.boards import find_split, list_boards, load_board
from leaderboard.headline import headline
from leaderboard.models import Entry, EntryResult, EntryRun
from leaderboard.shown import show_rows
from leaderboard.standings import rebuild_standings
from leaderboard.statistics.resampling import RESAMPLES, SEED
from leaderboard.statistics.shown import FEW, NO_RUNS, NOT_ATTEMPTED, UNRANKED
from tests.factories import NOW
from tests.leaderboard.boards import make_placed
from tests.leaderboard.medal_boards import make_wide, make_wide_benchmark, row_of
from tests.leaderboard.standings import find_standings, standing_of
from tests.submissions.run_cards import complete

pytestmark = pytest.mark.django_db
BEST, ALMOST, HALF, NOTHING = "333333333333", "333333333332", "320132013201", "000000000000"


@pytest.fixture
def benchmark() -> Benchmark:
    return make_wide_benchmark()


def statistics_of(entry: Entry, track: str = "clean", split: str = "all") -> dict[str, Any]:
    found: dict[str, Any] = row_of(entry, track, split)["statistics"]
    return found


def sentence(benchmark: Benchmark, track: str = "clean", split: str = "all") -> str:
    rebuild_standings(benchmark, NOW)
    boards = next(boards for boards in list_boards() if boards.slug == benchmark.slug)
    return headline(load_board(boards, track, find_split(boards, split))).sentence.replace("\u00a0", " ")


def test_equal_agents_are_tied_and_share_a_rank(benchmark: Benchmark) -> None:
    one, other = make_wide(benchmark, HALF), make_wide(benchmark, HALF)
    for entry in (one, other):
        found = statistics_of(entry)
        assert (found["applies"], found["tied_with_leader"]) == (True, True)
        assert (found["rank_low"], found["rank_high"]) == (1, 2)
    assert statistics_of(one)["interval_low"] == statistics_of(other)["interval_low"]
    assert {each.rank for each in find_standings(track="clean", split="all")} == {1}
    assert sentence(benchmark).startswith("2 entries share the lead with 50.0 %")


def test_an_agent_that_is_better_everywhere_is_not_tied(benchmark: Benchmark) -> None:
    best, worse = make_wide(benchmark, BEST), make_wide(benchmark, "2" * 12)
    found = statistics_of(worse)
    assert (found["tied_with_leader"], found["differing"]) == (False, 12)
    assert (found["rank_low"], found["rank_high"]) == (2, 2)
    assert found["p_value"] == pytest.approx(2 / 2**12)
    assert statistics_of(best)["is_leader"]
    assert sentence(benchmark) == f"{best.agent.name} leads with 100.0 %, by more than noise"


def test_the_headline_counts_who_is_tied_with_the_leader(benchmark: Benchmark) -> None:
    best = make_wide(benchmark, BEST)
    make_wide(benchmark, ALMOST)
    assert sentence(benchmark) == f"{best.agent.name} leads with 100.0 %, tied with 1 other"
    make_wide(benchmark, "333333333320")
    make_wide(benchmark, NOTHING)
    assert sentence(benchmark) == f"{best.agent.name} leads with 100.0 %, tied with 2 others"


def test_what_was_graded_elsewhere_has_a_rank_and_neither_range_nor_interval(benchmark: Benchmark) -> None:
    published = make_placed(benchmark, "no-private-lb", 50.0)
    graded = make_wide(benchmark, HALF)
    found = statistics_of(published, "no-private-lb")
    assert (found["applies"], found["why_not"]) == (False, NO_RUNS)
    for name in ("rank_low", "rank_high", "interval_low", "tied_with_leader", "p_value"):
        assert found[name] is None
    assert found["pass_at_k"] == []
    assert row_of(published, "no-private-lb")["masks"] == {}
    # The graded one has its range on that board too, around a row that stays where it was published.
    beside = statistics_of(graded, "no-private-lb")
    assert (beside["rank_low"], beside["rank_high"]) == (1, 2)
    assert statistics_of(graded)["rank_high"] == 1


def test_nobody_is_tied_with_a_leader_whose_runs_are_not_known(benchmark: Benchmark) -> None:
    leader = make_placed(benchmark, "no-private-lb", 90.0)
    graded = make_wide(benchmark, HALF)
    assert statistics_of(graded, "no-private-lb")["tied_with_leader"] is None
    assert statistics_of(graded)["is_leader"]
    assert sentence(benchmark, "no-private-lb") == f"{leader.agent.name} reported 90.0 %, the most here"


def test_unranked_rows_keep_their_interval_and_take_no_part(benchmark: Benchmark) -> None:
    warned, ranked = make_wide(benchmark, BEST[:-1] + "2", track="additional"), make_wide(benchmark, HALF)
    found = statistics_of(warned, "additional")
    assert (found["applies"], found["why_not"], found["rank_low"]) == (False, UNRANKED, None)
    assert found["interval_low"] is not None
    assert statistics_of(ranked, "all")["is_leader"]
    assert row_of(warned, "all")["masks"]["none"]["rank"] is None


def test_one_seed_has_an_interval_over_competitions_and_no_sem(benchmark: Benchmark) -> None:
    entry = make_wide(benchmark, "101010101010", seeds=1)
    row = row_of(entry)
    assert row["any_medal"]["all"] == {"mean": 50.0, "sem": None, "n": 1}
    assert row["statistics"]["interval_low"] < 50.0 < row["statistics"]["interval_high"]
    assert row["statistics"]["pass_at_k"] == [50.0]


def test_no_medal_at_all_is_0_and_not_missing(benchmark: Benchmark) -> None:
    row = row_of(make_wide(benchmark, NOTHING))
    assert row["any_medal"]["all"] == {"mean": 0.0, "sem": 0.0, "n": 3}
    assert row["statistics"]["pass_at_k"] == [0.0, 0.0, 0.0]
    assert row["statistics"]["interval_low"] is None
    assert row["cost_per_medal"] is None


def test_too_few_competitions_say_so(benchmark: Benchmark) -> None:
    entry = make_wide(benchmark, HALF)
    found = statistics_of(entry, split="medium")
    assert (found["applies"], found["why_not"], found["rank_low"]) == (False, FEW, None)
    assert found["competitions"] == 4
    assert found["pass_at_k"] == pytest.approx([50.0, 66.6667, 75.0], abs=1e-4)


def test_a_split_outside_the_scope_has_nothing(benchmark: Benchmark) -> None:
    entry = make_wide(benchmark, HALF[:8], scope="low")
    found = statistics_of(entry, split="all")
    assert (found["applies"], found["why_not"]) == (False, NOT_ATTEMPTED)
    assert (found["pass_at_k"], found["interval_low"]) == ([], None)
    assert statistics_of(entry, split="low")["applies"]


def test_masks_leave_out_what_is_known_and_count_ranks_among_graded_rows(benchmark: Benchmark) -> None:
    """The one that lives on the leaked competition falls behind without it."""
    make_placed(benchmark, "no-private-lb", 99.0)
    leaky, fair = make_wide(benchmark, "330000000000"), make_wide(benchmark, "002100000000")
    masks = row_of(leaky, "no-private-lb")["masks"]
    assert {name: mask["competitions"] for name, mask in masks.items()} == {
        "none": 12,
        "known-leaks": 11,
        "known-issues": 10,
    }
    assert masks["none"]["mean"] == pytest.approx(100 * 6 / 36)
    assert masks["known-leaks"]["mean"] == pytest.approx(100 * 3 / 33)
    assert masks["known-issues"] == {"mean": 0.0, "sem": 0.0, "rank": 2, "competitions": 10}
    assert [masks[name]["rank"] for name in masks] == [1, 1, 2]
    assert [mask["rank"] for mask in row_of(fair, "no-private-lb")["masks"].values()] == [2, 1, 1]


def test_categories_are_parts_too(benchmark: Benchmark) -> None:
    standing = standing_of(make_wide(benchmark, HALF), "clean", "all")
    figure = standing.row["any_medal"]["all"]
    assert show_rows([standing])[0]["categories"] == {
        "Tabular": {"mean": figure["mean"], "sem": figure["sem"], "competitions": 12}
    }


def test_cost_per_medal_is_for_the_whole_scope_alone(benchmark: Benchmark) -> None:
    entry = make_wide(benchmark, HALF, document={**complete(), "cost": {"usd": 90}})
    assert row_of(entry)["cost_per_medal"] == pytest.approx(90 / 18)
    assert row_of(entry, split="low")["cost_per_medal"] is None
    unknown = make_wide(benchmark, HALF, document={**complete(), "cost": {}})
    assert row_of(unknown)["cost_per_medal"] is None


def test_the_snapshot_keeps_what_repeats_its_numbers(benchmark: Benchmark) -> None:
    found = statistics_of(make_wide(benchmark, HALF))
    assert (found["seed"], found["resamples"]) == (SEED, RESAMPLES)
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_the_order_of_rows_in_the_database_changes_nothing(benchmark: Benchmark) -> None:
    for medals in (HALF, "123012301230", "301230123012", ALMOST):
        make_wide(benchmark, medals)
    before = rebuild_standings(benchmark, NOW)
    for model in (EntryRun, EntryResult):
        rows = list(model.objects.values())
        model.objects.all().delete()
        shuffled = Random(4).sample(rows, len(rows))
        model.objects.bulk_create(model(**{**row, "id": None}) for row in shuffled)
    assert rebuild_standings(benchmark, NOW) == before


def test_a_new_entry_moves_nobody_elses_interval(benchmark: Benchmark) -> None:
    entry = make_wide(benchmark, HALF)
    before = statistics_of(entry)
    make_wide(benchmark, NOTHING)
    after = statistics_of(entry)
    for name in ("interval_low", "interval_high", "pass_at_k", "rank_low"):
        assert before[name] == after[name]
