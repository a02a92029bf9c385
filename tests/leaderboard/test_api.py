"""The public API: the same figures as the page, safe CSV, ETags, and errors that name the choices."""

import csv
import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from leaderboard.api.csv_rows import safe_cell, to_csv
from leaderboard.standings import rebuild_standings
from leaderboard.templatetags.look import fixed
from tests.factories import NOW
from tests.leaderboard.boards import make_board_benchmark, make_placed, make_published, make_reviewed

pytestmark = pytest.mark.django_db
SCORES = {"s1": {"comp-low": 0.91234}, "s2": {"comp-low": 0.55}, "s3": {"comp-low": 0.75}}


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_ranking(client: Client) -> None:
    entry = make_published(make_board_benchmark(), SCORES)
    answer = client.get("/api/v1/rankings/clean?benchmark=bench&split=low").json()
    assert answer["benchmark"] == {"slug": "bench", "title": "Bench", "answers_public": False}
    assert answer["track"]["title"] == "Clean"
    assert answer["split"] == "low"
    assert answer["count"] == 1
    assert answer["snapshot"]["built_at"].endswith("Z")
    row = answer["rows"][0]
    assert (row["rank"], row["position"], row["entry"], row["slug"]) == (1, 1, entry.pk, entry.slug)
    assert row["result"]["any_medal_mean"] == pytest.approx(200 / 3)
    assert row["result"]["above_median_mean"] == 100
    assert row["result"]["seeds"] == 3
    assert row["results"]["medium"] is None
    assert row["seed_scores"] == {"s1": 0.91234, "s2": 0.55, "s3": 0.75}
    assert row["warning"] is None


def test_page_csv_and_json_print_the_same_figures(client: Client) -> None:
    benchmark = make_board_benchmark()
    make_published(benchmark, SCORES)
    make_placed(benchmark, "no-private-lb", 64.437)
    make_placed(benchmark, "no-private-lb", 33.333)
    where = "no-private-lb?benchmark=bench&split=low"
    api = client.get(f"/api/v1/rankings/{where}").json()["rows"]
    table = rows_of(client.get(f"/api/v1/rankings/{where}&format=csv").content.decode())
    html = client.get("/boards/bench/no-private-lb/low/").content.decode()
    assert [row["slug"] for row in api] == [row["slug"] for row in table]
    assert len(api) == 3
    positions = [html.index(f'href="/entries/{row["slug"]}/"') for row in api]
    assert positions == sorted(positions)
    for row, line in zip(api, table, strict=True):
        assert float(line["any_medal_mean"]) == row["result"]["any_medal_mean"]
        assert line["rank"] == str(row["rank"])
        assert f"<b>{fixed(row['result']['any_medal_mean'], 2)}</b>" in html


def test_csv_by_accept_header_and_formulas_stay_text(client: Client) -> None:
    benchmark = make_board_benchmark()
    entry = make_placed(benchmark, "no-private-lb", 50.0, llms=["=HYPERLINK(1)"])
    entry.agent.name = "=1+1"
    entry.agent.save()
    rebuild_standings(benchmark, NOW)
    answer = client.get("/api/v1/rankings/no-private-lb", headers={"accept": "text/csv"})
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    line = rows_of(answer.content.decode())[0]
    assert line["agent"] == "'=1+1"
    assert line["llms"] == "'=HYPERLINK(1)"
    assert line["any_medal_mean"] == "50.0"
    assert line["seeds"] == ""


@pytest.mark.parametrize("cell", ["=1", "+1", "-1", "@x", "\tx", "\rx", "\nx", "\uff1d1", "\uff201"])
def test_cells_a_spreadsheet_would_run_get_an_apostrophe(cell: str) -> None:
    assert safe_cell(cell) == f"'{cell}"


@pytest.mark.parametrize(
    ("cell", "shown"), [(-1.5, -1.5), (0, 0), (None, None), (True, "true"), ("a=1", "a=1")]
)
def test_other_cells_stay(cell: Any, shown: Any) -> None:
    assert safe_cell(cell) == shown


def test_csv_quotes() -> None:
    assert to_csv(["a", "b"], [['x,"y"', None]]) == 'a,b\r\n"x,""y""",\r\n'


