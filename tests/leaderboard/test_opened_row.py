"""What a row of the board discloses, and what it opens into."""

from typing import Any

import pytest
from django.test import Client

from grading.models import Benchmark
from leaderboard.disclosure import QUESTIONS, find_disclosed
from leaderboard.integrity.decide import withdraw_entry
from tests.factories import NOW, make_graded_submission, make_maintainer, make_reviewed
from tests.leaderboard.boards import GROUNDS, make_placed
from tests.leaderboard.medal_boards import make_wide, make_wide_benchmark
from tests.leaderboard.test_board_page import text_of

SILENT: dict[str, Any] = {
    "llms": [], "no_llm": False, "version": None, "hours": None, "gpus": None, "gpu_model": None, "vcpus": None,
    "ram_gb": None, "cost_usd": None, "source_available": None,
}  # fmt: skip


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ({"llms": ["o3"]}, "LLM"),
        ({"no_llm": True}, "LLM"),
        ({"version": "1"}, "version"),
        ({"hours": 0.0}, "hours"),
        ({"gpus": 0.0}, "GPU"),
        ({"gpu_model": "H100"}, "GPU"),
        ({"vcpus": 8.0}, "vCPUs"),
        ({"ram_gb": 64.0}, "RAM"),
        ({"cost_usd": 0.0}, "cost"),
        ({"source_available": False}, "code"),
    ],
)
def test_each_answer_counts_and_nought_is_one(said: dict[str, Any], question: str) -> None:
    assert find_disclosed(SILENT) == {"answered": 0, "total": 8, "missing": list(QUESTIONS)}
    found = find_disclosed({**SILENT, **said})
    assert found["answered"] == 1
    assert question not in found["missing"]


@pytest.fixture
def benchmark(db: None) -> Benchmark:
    return make_wide_benchmark()


def test_the_board_shows_how_much_is_disclosed_and_open(client: Client, benchmark: Benchmark) -> None:
    make_placed(benchmark, "no-private-lb", 55.0)
    make_wide(benchmark, "320132013201")
    page = text_of(client.get("/boards/wide/no-private-lb/all/"))
    rows = client.get("/api/v1/rankings/no-private-lb?benchmark=wide&split=all").json()["rows"]
    for row in rows:
        assert f"{row['disclosed']['answered']} of {row['disclosed']['total']} facts disclosed" in page
        assert f"not: {', '.join(row['disclosed']['missing'])}" in page
    assert "code undisclosed self-graded" in page
    assert "code graded here" in page


def test_a_row_leads_to_its_page_and_says_what_a_script_may_fetch(
    client: Client, benchmark: Benchmark
) -> None:
    entry = make_wide(benchmark, "320132013201")
    page = client.get("/boards/wide/clean/all/").content.decode()
    assert f'href="/entries/{entry.slug}/" data-expand="/entries/{entry.slug}/brief/"' in page


def test_it_opens_into_seeds_medals_card_and_history(client: Client, benchmark: Benchmark) -> None:
    entry = make_wide(benchmark, "320132013201")
    response = client.get(f"/entries/{entry.slug}/brief/")
    page = text_of(response)
    assert "<html" not in response.content.decode()
    assert "public" in response["Cache-Control"]
    for seed in ("s0", "s1", "s2"):
        assert seed in page
    assert "s0 75.00 % s1 50.00 % s2 25.00 %" in page.replace("\u202f", " ")
    assert page.count("gold") == 18
    assert page.count("no medal") == 18
    assert "Hours allowed" in page
    assert "Handed to the maintainers" in page
    assert f'href="/entries/{entry.slug}/#card"' in response.content.decode()


def test_of_an_imported_row_it_says_what_is_not_known(client: Client, benchmark: Benchmark) -> None:
    entry = make_placed(benchmark, "no-private-lb", 55.0)
    page = text_of(client.get(f"/entries/{entry.slug}/brief/"))
    assert "single seeds are not known here" in page
    assert "Medals by competition" not in page


def test_what_is_not_public_opens_into_nothing(client: Client, benchmark: Benchmark) -> None:
    entry = make_reviewed(make_graded_submission({"0": {"c00": 0.9}}, benchmark=benchmark))
    assert client.get(f"/entries/{entry.slug}/brief/").status_code == 404
    published = make_wide(benchmark, "320132013201")
    withdraw_entry(published, GROUNDS, make_maintainer(), NOW)
    assert client.get(f"/entries/{published.slug}/brief/").status_code == 200
