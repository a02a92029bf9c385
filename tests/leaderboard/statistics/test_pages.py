"""Statistics as people and programs see them: the same numbers on page, CSV and API, and in plain words."""

import csv
import io
import json
from typing import Any

import pytest
from django.test import Client

from grading.models import Benchmark
from leaderboard.entry_statistics import UNKNOWN_LEADER, compare_masks, say_p
from leaderboard.models import Snapshot, StoredBoard, StoredRow
from leaderboard.statistics.shown import FEW, NO_RUNS
from leaderboard.templatetags.look import fixed
from tests.leaderboard.boards import make_placed
from tests.leaderboard.medal_boards import make_wide, make_wide_benchmark
from tests.leaderboard.test_board_page import text_of

pytestmark = pytest.mark.django_db
GOOD, MIDDLING, POOR = "333333333210", "320132013201", "100000000000"
BOARD = "/boards/wide/clean/all/"


@pytest.fixture
def benchmark() -> Benchmark:
    return make_wide_benchmark()


def test_page_csv_and_api_give_the_same_statistics(client: Client, benchmark: Benchmark) -> None:
    for medals in (GOOD, MIDDLING, POOR, "333333333200"):
        make_wide(benchmark, medals)
    make_placed(benchmark, "no-private-lb", 55.0)
    where = "no-private-lb?benchmark=wide&split=all"
    rows = client.get(f"/api/v1/rankings/{where}").json()["rows"]
    table = list(
        csv.DictReader(io.StringIO(client.get(f"/api/v1/rankings/{where}&format=csv").content.decode()))
    )
    page = text_of(client.get("/boards/wide/no-private-lb/all/"))
    assert [row["slug"] for row in rows] == [line["slug"] for line in table]
    assert len(rows) == 5
    for row, line in zip(rows, table, strict=True):
        found = row["statistics"]
        for name in ("rank_low", "rank_high", "interval_low", "interval_high", "p_adjusted"):
            assert line[name] == ("" if found[name] is None else str(found[name])), name
        assert line["tied_with_leader"] == {True: "true", False: "false", None: ""}[found["tied_with_leader"]]
        if found["interval_low"] is not None:
            assert f"{fixed(found['interval_low'], 1)}–{fixed(found['interval_high'], 1)}" in page
        if found["rank_low"] != found["rank_high"]:
            assert f"rank {row['rank']}, range {found['rank_low']}– {found['rank_high']}" in page


def test_the_board_says_who_is_tied_and_by_how_much_the_leader_leads(
    client: Client, benchmark: Benchmark
) -> None:
    best = make_wide(benchmark, GOOD)
    make_wide(benchmark, "333333333200")
    make_wide(benchmark, POOR)
    page = text_of(client.get(BOARD))
    assert f"{best.agent.name} leads with 83.3 %, tied with 1 other" in page
    assert page.count("tied with the leader") == 1
    assert "How sure are these figures?" in page


def test_a_filtered_board_has_ranks_and_no_ranges(client: Client, benchmark: Benchmark) -> None:
    make_wide(benchmark, MIDDLING)
    make_wide(benchmark, MIDDLING)
    for more in ("&graded_here=1", "&mask=known-leaks", "&exact=1"):
        answer = client.get(f"/api/v1/rankings/no-private-lb?benchmark=wide&split=all{more}").json()
        assert {row["statistics"] for row in answer["rows"]} in ({None}, set())
    assert "range 1–" in text_of(client.get(BOARD))
    assert "range 1–" not in text_of(client.get(f"{BOARD}?graded_here=1"))


def test_rows_of_a_snapshot_of_before_still_show(client: Client, benchmark: Benchmark) -> None:
    make_wide(benchmark, MIDDLING)
    for stored in StoredRow.objects.all():
        row = {**json.loads(stored.row), "statistics": None, "masks": {}}
        for name in ("medals", "cost_per_medal"):
            row.pop(name)
        stored.row, stored.digest = json.dumps(row), "of before"
        stored.save()
    for board in StoredBoard.objects.all():
        board.lines = json.dumps({**json.loads(board.lines), "parts": {}})
        board.save()
    Snapshot.objects.update(digest="of before")
    assert "50.00" in text_of(client.get(BOARD))
    assert client.get("/api/v1/rankings/clean?benchmark=wide").json()["rows"][0]["statistics"] is None
    entry = StoredRow.objects.all()[0].entry
    assert client.get(f"/entries/{entry.slug}/").status_code == 200
    assert client.get("/docs/statistics/").status_code == 200


