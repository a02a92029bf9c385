"""Masks of a board that are figured when somebody asks: by kind, by competition, by year, with the shift of rank."""

from datetime import date
from typing import Any

import pytest
from django.test import Client

from grading.models import Benchmark, Competition
from leaderboard.standings import rebuild_standings
from leaderboard.statistics.masks import About, may_be_mask, other_masks, say_mask
from tests.factories import NOW
from tests.leaderboard.boards import make_placed
from tests.leaderboard.medal_boards import make_wide, make_wide_benchmark
from tests.leaderboard.test_board_page import text_of

BOARD, API = "/boards/wide/clean/all/", "/api/v1/rankings/clean?benchmark=wide&split=all"
LEAK, CUT = About(frozenset({"leak"})), About(frozenset({"thresholds"}))
PLAIN = About(frozenset())


@pytest.mark.parametrize(
    ("about", "masks"),
    [
        ({"a": PLAIN, "b": PLAIN}, {}),
        ({"a": LEAK, "b": PLAIN}, {"without-a": {"b"}}),
        ({"a": CUT, "b": PLAIN}, {"known-thresholds": {"b"}, "without-a": {"b"}}),
        (
            {"a": About(frozenset({"leak", "grading"})), "b": CUT},
            {"known-grading": {"b"}, "known-thresholds": {"a"}, "without-a": {"b"}, "without-b": {"a"}},
        ),
        ({"a": LEAK}, {}),
        (
            {
                "a": About(frozenset(), date(2018, 5, 1)),
                "b": About(frozenset(), date(2020, 1, 1)),
                "c": PLAIN,
            },
            {"closed-from-2018": {"a", "b"}, "closed-from-2020": {"b"}},
        ),
        ({"a": About(frozenset(), date(2018, 5, 1)), "b": About(frozenset(), date(2018, 9, 1))}, {}),
    ],
)
def test_every_mask_leaves_something_out_and_something_in(
    about: dict[str, About], masks: dict[str, set[str]]
) -> None:
    assert {name: set(counted) for name, counted in other_masks(about)} == masks
    assert all(may_be_mask(name) for name in masks)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("none", "all competitions"),
        ("known-leaks", "without known leaks"),
        ("known-grading", "without known issues of grading"),
        ("without-random-acts-of-pizza", "without random-acts-of-pizza"),
        ("closed-from-2019", "closed in 2019 or later"),
    ],
)
def test_masks_in_words(name: str, words: str) -> None:
    assert say_mask(name) == words


@pytest.mark.parametrize(
    "name", ["all", "known-", "known-odd", "without-", "without-A", "closed-from-19", "none "]
)
def test_what_is_no_mask(name: str) -> None:
    assert not may_be_mask(name)


@pytest.fixture
def benchmark(db: None) -> Benchmark:
    """The one entry lives on c00, which leaks, the other on c01, whose cut-offs are in doubt."""
    benchmark = make_wide_benchmark()
    make_wide(benchmark, "330000000000")
    make_wide(benchmark, "032000000000")
    make_wide(benchmark, "002200000000")
    return benchmark


def shown(client: Client, mask: str) -> list[tuple[Any, ...]]:
    rows = client.get(f"{API}&mask={mask}").json()["rows"]
    return [
        (row["entry"], row["rank"], row["rank_shift"], round(row["result"]["any_medal_mean"], 2))
        for row in rows
    ]


def test_each_kind_and_each_issue_has_figures_ranks_and_their_shift(
    client: Client, benchmark: Benchmark
) -> None:
    first, second, third = sorted(benchmark.entries.values_list("pk", flat=True))
    assert shown(client, "known-leaks") == [
        (second, 1, 1, 15.15),
        (third, 2, 1, 12.12),
        (first, 3, -2, 9.09),
    ]
    without_leak = [(second, 1, 1, 15.15), (third, 2, 1, 12.12), (first, 3, -2, 9.09)]
    assert shown(client, "without-c00") == without_leak
    without_cut = [(third, 1, 2, 12.12), (first, 2, -1, 9.09), (second, 3, -1, 6.06)]
    assert shown(client, "known-thresholds") == without_cut
    assert shown(client, "without-c01") == without_cut
    assert shown(client, "known-issues") == [(third, 1, 2, 13.33), (second, 2, 0, 6.67), (first, 3, -2, 0.0)]


def test_without_a_mask_nothing_shifts(client: Client, benchmark: Benchmark) -> None:
    assert {row["rank_shift"] for row in client.get(API).json()["rows"]} == {None}
    assert "up" not in text_of(client.get(BOARD)).split("Any Medal:")[1].split()


def test_the_page_offers_them_and_says_the_shift(client: Client, benchmark: Benchmark) -> None:
    html = client.get(BOARD).content.decode()
    for name in ("known-leaks", "known-issues", "known-thresholds", "without-c00", "without-c01"):
        assert f'<option value="{name}">' in html
    assert "known-grading" not in html
    assert "cannot be narrowed by closing date" in html
    page = text_of(client.get(f"{BOARD}?mask=without-c00"))
    assert "▲ 1 up" in page
    assert "▼ 2 down" in page
    assert "without c00" in page


def test_closing_years_are_offered_once_they_are_known(client: Client, benchmark: Benchmark) -> None:
    Competition.objects.filter(pk__in=["c02", "c03"]).update(closed_on=date(2020, 6, 1))
    Competition.objects.filter(pk="c01").update(closed_on=date(2018, 6, 1))
    rebuild_standings(benchmark, NOW)
    html = client.get(BOARD).content.decode()
    assert '<option value="closed-from-2020">closed in 2020 or later</option>' in html
    assert "cannot be narrowed" not in html
    first, second, third = sorted(benchmark.entries.values_list("pk", flat=True))
    assert [line[0] for line in shown(client, "closed-from-2018")] == [second, third, first]
    assert shown(client, "closed-from-2020")[0] == (third, 1, 2, pytest.approx(66.67))


@pytest.mark.parametrize("mask", ["without-c05", "known-grading", "closed-from-1999"])
def test_a_mask_the_board_does_not_have_is_refused_with_those_it_has(
    client: Client, benchmark: Benchmark, mask: str
) -> None:
    answer = client.get(f"{API}&mask={mask}")
    assert answer.status_code == 400
    assert "known-leaks, known-issues, known-thresholds, without-c00, without-c01" in answer.content.decode()
    assert client.get(f"{BOARD}?mask={mask}").status_code == 400


def test_imported_rows_have_neither_figure_nor_shift(client: Client, benchmark: Benchmark) -> None:
    make_placed(benchmark, "no-private-lb", 99.0)
    rows = client.get("/api/v1/rankings/no-private-lb?benchmark=wide&split=all&mask=without-c00").json()[
        "rows"
    ]
    last = rows[-1]
    assert (last["source"], last["rank"], last["rank_shift"], last["result"]) == (
        "imported",
        None,
        None,
        None,
    )


def test_equal_figures_share_a_rank(client: Client, benchmark: Benchmark) -> None:
    make_wide(benchmark, "003100000000")
    assert [line[1] for line in shown(client, "without-c00")] == [1, 2, 2, 4]
