"""What has been restated is public: page, entry, decision and API say the same, and only of public entries."""

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from grading.models import Competition
from leaderboard.integrity.decide import withdraw_entry
from leaderboard.integrity.repin import move_pins
from leaderboard.integrity.repin_plan import Target
from leaderboard.models import Decision, Entry
from submissions.models import User
from tests import factories as make
from tests.leaderboard.boards import GROUNDS, make_published
from tests.leaderboard.repins import add_grading, make_regradable, regrade_with_new_answers, run_of
from tests.leaderboard.test_board_page import text_of

pytestmark = pytest.mark.django_db
NOW = make.NOW + timedelta(days=1)


@pytest.fixture
def entry() -> Entry:
    return make_regradable()


@pytest.fixture
def decision(entry: Entry, maintainer: User) -> Decision:
    """Two of three medals of a competition changed."""
    regrade_with_new_answers(entry, "low-a", {"s1": 0.85, "s2": 0.75, "s3": 0.85})
    return move_pins(entry, Target(), GROUNDS, maintainer, NOW)


def lines_of(client: Client, address: str) -> list[dict[str, Any]]:
    answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return list(answer.json()["results"])


def test_before_anything_was_restated(client: Client, entry: Entry) -> None:
    assert "Nothing was restated" in text_of(client.get("/restatements/"))
    assert lines_of(client, "/api/v1/restatements/") == lines_of(client, "/api/v1/pin-moves/") == []
    assert "Restatements of" not in text_of(client.get(f"/entries/{entry.slug}/"))


def test_the_page_says_what_was_and_what_is(client: Client, entry: Entry, decision: Decision) -> None:
    page = text_of(client.get("/restatements/"))
    for said in (
        f"{entry.agent.name} : Any Medal %, Low (Lite), 50.00 → 66.67",
        GROUNDS.reason,
        f"decision {decision.pk}",
        "low-a s2 no medal 0.40000 bronze 0.75000",
        "answers none → 1 (low-a)",
    ):
        assert said in page


def test_entry_and_decision_say_it_too(client: Client, entry: Entry, decision: Decision) -> None:
    page = text_of(client.get(f"/entries/{entry.slug}/"))
    assert "Any Medal %, Low (Lite), 50.00 → 66.67" in page
    assert "66.67 %" in page
    assert "pins moved" in page
    assert "Low (Lite) Gold % 16.67 0.00" in text_of(client.get(f"/decisions/{decision.pk}/"))


def test_pins_moved_without_a_change_are_on_record(client: Client, entry: Entry, maintainer: User) -> None:
    regrade_with_new_answers(entry, "low-a", {"s1": 0.95})
    move_pins(entry, Target(), GROUNDS, maintainer, NOW)
    assert "1 pin moved, no figure changed" in text_of(client.get("/restatements/"))
    assert lines_of(client, "/api/v1/restatements/") == []
    assert len(lines_of(client, "/api/v1/pin-moves/")) == 1


def test_the_api_gives_every_figure_and_pin(client: Client, entry: Entry, decision: Decision) -> None:
    figures = {
        (line["split"], line["figure"]): (line["before"], line["after"])
        for line in lines_of(client, "/api/v1/restatements/")
    }
    assert figures["low", "any_medal_mean"] == (pytest.approx(50), pytest.approx(200 / 3))
    assert figures["low", "gold_mean"] == (pytest.approx(50 / 3), 0)
    pins = lines_of(client, "/api/v1/pin-moves/?competition=low-a&seed=s1")
    assert [(p["score_before"], p["score_after"]) for p in pins] == [(0.95, 0.85)]
    (pin,) = pins
    assert (pin["medal_before"], pin["medal_after"]) == ("gold", "silver")
    assert (pin["answers_before"], pin["answers_after"]) == (None, 1)
    assert (pin["thresholds_before"], pin["thresholds_after"]) == (1, 1)
    assert (pin["decision"], pin["slug"], pin["reason"]) == (decision.pk, entry.slug, GROUNDS.reason)
    assert pin["url"] == f"/decisions/{decision.pk}/"
    result = client.get(f"/api/v1/entries/{entry.slug}").json()
    low = next(each for each in result["results"] if each["split"] == "low")
    assert low["any_medal_mean"] == figures["low", "any_medal_mean"][1]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", True),
        ("?benchmark=bench", True),
        ("?benchmark=another", False),
        ("?entry=nothing", False),
        ("?split=low&figure=any_medal_mean", True),
        ("?split=high", False),
    ],
)
def test_the_api_narrows(client: Client, decision: Decision, query: str, found: bool) -> None:
    assert bool(lines_of(client, f"/api/v1/restatements/{query}")) is found


