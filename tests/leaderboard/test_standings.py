"""Standings: the order as a table of cases, then whole boards built from the database."""

import json
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from grading.models import Benchmark
from leaderboard.integrity.decide import Grounds, flag_entry, publish, withdraw_entry
from leaderboard.models import Entry, EntryResult, Snapshot, StoredBoard, Track
from leaderboard.ranking import Line, rank_lines
from leaderboard.standings import rebuild_standings
from leaderboard.store_standings import KEPT_SNAPSHOTS
from tests import factories as make
from tests.leaderboard.standings import find_standings, standing_of
from tests.submissions.run_cards import complete

EARLY, LATE = date(2025, 1, 1), date(2026, 1, 1)
GROUNDS = Grounds("Looked at the run card.", "Tracks, 1", "https://example.org/evidence")

# Lines as entry, mean, is_ranked, run_on; expected as entry and rank, in the order of the board.
ORDERS: dict[str, tuple[list[Line], list[tuple[int, int | None]]]] = {
    "best first": ([Line(1, 10.0, True, EARLY), Line(2, 64.4, True, LATE)], [(2, 1), (1, 2)]),
    "equals share a rank, and the next is counted": (
        [
            Line(1, 50.0, True, EARLY),
            Line(2, 60.0, True, EARLY),
            Line(3, 50.0, True, EARLY),
            Line(4, 40.0, True, EARLY),
        ],
        [(2, 1), (1, 2), (3, 2), (4, 4)],
    ),
    "equal as printed is equal": (
        [Line(1, 50.001, True, EARLY), Line(2, 50.004, True, LATE), Line(3, 50.006, True, LATE)],
        [(3, 1), (1, 2), (2, 2)],
    ),
    "inside a tie the earlier run, then the lower number": (
        [Line(3, 5.0, True, LATE), Line(2, 5.0, True, LATE), Line(9, 5.0, True, EARLY)],
        [(9, 1), (2, 1), (3, 1)],
    ),
    "unranked ones follow by figure and take no rank": (
        [
            Line(1, 90.0, False, EARLY),
            Line(2, 10.0, True, EARLY),
            Line(3, 95.0, False, EARLY),
            Line(4, 5.0, True, EARLY),
        ],
        [(2, 1), (4, 2), (3, None), (1, None)],
    ),
    "an unranked equal does not take part in the tie": (
        [Line(1, 50.0, False, EARLY), Line(2, 50.0, True, EARLY)],
        [(2, 1), (1, None)],
    ),
    "not attempted comes last; 0 is a figure": (
        [Line(1, None, True, EARLY), Line(2, 0.0, True, EARLY), Line(3, 0.0, False, EARLY)],
        [(2, 1), (3, None), (1, None)],
    ),
    "nobody": ([], []),
}


@pytest.mark.parametrize("name", ORDERS)
def test_order_and_ranks(name: str) -> None:
    lines, expected = ORDERS[name]
    for seed in range(5):
        shuffled = Random(seed).sample(lines, len(lines))
        placed = rank_lines(shuffled)
        assert [(each.entry, each.rank) for each in placed] == expected
        assert [each.position for each in placed] == list(range(1, len(lines) + 1))


def test_rank_ten_follows_nine() -> None:
    placed = rank_lines(Line(number, 100.0 - number, True, EARLY) for number in range(1, 13))
    assert [each.rank for each in placed] == list(range(1, 13))


SPLITS = {
    "easy": "low",
    "easier": "low",
    "middle": "medium",
    "hard": "high",
    "extra": "dev",
    "extra-two": "dev",
}


@pytest.fixture
def benchmark(db: None) -> Benchmark:
    return make.make_benchmark("mle", splits=SPLITS)


def board(
    benchmark: Benchmark, track: str = "no-private-lb", split: str = "all"
) -> list[tuple[int, int | None]]:
    """Entry and rank of each line of the current snapshot, in order."""
    found = find_standings(track=track, split=split, benchmark=benchmark.slug)
    return [(standing.entry, standing.rank) for standing in found]


