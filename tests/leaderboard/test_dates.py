"""The date of an entry is called what it is: nobody is asked when runs were made."""

import re
from typing import Any

import pytest
from django.test import Client

from leaderboard.columns import DATED
from tests.leaderboard.boards import make_board_benchmark, make_placed, make_published

pytestmark = pytest.mark.django_db


def text_of(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def test_no_page_speaks_of_a_day_of_the_run(client: Client) -> None:
    benchmark = make_board_benchmark()
    imported = make_placed(benchmark, "no-private-lb", 40.0)
    graded = make_published(benchmark, {"s1": {"comp-low": 0.95}}, track="no-private-lb")
    agent = graded.agent
    pages = [f"/entries/{imported.slug}/", f"/entries/{graded.slug}/", f"/agents/{agent.slug}/", "/compare/"]
    pages += [f"/organisations/{agent.organisation.slug}/", "/boards/bench/no-private-lb/low/", "/charts/"]
    for page in pages:
        assert not re.search(
            r"\b(?:run on|(?:date|day) of (?:the|its) run)\b", text_of(client.get(page)), re.I
        )
    assert f"Date in its table {imported.run_on}" in text_of(client.get(pages[0]))
    assert f"Handed in on {graded.run_on}" in text_of(client.get(pages[1]))
    assert DATED in text_of(client.get("/charts/bench/"))


def test_the_description_of_the_api_says_it(client: Client) -> None:
    parts = client.get("/api/v1/schema?format=json").json()["components"]["schemas"]
    said = [part["properties"]["run_on"] for part in parts.values() if "run_on" in part.get("properties", {})]
    assert said
    assert all(DATED in field["description"] for field in said)
