"""The board page: what it says, that anybody may cache it, and that it costs few queries."""

import re
from typing import Any

import pytest
from django.test import Client

from tests.factories import make_entry, make_maintainer, make_team
from tests.leaderboard.boards import make_board_benchmark, make_placed, make_published, place

pytestmark = pytest.mark.django_db


def text_of(response: Any) -> str:
    """The page as a reader sees it: without tags, and with single spaces."""
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def test_says_who_leads_and_by_what(client: Client) -> None:
    benchmark = make_board_benchmark()
    best = make_placed(benchmark, "no-private-lb", 64.44)
    make_placed(benchmark, "no-private-lb", 40.0)
    page = text_of(client.get("/boards/bench/no-private-lb/all/"))
    assert f"{best.agent.name} reported 64.4 %, the most here" in page
    assert "self-graded by their teams, verified by nobody here" in page
    assert "No Private LB · All 3 · 2 entries." in page
    assert "64.44" in page
    assert "± 1.25" in page


def test_equal_leaders_share_the_lead(client: Client) -> None:
    benchmark = make_board_benchmark()
    for _ in range(2):
        make_placed(benchmark, "no-private-lb", 50.0)
    assert "2 entries share the lead with 50.0 %" in text_of(client.get("/boards/bench/no-private-lb/all/"))


def test_opens_on_the_historical_table_while_clean_is_empty(client: Client) -> None:
    make_placed(make_board_benchmark(), "no-private-lb", 30.0)
    page = text_of(client.get("/"))
    assert "Clean has no entry yet, so the site opens on No Private LB" in page
    assert "1 entry" in page


def test_takes_the_words_of_the_api_in_the_query_too(client: Client) -> None:
    make_placed(make_board_benchmark(), "no-private-lb", 30.0)
    page = text_of(client.get("/?benchmark=bench&track=no-private-lb&split=all"))
    assert "No Private LB · All 3 · 1 entry." in page
    assert "has no entry yet" not in page


def test_opens_on_clean_once_it_has_an_entry(client: Client) -> None:
    benchmark = make_board_benchmark()
    make_placed(benchmark, "clean", 30.0)
    page = text_of(client.get("/"))
    assert "Clean · All 3 · 1 entry." in page
    assert "has no entry yet" not in page


def test_empty_clean_board_says_what_it_asks_for(client: Client) -> None:
    make_placed(make_board_benchmark(), "no-private-lb", 30.0)
    response = client.get("/boards/bench/clean/all/")
    page = text_of(response)
    assert "No entry yet" in page
    assert "Clean asks for predictions graded here" in page
    assert "Boards with entries: No Private LB (1)" in page
    assert 'href="/submit/"' in response.content.decode()


def test_works_without_any_entry_or_benchmark_entry(client: Client) -> None:
    make_board_benchmark()
    assert "No entry yet" in text_of(client.get("/"))


def test_warned_rows_are_unranked_and_link_to_their_decision(client: Client) -> None:
    benchmark = make_board_benchmark()
    make_placed(benchmark, "no-private-lb", 30.0)
    entry = make_entry(benchmark, {"all": (90.0, None)})
    decision = place(entry, "additional")
    response = client.get("/boards/bench/all/all/")
    html = response.content.decode()
    assert 'class="is-warned"' in html
    assert f'href="/decisions/{decision.pk}/"' in html
    assert "reported 30.0 %, the most here" in text_of(response)


def test_a_split_outside_the_scope_is_not_attempted_and_not_zero(client: Client) -> None:
    benchmark = make_board_benchmark()
    make_published(benchmark, {"s1": {"comp-low": 0.95}})
    page = text_of(client.get("/boards/bench/clean/low/"))
    assert "not attempted" in page
    assert "n = 1" in page


def test_what_nobody_said_is_undisclosed(client: Client) -> None:
    make_placed(make_board_benchmark(), "no-private-lb", 30.0)
    html = client.get("/boards/bench/no-private-lb/all/").content.decode()
    assert html.count('class="undisclosed"') == 5


def test_exact_leaves_clean_entries_out_and_ranks_anew(client: Client) -> None:
    benchmark = make_board_benchmark()
    clean = make_placed(benchmark, "clean", 80.0)
    other = make_placed(benchmark, "no-private-lb", 30.0)
    both = text_of(client.get("/boards/bench/no-private-lb/all/"))
    assert clean.agent.name in both
    exact = text_of(client.get("/boards/bench/no-private-lb/all/?exact=1"))
    assert clean.agent.name not in exact
    assert f"{other.agent.name} reported 30.0 %, the most here" in exact


def test_public_answers_are_said_before_anything_else(client: Client) -> None:
    benchmark = make_board_benchmark("demo", answers_public=True)
    make_published(benchmark, {"s1": {"comp-low": 0.81}, "s2": {"comp-low": 0.5}})
    page = text_of(client.get("/boards/demo/clean/low/"))
    assert "The answers of this benchmark are public" in page
    # The one competition's scores stand beside Any Medal.
    assert "0.81000" in page
    assert "0.50000" in page
    assert "Above median %" in page


@pytest.mark.parametrize(
    "path", ["/boards/nope/clean/all/", "/boards/bench/nope/all/", "/boards/bench/clean/nope/"]
)
def test_unknown_boards_are_not_found(client: Client, path: str) -> None:
    make_board_benchmark()
    assert client.get(path).status_code == 404


def test_is_the_same_for_everybody_and_cacheable(client: Client) -> None:
    make_placed(make_board_benchmark(), "no-private-lb", 30.0)
    stranger = client.get("/")
    signed_in = Client()
    signed_in.force_login(make_maintainer())
    assert signed_in.get("/").content == stranger.content
    assert "public" in stranger["Cache-Control"]
    assert "Cookie" not in stranger.get("Vary", "")
    assert not stranger.cookies


def test_answers_304_until_something_changes(client: Client) -> None:
    benchmark = make_board_benchmark()
    make_placed(benchmark, "no-private-lb", 30.0)
    etag = client.get("/")["ETag"]
    assert client.get("/", headers={"if-none-match": etag}).status_code == 304
    make_placed(benchmark, "no-private-lb", 31.0)
    assert client.get("/", headers={"if-none-match": etag}).status_code == 200


@pytest.mark.parametrize("entries", [1, 6])
def test_six_queries_whatever_the_number_of_entries_and_then_two(
    client: Client, django_assert_num_queries: Any, entries: int
) -> None:
    benchmark = make_board_benchmark()
    for number in range(entries):
        make_placed(benchmark, "no-private-lb", 30.0 + number)
    with django_assert_num_queries(6):
        client.get("/boards/bench/no-private-lb/all/")
    with django_assert_num_queries(2):
        client.get("/boards/bench/no-private-lb/all/?sort=-any_medal")


def test_an_agent_named_like_markup_stays_text(client: Client) -> None:
    benchmark = make_board_benchmark()
    entry = make_placed(benchmark, "no-private-lb", 30.0)
    entry.agent.name = "<script>alert(1)</script>"
    entry.agent.save()
    make_placed(benchmark, "no-private-lb", 20.0)
    assert "<script>alert" not in client.get("/boards/bench/no-private-lb/all/").content.decode()


def test_nothing_unpublished_shows(client: Client) -> None:
    from tests.leaderboard.boards import make_reviewed

    entry = make_reviewed(make_board_benchmark(), {"s1": {"comp-low": 0.95}}, team=make_team())
    assert entry.agent.name not in text_of(client.get("/boards/bench/all/low/"))
