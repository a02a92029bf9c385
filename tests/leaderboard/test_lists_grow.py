"""Every list route costs the same number of queries, however much is stored. A new route must say what it is."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern

from bench.load_addresses import LISTS, NO_LISTS, Reader
from bench.load_rows import add_rows, places
from bench.site_rows import fill
from grading.models import Benchmark
from leaderboard.api.urls import urlpatterns as api
from leaderboard.lengths import forget
from leaderboard.standings import rebuild_standings
from leaderboard.views.urls import urlpatterns as pages
from submissions.api.urls import urlpatterns as submission_api
from submissions.models import User
from submissions.urls import urlpatterns as own
from tests.factories import NOW, make_benchmark, make_maintainer, make_user

SPLITS = {"comp-low": "low", "comp-medium": "medium", "comp-high": "high"}
FEW, MANY = 10, 1_000
# A page has a hundred lines at most. A list, or a choice, of all the thousand is longer than this.
MOST_BYTES = 100_000
# Drawn of all entries, or one form about all of them.
WHOLE = {"charts", "charts-of", "insights", "competition-pins"}


def test_every_route_is_a_list_or_is_none() -> None:
    named = {each.name for each in (*pages, *own) if isinstance(each, URLPattern)}
    named |= {f"api:{each.name}" for each in (*api, *submission_api) if isinstance(each, URLPattern)}
    assert named == set(LISTS) | NO_LISTS
    assert not set(LISTS) & NO_LISTS


@pytest.fixture
def lengths_forgotten() -> Iterator[None]:
    """No other test finds what was counted here."""
    yield
    forget()


@pytest.mark.django_db
@pytest.mark.usefixtures("lengths_forgotten")
def test_lists_cost_as_many_queries_with_a_thousand_rows_as_with_ten(settings: Any) -> None:
    settings.BOARD_CHECK_S = 0
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_CLASSES": []}
    make_benchmark("mle-bench-v1", SPLITS)
    people = {Reader.ANYBODY: None, Reader.OWNER: make_user(), Reader.MAINTAINER: make_maintainer()}
    owner, maintainer = people[Reader.OWNER], people[Reader.MAINTAINER]
    assert owner
    assert maintainer
    counted = []
    store(0, FEW, owner, maintainer)
    counted.append(count_all(people))
    store(FEW, MANY, owner, maintainer)
    counted.append(count_all(people))
    few, many = counted
    assert {name: (few[name], many[name]) for name in few if many[name][0] > few[name][0]} == {}
    assert {name: many[name][1] for name in many if name not in WHOLE and many[name][1] > MOST_BYTES} == {}


def store(here: int, wanted: int, owner: User, maintainer: User) -> None:
    """As many more of everything as are wanted in all."""
    fill(wanted - here, wanted - here, here)
    add_rows(wanted - here, owner, maintainer)
    rebuild_standings(Benchmark.objects.get(slug="mle-bench-v1"), NOW)


def count_all(people: dict[Reader, User | None]) -> dict[str, tuple[int, int]]:
    """Queries and bytes of each list, asked a second time: the first may fill what is kept."""
    here = places()
    return {name: count(address.format(**here), people[who]) for name, (address, who) in LISTS.items()}


def count(address: str, user: User | None) -> tuple[int, int]:
    client = Client()
    if user:
        client.force_login(user)
    assert client.get(address).status_code == 200, address
    with CaptureQueriesContext(connection) as queries:
        body = client.get(address).content
    return len(queries), len(body)