def row_of(entry: Entry, track: str = "all", split: str = "all") -> dict[str, Any]:
    rebuild_standings(entry.benchmark, make.NOW)
    return standing_of(entry, track, split).row


def published(
    benchmark: Benchmark, track: str = "clean", scores: Any = None, scope: str = "low", **columns: Any
) -> Entry:
    scores = scores or {"0": {"easy": 0.95, "easier": 0.1}, "1": {"easy": 0.95, "easier": 0.95}}
    columns.setdefault("document", complete())
    entry = make.make_reviewed(
        make.make_graded_submission(scores, scope=scope, benchmark=benchmark, **columns)
    )
    publish(entry, Track.objects.get(slug=track), GROUNDS, make.make_maintainer(), make.NOW)
    return entry


def test_boards_show_their_own_track_and_the_stricter_ones(benchmark: Benchmark) -> None:
    main = make.make_placed(benchmark=benchmark, any_medal={"all": (60.0, 1.0)})
    clean = make.make_placed("clean", benchmark, {"all": (50.0, None)})
    warned = make.make_placed("additional", benchmark, {"all": (90.0, 1.0)})
    worse = make.make_placed("additional", benchmark, {"all": (70.0, 1.0)})
    make.make_entry(benchmark)
    make.make_placed(benchmark=make.make_benchmark("other", splits=dict(SPLITS)))
    rebuild_standings(benchmark, make.NOW)
    assert board(benchmark, "clean") == [(clean.pk, 1)]
    assert board(benchmark, "no-private-lb") == [(main.pk, 1), (clean.pk, 2)]
    assert board(benchmark, "additional") == [(warned.pk, None), (worse.pk, None)]
    assert board(benchmark, "all") == [(main.pk, 1), (clean.pk, 2), (warned.pk, None), (worse.pk, None)]


def test_the_newest_placement_in_effect_counts(benchmark: Benchmark) -> None:
    entry = make.make_placed(benchmark=benchmark)
    make.place_entry(entry, "additional", make.NOW - timedelta(days=9))
    rebuild_standings(benchmark, make.NOW)
    assert board(benchmark, "additional") == []
    make.place_entry(entry, "additional", make.NOW + timedelta(days=1))
    rebuild_standings(benchmark, make.NOW)
    assert board(benchmark, "additional") == []
    rebuild_standings(benchmark, make.NOW + timedelta(days=2))
    assert board(benchmark, "additional") == [(entry.pk, None)]


def test_a_lite_entry_is_listed_unranked_among_all_and_absent_elsewhere(benchmark: Benchmark) -> None:
    whole = make.make_placed(benchmark=benchmark, any_medal={"all": (10.0, 1.0), "low": (20.0, 1.0)})
    lite = make.make_placed(benchmark=benchmark, any_medal={"low": (90.0, 1.0)}, scope="low")
    rebuild_standings(benchmark, make.NOW)
    assert board(benchmark, split="low") == [(lite.pk, 1), (whole.pk, 2)]
    assert board(benchmark, split="all") == [(whole.pk, 1), (lite.pk, None)]
    assert board(benchmark, split="dev") == []
    row = row_of(lite)
    assert row["any_medal"] == {
        "low": {"mean": 90.0, "sem": 1.0, "n": None}, "medium": None, "high": None, "all": None, "dev": None,
    }  # fmt: skip
    assert (row["seeds"], row["gold"], row["padded"]) == (None, None, None)


