"""Comparing entries: the words of the address, the pairs, the medals, the run cards, and the page."""

from typing import Any

import numpy as np
import pytest
from django.test import Client

from leaderboard.compare.lines import compare_cards
from leaderboard.compare.medals import Cell, Run, line_up
from leaderboard.compare.pairs import compare_pairs
from leaderboard.compare.wanted import BadChoice, read_wanted
from leaderboard.statistics.grid import Grid
from tests.leaderboard.boards import make_board_benchmark, make_placed, make_reviewed
from tests.leaderboard.medal_boards import make_wide, make_wide_benchmark
from tests.leaderboard.test_board_page import text_of
from tests.submissions.run_cards import complete


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ([], []),
        ([""], []),
        (["3,1,2"], [3, 1, 2]),
        (["1", "2"], [1, 2]),
        ([" 1 , 2,,1"], [1, 2]),
    ],
)
def test_entries_are_read_once_each_and_in_order(values: list[str], wanted: list[int]) -> None:
    assert read_wanted(values) == wanted


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (["a,1"], "'a' is no number"),
        (["-1,2"], "'-1' is no number"),
        (["٣,2"], "is no number"),
        (["1" * 10], "is no number"),
        (["1,2,3,4,5,6"], "6 are asked for"),
    ],
)
def test_a_bad_choice_is_said(values: list[str], said: str) -> None:
    with pytest.raises(BadChoice, match=said):
        read_wanted(values)


def grid(*rows: str) -> Grid:
    return Grid(np.array([[mark == "x" for mark in row] for row in rows]))


def test_an_agent_ahead_everywhere_differs_and_an_equal_one_does_not() -> None:
    best, same, none = grid("x" * 12), grid("x" * 12), grid("." * 12)
    one, two, three = compare_pairs({1: best, 2: same, 3: none})
    assert (one.gap, one.even, one.p_value, one.differs) == (0.0, 12, 1.0, False)
    assert (two.gap, two.ahead, two.behind) == (100.0, 12, 0)
    assert two.differs
    assert (three.one, three.other, three.differs) == (2, 3, True)
    # Holm: the smaller two of three are weighed three times and twice.
    assert two.p_value == pytest.approx(2 / 2**12)
    assert two.p_adjusted == pytest.approx(3 * 2 / 2**12)


def test_too_few_competitions_are_not_tested() -> None:
    (pair,) = compare_pairs({1: grid("xxxxx"), 2: grid(".....")})
    assert (pair.ahead, pair.p_value, pair.differs) == (5, None, None)


def test_seeds_of_different_number_compare_by_rate() -> None:
    (pair,) = compare_pairs({1: grid("x." * 4, "x." * 4), 2: grid("x." * 4)})
    assert (pair.gap, pair.even) == (0.0, 8)


def run(entry: int, competition: str, medal: str, outcome: str = "scored", above: bool = False) -> Run:
    return Run(entry, "s1", competition, outcome, medal, above)


def test_the_widest_gap_comes_first_and_unknown_runs_stay_unknown() -> None:
    runs = [
        run(1, "a", "gold"), run(2, "a", "silver"),
        run(1, "b", "none", above=True), run(2, "b", "bronze"),
        run(1, "c", "none", "invalid"),
    ]  # fmt: skip
    lines = line_up(runs, (1, None, 2), {"a": "A", "b": "B", "c": "C"})
    assert [line.id for line in lines] == ["b", "a", "c"]
    assert lines[0].cells == (Cell((("above_median", 1),)), None, Cell((("bronze", 1),)))
    assert [line.spread for line in lines] == [1.0, 0.0, 0.0]
    assert lines[2].cells[2] == Cell(())


def test_run_cards_side_by_side() -> None:
    card = complete()
    other = {**card, "scaffold": {**card["scaffold"], "version": "another"}}
    differing = [line for part in compare_cards([card, other, {}]) for line in part.different]
    version = next(line for line in differing if line.label == "Version")
    assert version.answers == (card["scaffold"]["version"], "another", "")
    equal = [line.label for part in compare_cards([card, other]) for line in part.equal]
    assert "Name" in equal
    assert [line.label for part in compare_cards([card, card]) for line in part.different] == []


@pytest.mark.django_db
def test_the_page_says_whether_the_gap_is_noise(client: Client) -> None:
    benchmark = make_wide_benchmark()
    best, close, last = (make_wide(benchmark, medals) for medals in ("3" * 12, "3" * 11 + "2", "0" * 12))
    response = client.get(f"/compare/?entries={best.pk},{last.pk}")
    page = text_of(response)
    assert "The gap is more than noise." in page
    assert "+100.00" in page
    assert "p &lt; 0.001" in page
    assert response["Cache-Control"] == "public, max-age=1"
    page = text_of(client.get(f"/compare/?entries={best.pk},{close.pk},{last.pk}"))
    assert "2 of 3 pairs differ by more than noise; the others cannot be told apart." in page
    assert "1 competition on which they are even" not in page


