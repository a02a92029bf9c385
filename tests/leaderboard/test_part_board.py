"""A board under a mask or of a category: nothing on it speaks of the whole, and what is not known is called so."""

import re
from typing import Any

import pytest
from django.test import Client

from grading.models import Benchmark
from leaderboard.integrity.masking import mask_competitions
from leaderboard.part_headline import NOT_KNOWN
from tests.factories import NOW, make_maintainer
from tests.leaderboard.boards import GROUNDS, make_placed
from tests.leaderboard.medal_boards import make_wide, make_wide_benchmark

pytestmark = pytest.mark.django_db
BOARD = "/boards/wide/no-private-lb/all/"
MASKED = f"{BOARD}?mask=known-leaks"


@pytest.fixture
def benchmark() -> Benchmark:
    return make_wide_benchmark()


def text_of(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).replace("\u00a0", " ").split())


def heading(answer: Any) -> str:
    return str(answer.context["headline"].sentence).replace("\u00a0", " ")


def test_imported_rows_are_not_called_unattempted(client: Client, benchmark: Benchmark) -> None:
    make_placed(benchmark, "no-private-lb", 60.0)
    for query in ("?mask=known-leaks", "?mask=known-issues"):
        page = client.get(BOARD + query)
        assert "not known here" in text_of(page)
        assert "not attempted" not in text_of(page)
    assert heading(page) == "No figure is known without known issues"
    assert "60.0 %" not in text_of(page)
    assert page.context["headline"].leader is None
    assert page.context["headline"].caveat == NOT_KNOWN
    assert "No competitions can be left out here" in text_of(page)


def test_the_headline_is_that_of_what_counts(client: Client, benchmark: Benchmark) -> None:
    make_placed(benchmark, "no-private-lb", 99.0)
    leaky = make_wide(benchmark, "330000000000", track="no-private-lb")
    fair = make_wide(benchmark, "003300000000", track="no-private-lb")
    page = client.get(MASKED)
    assert heading(page) == f"{fair.agent.name} leads with 18.2 % without known leaks"
    assert page.context["headline"].leader["entry"] == fair.pk
    assert "18.18" in text_of(page)
    assert "3 entries, 2 with a figure" in text_of(page)
    category = client.get(f"{BOARD}?category=Tabular")
    assert heading(category).startswith("2 entries share the lead with 16.7 % on Tabular competitions")
    assert leaky.agent.name in text_of(category)


def test_what_a_condition_leaves_out_still_leads(client: Client, benchmark: Benchmark) -> None:
    best = make_wide(benchmark, "003300000000", track="no-private-lb")
    make_wide(benchmark, "000300000000", track="no-private-lb", document={})
    page = client.get(f"{MASKED}&q=nobody")
    assert heading(page).startswith(f"{best.agent.name} leads")


def test_where_everything_is_masked_nothing_counts(client: Client, benchmark: Benchmark) -> None:
    make_placed(benchmark, "no-private-lb", 60.0)
    entry = make_wide(benchmark, "3" * 12, track="no-private-lb")
    mask_competitions(entry, [f"c{at:02}" for at in range(1, 12)], GROUNDS, make_maintainer(), NOW)
    page = client.get(MASKED)
    assert heading(page) == "Nothing counts without known leaks"
    assert page.context["headline"].caveat == ""
    assert "nothing counted" in text_of(page)
    assert NOT_KNOWN not in text_of(page)


@pytest.mark.parametrize("track", ["no-private-lb", "additional"])
def test_an_empty_board_says_no_more_than_that(client: Client, benchmark: Benchmark, track: str) -> None:
    page = client.get(f"/boards/wide/{track}/all/?mask=known-leaks")
    assert (heading(page), page.context["headline"].caveat) == ("No entry yet", "")


def test_under_a_warning_nobody_leads(client: Client, benchmark: Benchmark) -> None:
    make_wide(benchmark, "3" * 12, track="additional")
    page = client.get("/boards/wide/additional/all/?mask=known-leaks")
    assert heading(page) == "Shown with a warning, not ranked"


def test_columns_of_the_whole_say_so(client: Client, benchmark: Benchmark) -> None:
    make_wide(benchmark, "330000000000", track="no-private-lb")
    heads = [head["title"] for head in client.get(MASKED).context["heads"]]
    assert {"Low (Lite), whole", "Medium, whole"} <= set(heads)
    assert not any("whole" in head["title"] for head in client.get(BOARD).context["heads"])
    page = text_of(client.get(MASKED))
    assert "not of a part" in page, "of medals no number is known under a mask"
    assert "not published" not in page


def test_a_script_gets_the_headline_with_the_rows(client: Client, benchmark: Benchmark) -> None:
    make_wide(benchmark, "330000000000", track="no-private-lb")
    part = client.get(MASKED, headers={"hx-request": "true"}).content.decode()
    assert '<header id="board-head" class="page-header" hx-swap-oob="true">' in part
    assert "without known leaks</h1>" in part
    assert "hx-swap-oob" not in client.get(MASKED).content.decode()


def test_one_of_which_everything_is_masked_attempted_everything(client: Client, benchmark: Benchmark) -> None:
    masked = make_wide(benchmark, "3" * 8, scope="low", track="no-private-lb")
    make_wide(benchmark, "300000000000", track="no-private-lb")
    mask_competitions(masked, [f"c{at:02}" for at in range(8)], GROUNDS, make_maintainer(), NOW)
    low = text_of(client.get("/boards/wide/no-private-lb/low/"))
    assert "2 entries, 1 of them with nothing counted." in low
    assert "more attempted" not in low
    assert "1 entry, 1 more attempted a part of it." in text_of(client.get(BOARD))