def test_a_graded_row_holds_all_that_is_shown(benchmark: Benchmark) -> None:
    scores = {"0": {"easy": 0.95, "easier": 0.85}, "1": {"easy": 0.75}}
    document = {**complete(), "cost": {"usd": 0}}
    entry = published(benchmark, scores=scores, document=document)
    row = row_of(entry, split="low")
    assert (row["entry"], row["slug"], row["agent"]) == (entry.pk, entry.slug, "Cross-validator")
    assert row["organisation"] == entry.agent.organisation.name
    assert row["llms_text"] == "gpt-5-2025-08-07, Qwen/Qwen3-235B-A22B"
    assert (row["track"], row["track_title"], row["source_text"]) == ("clean", "Clean", "graded here")
    assert row["any_medal"]["low"] == {"mean": 75.0, "sem": 25.0, "n": 2}
    assert row["any_medal"]["all"] is None
    assert row["gold"] == {"mean": 25.0, "count": 1}
    assert row["silver"] == {"mean": 25.0, "count": 1}
    assert row["bronze"] == {"mean": 25.0, "count": 1}
    assert (row["above_median"], row["submitted"], row["seeds"]) == (75.0, 75.0, 2)
    assert row["padded"] == "padded 1 of 4"
    assert (row["cost_usd"], row["vcpus"], row["gpu_model"]) == (0, 36, "NVIDIA A10")
    assert (row["source_available"], row["answers_public"], row["score"]) == (True, False, None)
    assert (row["warning"], row["flags"]) == (None, [])


def test_an_imported_row_says_what_is_not_known(benchmark: Benchmark) -> None:
    entry = make.make_placed(benchmark=benchmark)
    EntryResult.objects.filter(entry=entry).update(is_padded=True)
    row = row_of(entry)
    assert row["any_medal"]["all"] == {"mean": 50.0, "sem": 1.0, "n": None}
    assert (row["padded"], row["seeds"], row["gold"], row["above_median"]) == ("padded", None, None, None)
    assert (row["llms"], row["llms_text"], row["cost_usd"]) == ([], "undisclosed", None)
    assert row["source_text"] == "self-graded, unverified"


def test_an_agent_without_llm_is_not_undisclosed(benchmark: Benchmark) -> None:
    assert row_of(make.make_placed(benchmark=benchmark, no_llm=True))["llms_text"] == "none"


def test_a_warned_row_carries_its_reason_and_a_flagged_one_its_flags(benchmark: Benchmark) -> None:
    entry = make.make_placed("additional", benchmark)
    placed = entry.decisions.get()
    flagged = flag_entry(entry, GROUNDS, make.make_maintainer(), make.NOW)
    row = row_of(entry)
    where = {"evidence_url": "https://example.org/evidence", "evidence_note": "", "candour": ""}
    assert row["warning"] == {"reason": "Made up.", "decision": placed.pk, **where}
    assert row["flags"] == [{"reason": GROUNDS.reason, "decision": flagged.pk, **where}]


def test_a_split_of_one_competition_shows_its_score(db: None) -> None:
    """The demo's board: no medal is an honest outcome, so the score stands beside it."""
    demo = make.make_benchmark("demo", splits={"ship": "dev"}, answers_public=True)
    scores = {"0": {"ship": 0.41}, "1": {"ship": 0.42}, "2": {"ship": 0.43}}
    row = row_of(published(demo, scores=scores, scope="dev"), split="dev")
    assert row["answers_public"] is True
    assert row["any_medal"] == {"dev": {"mean": 0.0, "sem": 0.0, "n": 3}}
    assert row["score"]["competition"] == "ship"
    assert row["score"]["per_seed"] == {"0": 0.41, "1": 0.42, "2": 0.43}
    assert row["score"]["mean"] == pytest.approx(0.42)
    assert row["score"]["sem"] == pytest.approx(0.01 / 3**0.5)


def test_a_seed_without_a_score_leaves_no_mean_of_the_others(db: None) -> None:
    demo = make.make_benchmark("demo", splits={"ship": "dev"})
    scores: Any = {"0": {"ship": 0.41}, "1": {"ship": None}}
    row = row_of(published(demo, scores=scores, scope="dev"), split="dev")
    assert row["score"] == {
        "competition": "ship",
        "per_seed": {"0": 0.41, "1": None},
        "mean": None,
        "sem": None,
    }