@pytest.mark.django_db
def test_imported_rows_have_figures_and_no_test(client: Client) -> None:
    benchmark = make_wide_benchmark()
    graded = make_wide(benchmark, "3" * 12)
    imported = make_placed(benchmark, "no-private-lb", 41.5)
    page = text_of(client.get(f"/compare/?entries={graded.pk},{imported.pk}"))
    assert "They cannot be compared run by run" in page
    assert "41.50" in page
    assert "has a run card, on its own page. Imported rows have none." in page


@pytest.mark.django_db
def test_figures_of_different_benchmarks_are_not_ranked_against_each_other(client: Client) -> None:
    one = make_placed(make_board_benchmark(), "no-private-lb", 40.0)
    two = make_placed(make_board_benchmark("other", title="Other"), "no-private-lb", 50.0)
    html = client.get(f"/compare/?entries={one.pk},{two.pk}").content.decode()
    assert "Different benchmarks" in html
    assert "is-best" not in html


@pytest.mark.django_db
def test_ticked_boxes_lead_to_the_one_address(client: Client) -> None:
    benchmark = make_board_benchmark()
    one, two = (make_placed(benchmark, "no-private-lb", mean) for mean in (40.0, 50.0))
    answer = client.get(f"/compare/?entries={two.pk}&entries={one.pk}")
    assert answer["Location"] == f"/compare/?entries={two.pk},{one.pk}"


@pytest.mark.django_db
def test_too_few_are_asked_to_choose(client: Client) -> None:
    benchmark = make_board_benchmark()
    entry = make_placed(benchmark, "no-private-lb", 40.0)
    assert "Choose two to five entries" in text_of(client.get("/compare/"))
    page = client.get(f"/compare/?entries={entry.pk}")
    assert "One entry is chosen." in text_of(page)
    assert f'value="{entry.pk}" id="take-{entry.pk}" checked' in page.content.decode()
    refused = client.get("/compare/?entries=1,2,3,4,5,6")
    assert refused.status_code == 400
    assert "at most 5 have room" in text_of(refused)


@pytest.mark.django_db
def test_nothing_unpublished_is_compared(client: Client) -> None:
    benchmark = make_board_benchmark()
    shown = make_placed(benchmark, "no-private-lb", 40.0)
    hidden = make_reviewed(benchmark, {"s1": {"comp-low": 0.61803}})
    page = text_of(client.get(f"/compare/?entries={shown.pk},{hidden.pk}"))
    assert f"No entry of these numbers is published: {hidden.pk}." in page
    assert hidden.agent.name not in page


@pytest.mark.django_db
def test_cost_does_not_grow_with_entries(client: Client, django_assert_max_num_queries: Any) -> None:
    benchmark = make_wide_benchmark()
    entries = [make_wide(benchmark, f"{n}" * 12) for n in (3, 2, 1, 0)]
    for shown in (entries[:2], entries):
        with django_assert_max_num_queries(6):
            client.get(f"/compare/?entries={','.join(str(entry.pk) for entry in shown)}")


@pytest.mark.django_db
def test_entries_of_one_agent_can_be_told_apart_before_they_are_chosen(client: Client) -> None:
    benchmark = make_board_benchmark()
    make_placed(benchmark, "no-private-lb", 40.25, llms=["o3"], version="2.1")
    make_placed(benchmark, "no-private-lb", 50.5, llms=[], no_llm=True)
    page = text_of(client.get("/compare/"))
    for said in ("o3", "version 2.1", "40.25 ± 1.25", "none", "50.50 ± 1.25"):
        assert said in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("graded", "said"),
    [
        (0, "the single runs of none of them are known here"),
        (1, "of one alone the single runs are known here"),
    ],
)
def test_why_single_runs_cannot_be_compared(client: Client, graded: int, said: str) -> None:
    benchmark = make_wide_benchmark()
    entries = [make_wide(benchmark, "3" * 12) for _ in range(graded)]
    entries += [make_placed(benchmark, "no-private-lb", 41.5) for _ in range(2 - graded)]
    page = text_of(client.get(f"/compare/?entries={','.join(str(entry.pk) for entry in entries)}"))
    assert f"They cannot be compared run by run: {said}." in page
