"""What is answered before Django: the same as Django answers, by the same rules, and counted and logged alike."""

import logging
from typing import Any

import pytest
from django.test import Client, RequestFactory

from grading.models import Benchmark
from leaderboard import boards
from leaderboard.kept_answers import forget
from leaderboard.kept_first import KeptFirst
from leaderboard.metrics.http import KEPT, REQUESTS
from tests.leaderboard.boards import make_board_benchmark, make_placed

pytestmark = pytest.mark.django_db
PAGE, API = "/boards/bench/no-private-lb/all/", "/api/v1/rankings/no-private-lb"
ADDRESSES = (PAGE, f"{PAGE}?q=a", API, f"{API}?format=csv")
OTHERS = {"X-Request-ID", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy"}


class NoDjango(Exception):
    """Raised where Django would have been asked."""


def refuse(environ: Any, start_response: Any) -> Any:
    raise NoDjango


def get(address: str, application: Any = refuse, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of what stands before an application."""
    said: list[Any] = []
    request = RequestFactory(headers=headers).get(address)
    answer = KeptFirst(application)(request.META, lambda *head: said.append(head))  # type: ignore[arg-type]
    status, pairs = said[0][:2]
    return int(status.split()[0]), dict(pairs), b"".join(answer)


@pytest.fixture
def benchmark(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Benchmark:
    benchmark = make_board_benchmark()
    make_placed(benchmark, "no-private-lb", 50.0)
    settings.BOARD_CHECK_S = 600
    monkeypatch.setattr(boards, "_known", [])
    return benchmark


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("headers", [{}, {"accept-encoding": "gzip"}, {"hx-request": "true"}])
def test_the_same_as_django_answers(
    client: Client, benchmark: Benchmark, address: str, headers: dict[str, str]
) -> None:
    with pytest.raises(NoDjango):
        get(address, **headers)
    made = client.get(address, headers=headers)
    status, given, body = get(address, **headers)
    assert (status, body) == (200, made.content)
    drop = {name: value for name, value in made.items() if name not in OTHERS}
    assert {name: value for name, value in given.items() if name not in OTHERS} == drop


@pytest.mark.parametrize("tag", ["W/{}", "{}", '"other", W/{}', "*"])
def test_a_304_as_django_gives_it(client: Client, benchmark: Benchmark, tag: str) -> None:
    etag = client.get(PAGE)["ETag"]
    said = {"if-none-match": tag.format(etag)}
    forget()
    again = client.get(PAGE, headers=said)  # Of nothing kept: Django's own.
    client.get(PAGE)
    status, given, body = get(PAGE, **said)
    assert (status, body) == (again.status_code, again.content) == (304, b"")
    # Django adds a length of 0, which no 304 needs.
    assert set(given) == set(again.headers) - {"Content-Length"}
    assert {"Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options"} <= set(given)


def test_who_has_another_answer_gets_this_one(client: Client, benchmark: Benchmark) -> None:
    made = client.get(PAGE)
    assert get(PAGE, **{"if-none-match": '"other"'})[::2] == (200, made.content)


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        (PAGE, {"host": "elsewhere.example"}),
        (PAGE, {"x-forwarded-proto": "https"}),
        (PAGE, {"accept-encoding": "gzip"}),
        (f"{PAGE}?q=b", {}),
        (API, {"accept": "text/csv"}),
        ("/account/login/", {}),
    ],
)
def test_what_was_not_asked_so_before_is_djangos(
    client: Client, benchmark: Benchmark, address: str, headers: dict[str, str]
) -> None:
    for made in (PAGE, API, "/account/login/"):
        client.get(made)
    with pytest.raises(NoDjango):
        get(address, **headers)


def test_other_methods_are_djangos(client: Client, benchmark: Benchmark) -> None:
    client.get(PAGE)
    for method in ("HEAD", "POST", "OPTIONS"):
        environ = {**RequestFactory().get(PAGE).META, "REQUEST_METHOD": method}
        with pytest.raises(NoDjango):
            KeptFirst(refuse)(environ, lambda *head: None)  # type: ignore[arg-type]


def test_what_is_too_old_is_djangos_to_look_at(client: Client, benchmark: Benchmark, settings: Any) -> None:
    client.get(PAGE)
    assert get(PAGE)[0] == 200
    settings.BOARD_CHECK_S = 0
    with pytest.raises(NoDjango):
        get(PAGE)


def test_never_that_of_before(client: Client, benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    before = client.get(PAGE).content
    make_placed(benchmark, "no-private-lb", 77.0)
    monkeypatch.setattr(boards, "_known", [boards._read_boards()])
    with pytest.raises(NoDjango):
        get(PAGE)
    after = client.get(PAGE).content
    assert get(PAGE)[2] == after != before


def test_asks_the_database_nothing(
    client: Client, benchmark: Benchmark, django_assert_num_queries: Any
) -> None:
    client.get(PAGE)
    with django_assert_num_queries(0):
        assert get(PAGE)[0] == 200


def test_is_numbered_counted_and_logged(
    client: Client, benchmark: Benchmark, caplog: pytest.LogCaptureFixture
) -> None:
    client.get(PAGE)
    counted = REQUESTS.labels("GET", KEPT, 200)._value
    before = counted.get()
    caplog.clear()
    with caplog.at_level(logging.INFO, "leaderboard.access"):
        numbers = [
            get(PAGE, **{"x-request-id": said})[1]["X-Request-ID"] for said in ("abcd-1234", "no\nway", "")
        ]
    assert numbers[0] == "abcd-1234"
    assert [len(number) for number in numbers[1:]] == [16, 16]
    assert counted.get() == before + 3
    assert [record.getMessage() for record in caplog.records] == [f"GET {PAGE} 200"] * 3
    assert vars(caplog.records[0])["route"] is None