@pytest.mark.parametrize("query", ["?figure=fame", "?unknown=1", "?cursor=nonsense"])
def test_the_api_says_what_is_wrong(client: Client, decision: Decision, query: str) -> None:
    assert client.get(f"/api/v1/restatements/{query}").status_code == 400


@pytest.mark.parametrize("route", ["restatements", "pin-moves"])
def test_as_csv(client: Client, decision: Decision, route: str) -> None:
    json_lines = lines_of(client, f"/api/v1/{route}/")
    text = client.get(f"/api/v1/{route}/?format=csv").content.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert set(rows[0]) == set(json_lines[0])
    assert [row["decision"] for row in rows] == [str(line["decision"]) for line in json_lines]


def test_one_benchmark_alone(client: Client, decision: Decision, maintainer: User) -> None:
    make.make_benchmark("other", {"x": "low"}, title="The other one")
    other = make_published(make.Benchmark.objects.get(slug="other"), {"s1": {"x": 0.95}})
    add_grading(run_of(other, "s1", "x"), 0.1)
    move_pins(other, Target(), GROUNDS, maintainer, NOW)
    everything = text_of(client.get("/restatements/"))
    only = text_of(client.get("/restatements/?benchmark=other"))
    for name in (decision.entry.agent.name, other.agent.name):
        assert f"{name} :" in everything
    assert f"{other.agent.name} :" in only
    assert f"{decision.entry.agent.name} :" not in only
    assert everything.index(f"{other.agent.name} :") < everything.index(f"{decision.entry.agent.name} :")
    assert client.get("/restatements/?benchmark=nothing").status_code == 404


def test_a_withdrawn_entry_keeps_its_restatements(
    client: Client, decision: Decision, maintainer: User
) -> None:
    withdraw_entry(decision.entry, GROUNDS, maintainer, NOW)
    assert "50.00 → 66.67" in text_of(client.get("/restatements/"))


def test_long_lists_come_in_pages(client: Client, entry: Entry, maintainer: User) -> None:
    competition = Competition.objects.get(pk="low-a")
    for number in range(21):
        make.make_thresholds(competition, (0.9 + number / 1000, 0.8, 0.7, 0.5))
        move_pins(entry, Target(), GROUNDS, maintainer, NOW)
    assert "1–20 of 21" in text_of(client.get("/restatements/"))
    last = text_of(client.get("/restatements/?page=2"))
    assert "21–21 of 21" in last
    assert client.get("/restatements/?page=nonsense").status_code == 200


def test_the_page_takes_no_more_queries_for_more(
    client: Client, entry: Entry, maintainer: User, django_assert_max_num_queries: Any
) -> None:
    for score in (0.85, 0.75, 0.65):
        regrade_with_new_answers(entry, "low-a", {"s1": score})
        move_pins(entry, Target(), GROUNDS, maintainer, NOW)
    with django_assert_max_num_queries(8):
        client.get("/restatements/")


def test_the_same_for_everyone(client: Client, decision: Decision) -> None:
    answer = client.get("/restatements/")
    assert "public" in answer["Cache-Control"]
    client.force_login(make.make_user())
    assert client.get("/restatements/").content == answer.content