def test_unpublished_and_withdrawn_entries_are_absent(benchmark: Benchmark) -> None:
    make.make_reviewed(make.make_graded_submission({"0": {"easy": 0.9}}, benchmark=benchmark))
    entry = published(benchmark)
    assert board(benchmark, "clean", "low") == [(entry.pk, 1)]
    withdraw_entry(entry, GROUNDS, make.make_maintainer(), make.NOW)
    assert board(benchmark, "clean", "low") == []
    assert board(benchmark, "all", "low") == []


def test_an_empty_benchmark_has_an_empty_snapshot(benchmark: Benchmark) -> None:
    snapshot = rebuild_standings(benchmark, make.NOW)
    assert snapshot.is_current
    assert not snapshot.boards.exists()


# Snapshots.


def test_what_did_not_change_keeps_its_snapshot(benchmark: Benchmark) -> None:
    entry = make.make_placed(benchmark=benchmark)
    first = rebuild_standings(benchmark, make.NOW)
    assert rebuild_standings(benchmark, make.NOW + timedelta(hours=1)) == first
    Entry.objects.filter(pk=entry.pk).update(cost_usd=1.0)
    second = rebuild_standings(benchmark, make.NOW + timedelta(hours=2))
    assert (second.pk, second.digest) != (first.pk, first.digest)
    assert list(Snapshot.objects.filter(is_current=True)) == [second]
    Entry.objects.filter(pk=entry.pk).update(cost_usd=None)
    assert rebuild_standings(benchmark, make.NOW + timedelta(hours=3)).digest == first.digest


def test_rows_of_old_snapshots_are_pruned_and_the_snapshots_stay(benchmark: Benchmark) -> None:
    entry = make.make_placed(benchmark=benchmark)
    for cost in range(KEPT_SNAPSHOTS + 3):
        Entry.objects.filter(pk=entry.pk).update(cost_usd=cost)
        rebuild_standings(benchmark, make.NOW + timedelta(hours=cost))
    assert Snapshot.objects.count() == KEPT_SNAPSHOTS + 3
    assert StoredBoard.objects.values("snapshot").distinct().count() == KEPT_SNAPSHOTS


def test_rows_are_strict_json(benchmark: Benchmark) -> None:
    entry = make.make_placed(benchmark=benchmark)
    Entry.objects.filter(pk=entry.pk).update(cost_usd=float("inf"))
    with pytest.raises(ValueError):
        rebuild_standings(benchmark, make.NOW)
    assert not Snapshot.objects.exists()


def test_the_order_of_rows_in_the_database_changes_nothing(benchmark: Benchmark) -> None:
    for number in range(6):
        make.make_placed(benchmark=benchmark, any_medal={"all": (50.0 + number % 2, 1.0)})
    before = rebuild_standings(benchmark, make.NOW)
    results = list(EntryResult.objects.order_by("-pk").values())
    EntryResult.objects.all().delete()
    EntryResult.objects.bulk_create(EntryResult(**{**row, "id": None}) for row in results)
    assert rebuild_standings(benchmark, make.NOW) == before


@pytest.mark.parametrize("entries", [1, 40])
def test_the_number_of_queries_does_not_grow(benchmark: Benchmark, entries: int) -> None:
    """All but the inserts, which go in batches."""
    for number in range(entries):
        make.make_placed(benchmark=benchmark, any_medal={"all": (float(number), 1.0)})
    with CaptureQueriesContext(connection) as queries:
        rebuild_standings(benchmark, make.NOW)
    assert len([query for query in queries if not query["sql"].startswith("INSERT")]) == 35


def test_the_command_rebuilds_every_benchmark(
    benchmark: Benchmark, capsys: pytest.CaptureFixture[str]
) -> None:
    make.make_placed(benchmark=benchmark)
    call_command("rebuild_standings")
    assert capsys.readouterr().out.startswith("mle: ")
    assert board(benchmark) != []


def test_a_row_survives_json(benchmark: Benchmark) -> None:
    row = row_of(make.make_placed(benchmark=benchmark, run_on=datetime(2026, 1, 2, tzinfo=UTC).date()))
    assert json.loads(json.dumps(row, allow_nan=False)) == row
    assert row["run_on"] == "2026-01-02"
