"""The board's filter form: works without a script, keeps its state in the address, and says what it does."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from grading.models import Benchmark
from leaderboard.kept_answers import forget
from leaderboard.views.board import _drawn
from tests.leaderboard.boards import make_board_benchmark, make_placed, make_published
from tests.leaderboard.medal_boards import make_wide, make_wide_benchmark

pytestmark = pytest.mark.django_db
BOARD = "/boards/bench/no-private-lb/all/"
HTMX = {"hx-request": "true"}


@pytest.fixture
def benchmark() -> Benchmark:
    benchmark = make_board_benchmark()
    for number, llms in enumerate((["GPT-5"], ["o3"], []), start=1):
        make_placed(benchmark, "no-private-lb", 50.0 - number, llms=llms, vcpus=float(8 * number), hours=None)
    return benchmark


def text_of(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def test_narrows_and_says_so(client: Client, benchmark: Benchmark) -> None:
    page = client.get(f"{BOARD}?vcpus_min=10&llm=o3")
    text = text_of(page)
    assert "1 of 3 entries" in text
    assert "A rank is that on the whole board. Intervals, rank ranges and ties were computed" in text
    assert [row["rank"] for row in page.context["board"].rows] == [2]
    assert "1 here" in text
    assert "reported 49.0 %, the most here" in text, "the headline speaks of the whole board"
    chips = {chip["text"]: parse_qs(urlsplit(chip["url"]).query) for chip in page.context["chips"]}
    assert chips == {"LLM o3": {"vcpus_min": ["10"]}, "vCPUs at least 10": {"llm": ["o3"]}}


def test_an_unnarrowed_board_says_nothing_of_it(client: Client, benchmark: Benchmark) -> None:
    assert "do not apply" not in text_of(client.get(BOARD))
    assert "1 here" not in text_of(client.get(BOARD))


def test_empty_results_say_what_to_relax(client: Client, benchmark: Benchmark) -> None:
    page = client.get(f"{BOARD}?vcpus_min=100&llm=o3")
    text = text_of(page)
    assert "No entry answers all of this" in text
    assert "without vCPUs at least 100 : 1 entry" in text
    assert "without LLM o3 : 0 entries" in text


def test_a_form_without_a_script_ends_at_a_tidy_address(client: Client, benchmark: Benchmark) -> None:
    sent = "q=&llm=o3&gpus_min=&as_of=&columns=rank&columns=agent&columns=date&sort=-date"
    answer = client.get(f"{BOARD}?{sent}")
    assert answer.status_code == 302
    words = parse_qs(urlsplit(answer["Location"]).query)
    assert words == {"llm": ["o3"], "sort": ["-date"], "columns": ["rank,agent,date"]}
    assert client.get(answer["Location"]).status_code == 200


def test_htmx_gets_the_part_and_the_address_to_show(client: Client, benchmark: Benchmark) -> None:
    for _ in range(2):  # Made, then kept.
        part = client.get(f"{BOARD}?q=&llm=o3", headers=HTMX)
        html = part.content.decode()
        assert html.lstrip().startswith('<div id="view"')
        assert "<html" not in html
        assert part["HX-Push-Url"] == f"{BOARD}?llm=o3"
        assert "HX-Request" in part["Vary"]
    whole = client.get(f"{BOARD}?llm=o3", headers={**HTMX, "hx-history-restore-request": "true"})
    assert "<html" in whole.content.decode()
    assert "HX-Push-Url" not in whole


@pytest.mark.parametrize(
    ("sort", "column", "said"),
    [
        ("", "rank", "ascending"),
        ("?sort=-date", "date", "descending"),
        ("?sort=hours", "hours", "ascending"),
        ("?sort=-rank", "rank", "descending"),
    ],
)
def test_heads_say_how_the_board_is_sorted(
    client: Client, benchmark: Benchmark, sort: str, column: str, said: str
) -> None:
    page = client.get(BOARD + sort)
    assert page.content.decode().count("aria-sort=") == 1
    assert {head["name"]: head["sort"] for head in page.context["heads"] if head["sort"]} == {column: said}


def test_a_head_sorts_and_then_turns_round(client: Client, benchmark: Benchmark) -> None:
    def link(page: Any, name: str) -> str:
        return str(next(head["url"] for head in page.context["heads"] if head["name"] == name))

    page = client.get(f"{BOARD}?llm=o3")
    assert link(page, "any_medal") == f"{BOARD}?llm=o3&sort=-any_medal"
    page = client.get(link(page, "any_medal"))
    assert link(page, "any_medal") == f"{BOARD}?llm=o3&sort=any_medal"
    assert link(page, "rank") == f"{BOARD}?llm=o3"


def test_columns_can_be_chosen(client: Client, benchmark: Benchmark) -> None:
    page = client.get(f"{BOARD}?columns=cost,ram")
    assert [head["name"] for head in page.context["heads"]] == ["rank", "agent", "ram", "cost"]
    assert page.content.decode().count('<span class="undisclosed">undisclosed</span>') == 6


def test_the_state_goes_with_the_reader_to_other_splits_and_tracks(
    client: Client, benchmark: Benchmark
) -> None:
    page = client.get(f"{BOARD}?llm=o3&exact=1")
    assert all("llm=o3" in choice["url"] for choice in [*page.context["tracks"], *page.context["splits"]])
    assert all("exact" not in choice["url"] for choice in page.context["tracks"])


def test_long_boards_go_on_further_pages(
    client: Client, benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.views.board.PAGE_ROWS", 2)
    first = client.get(BOARD)
    assert "1–2 of 3" in text_of(first)
    second = client.get(first.context["pages"]["next_url"])
    assert [row["position"] for row in second.context["board"].rows] == [3]
    assert "3–3 of 3" in text_of(second)
    assert second.context["pages"]["next_url"] == ""
    assert client.get(f"{BOARD}?page=99").status_code == 200


def test_what_people_typed_stays_text(client: Client, benchmark: Benchmark) -> None:
    page = client.get(f"{BOARD}?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
    assert "<script>alert" not in page.content.decode()
    wrong = client.get(f"{BOARD}?gpus_min=%3Cscript%3Ealert(1)%3C/script%3E")
    assert wrong.status_code == 400
    assert "<script>alert" not in wrong.content.decode()


def test_masks_and_categories_where_single_runs_are_known(client: Client, benchmark: Benchmark) -> None:
    make_published(
        benchmark,
        {seed: {"comp-low": 0.95, "comp-medium": 0.1, "comp-high": 0.95} for seed in ("s1", "s2", "s3")},
        track="no-private-lb",
        scope="all",
    )
    page = client.get(f"{BOARD}?mask=known-leaks")
    rows = page.context["board"].rows
    assert [row["source"] for row in rows if row["result"]] == ["graded"]
    assert rows[0]["source"] == "graded", "what is not known stands last"
    assert "without known leaks" in text_of(page)
    category = client.get(f"{BOARD}?category=Tabular").context["board"].rows
    assert category[0]["result"]["any_medal_mean"] == pytest.approx(200 / 3)


def test_a_choice_of_hundreds_is_typed(
    client: Client, benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.board_form.MOST_OPTIONS", 1)
    page = client.get(BOARD, {"llm": ["gpt-5", "Nobody"]}).content.decode()
    assert '<input id="filter-llm" name="llm" value="GPT-5"' in page
    assert '<input type="hidden" name="llm" value="Nobody">' in page
    assert '<select id="filter-llm"' not in page
    assert '<input id="filter-llm" name="llm" value=""' in client.get(BOARD).content.decode()


def test_a_row_that_was_drawn_before_is_the_row_drawn_anew(client: Client) -> None:
    """Whatever was asked in between: orders, filters, masks and the board without stricter tracks."""
    benchmark = make_wide_benchmark("again")
    for medals, track in (("333000000000", "clean"), ("330100000000", "no-private-lb"), ("3" * 12, "clean")):
        make_wide(benchmark, medals, track=track)
    board = "/boards/again/no-private-lb/all/"
    queries = ("", "?sort=-date", "?graded_here=1", "?mask=known-leaks", "?category=Tabular", "?exact=1")
    fresh = {}
    for query in queries:
        _drawn.clear()
        forget()
        fresh[query] = client.get(board + query).content
    _drawn.clear()
    for query in (*queries, *reversed(queries)):
        forget()
        assert client.get(board + query).content == fresh[query], query
    assert len(set(fresh.values())) == len(queries)