@pytest.mark.parametrize(
    ("address", "where", "choices"),
    [
        ("nope", "track", "clean, no-private-lb, additional, all"),
        ("clean?benchmark=nope", "benchmark", "bench"),
        ("clean?split=nope", "split", "low, medium, high, all"),
        ("clean?split=dev", "split", "low, medium, high, all"),
    ],
)
def test_unknown_boards_name_the_choices(client: Client, address: str, where: str, choices: str) -> None:
    make_board_benchmark()
    answer = client.get(f"/api/v1/rankings/{address}")
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert problem["errors"][0]["where"] == where
    assert choices in problem["detail"]


def test_etag_holds_until_the_board_changes(client: Client) -> None:
    benchmark = make_board_benchmark()
    make_placed(benchmark, "no-private-lb", 50.0)
    first = client.get("/api/v1/rankings/no-private-lb")
    again = client.get("/api/v1/rankings/no-private-lb", headers={"if-none-match": first["ETag"]})
    assert again.status_code == 304
    assert not again.content
    assert "public" in first["Cache-Control"]
    assert "Cookie" not in first.get("Vary", "")
    as_csv = client.get("/api/v1/rankings/no-private-lb?format=csv", headers={"if-none-match": first["ETag"]})
    assert as_csv.status_code == 200
    make_placed(benchmark, "no-private-lb", 51.0)
    changed = client.get("/api/v1/rankings/no-private-lb", headers={"if-none-match": first["ETag"]})
    assert changed.status_code == 200


@pytest.mark.parametrize("entries", [1, 5])
def test_a_ranking_takes_six_queries_then_two(
    client: Client, django_assert_num_queries: Any, entries: int
) -> None:
    benchmark = make_board_benchmark()
    for number in range(entries):
        make_placed(benchmark, "no-private-lb", 50.0 + number)
    with django_assert_num_queries(6):
        client.get("/api/v1/rankings/no-private-lb")
    with django_assert_num_queries(2):
        client.get("/api/v1/rankings/no-private-lb?sort=-any_medal")


def test_entries_show_published_ones_only(client: Client) -> None:
    benchmark = make_board_benchmark()
    hidden = make_reviewed(benchmark, SCORES)
    shown = make_published(benchmark, SCORES)
    listed = client.get("/api/v1/entries/").json()["results"]
    assert [entry["slug"] for entry in listed] == [shown.slug]
    assert client.get(f"/api/v1/entries/{hidden.slug}").status_code == 404
    entry = client.get(f"/api/v1/entries/{shown.slug}").json()
    assert entry["track"] == "clean"
    assert [run["score"] for run in entry["runs"]] == [0.91234, 0.55, 0.75]
    assert entry["decisions"][0]["effective_at"].endswith("Z")
    assert entry["results"][0]["per_seed"] == {"s1": 100.0, "s2": 0.0, "s3": 100.0}


def test_competitions_tracks_and_benchmarks(client: Client) -> None:
    make_board_benchmark()
    listed = client.get("/api/v1/competitions/?split=low").json()
    assert [each["id"] for each in listed] == ["comp-low"]
    one = client.get("/api/v1/competitions/comp-low").json()
    assert one["thresholds"]["gold"] == 0.9
    assert one["has_answers"] is False
    assert client.get("/api/v1/competitions/nope").status_code == 404
    assert [track["slug"] for track in client.get("/api/v1/tracks/").json()] == [
        "clean",
        "no-private-lb",
        "additional",
    ]
    benchmarks = client.get("/api/v1/benchmarks/").json()
    assert benchmarks[0]["competitions"] == {"low": 1, "medium": 1, "high": 1, "all": 3}


def test_answers_are_strict_json(client: Client) -> None:
    make_published(make_board_benchmark(), {"s1": {"comp-low": 0.9}})
    text = client.get("/api/v1/rankings/all?split=low").content.decode()

    def refuse(word: str) -> None:
        raise AssertionError(word)

    assert json.loads(text, parse_constant=refuse)["rows"][0]["result"]["any_medal_sem"] is None


def test_schema_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn")
    assert "/api/v1/rankings/{track}" in capsys.readouterr().out


def test_reference_page_needs_no_inline_script(client: Client) -> None:
    page = client.get("/api/v1/docs/")
    html = page.content.decode()
    assert "<style" not in html
    assert "<script>" not in html
    assert "unsafe" not in page["Content-Security-Policy"]