def test_an_entry_says_how_sure_its_figures_are(client: Client, benchmark: Benchmark) -> None:
    make_wide(benchmark, GOOD)
    entry = make_wide(benchmark, POOR)
    response = client.get(f"/entries/{entry.slug}/")
    page = text_of(response)
    assert "How sure are these figures?" in page
    assert (
        "It is behind the leader by more than noise: their medal rates differ on 11 competitions, p &lt; 0.001"
        in page
    )
    assert "95 % interval of Any Medal" in page
    assert "pass@k 2.78 5.56 8.33" in page
    assert 'data-chart="pass-at-k"' in response.content.decode()
    # Its one medal is on the competition that leaks.
    assert "Without known leaks of labels 11 0.00 ± 0.00 2" in page


def test_the_leader_and_who_cannot_be_compared_with_it(client: Client, benchmark: Benchmark) -> None:
    entry = make_wide(benchmark, MIDDLING)
    assert "It leads the board." in text_of(client.get(f"/entries/{entry.slug}/"))
    other = make_wide(benchmark, MIDDLING, track="no-private-lb")
    make_placed(benchmark, "no-private-lb", 90.0)
    assert UNKNOWN_LEADER in text_of(client.get(f"/entries/{other.slug}/"))


def test_one_seed_says_so_and_draws_no_curve(client: Client, benchmark: Benchmark) -> None:
    entry = make_wide(benchmark, "101010101010", seeds=1)
    response = client.get(f"/entries/{entry.slug}/")
    assert "n = 1" in text_of(response)
    assert "<polyline" not in response.content.decode()


def test_rows_without_statistics_say_why(client: Client, benchmark: Benchmark) -> None:
    imported = make_placed(benchmark, "no-private-lb", 40.0)
    small = make_wide(make_wide_benchmark("small"), "3", scope="low")
    assert NO_RUNS in text_of(client.get(f"/entries/{imported.slug}/"))
    assert FEW not in text_of(client.get(f"/entries/{small.slug}/"))
    benchmark.memberships.exclude(competition="c00").delete()
    few = make_wide(benchmark, "3", scope="low")
    assert FEW in text_of(client.get(f"/entries/{few.slug}/"))


def test_the_page_about_statistics_reads_a_board_out(client: Client, benchmark: Benchmark) -> None:
    best = make_wide(benchmark, GOOD)
    make_wide(benchmark, MIDDLING)
    response = client.get("/docs/statistics/")
    page = text_of(response)
    assert f"{best.agent.name} reaches 83.33 % and has an SEM of 4.81 over 3 seeds" in page
    assert "One seed of" in page
    assert 'href="/boards/wide/clean/all/"' in response.content.decode()
    # The document itself follows.
    assert "sign-flip test" in page
    for anchor in ("sem", "interval", "ties", "ranks", "pass-at-k", "cost", "masks", "filters"):
        assert f'id="{anchor}"' in response.content.decode()


def test_without_graded_entries_it_says_so(client: Client, benchmark: Benchmark) -> None:
    make_placed(benchmark, "no-private-lb", 40.0)
    assert "there are no numbers to show yet" in text_of(client.get("/docs/statistics/"))


@pytest.mark.parametrize(("value", "text"), [(0.0004, "p < 0.001"), (0.001, "p = 0.001"), (1.0, "p = 1.000")])
def test_p_values_in_words(value: float, text: str) -> None:
    assert say_p(value) == text


def mask(competitions: int, rank: int | None) -> dict[str, Any]:
    return {"mean": 1.0, "sem": None, "rank": rank, "competitions": competitions}


def test_masks_that_hide_nothing_are_not_listed_and_shifts_count_upwards() -> None:
    assert compare_masks({}) == ()
    assert compare_masks({"none": mask(9, 1), "known-leaks": mask(9, 1)}) == ()
    whole, leaks = compare_masks({"none": mask(9, 5), "known-leaks": mask(8, 2), "known-issues": mask(9, 5)})
    assert (whole.shift, leaks.shift, leaks.competitions) == (0, 3, 8)
    assert compare_masks({"none": mask(9, None), "known-leaks": mask(8, None)})[1].shift is None


def test_an_entry_for_programs_says_it_too(client: Client, benchmark: Benchmark) -> None:
    best, entry = make_wide(benchmark, GOOD), make_wide(benchmark, POOR)
    rows = client.get("/api/v1/rankings/clean?benchmark=wide&split=all").json()["rows"]
    for row, each in zip(rows, (best, entry), strict=True):
        shown = client.get(f"/api/v1/entries/{each.slug}").json()["standings"]
        assert [standing["split"] for standing in shown] == ["low", "medium", "all"]
        for name in ("rank", "position", "statistics", "cost_per_medal"):
            assert shown[-1][name] == row[name], name
    imported = make_placed(benchmark, "no-private-lb", 55.0)
    shown = client.get(f"/api/v1/entries/{imported.slug}").json()["standings"]
    assert [standing["statistics"]["why_not"] for standing in shown if standing["split"] == "all"] == [
        NO_RUNS
    ]
