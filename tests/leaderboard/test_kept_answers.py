"""What is kept of public answers: the same bytes and headers as when they were made, and never those of before."""

import gzip
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.test import Client

from grading.models import Benchmark
from leaderboard import boards
from leaderboard.kept_answers import forget
from tests.leaderboard.boards import make_board_benchmark, make_placed

pytestmark = pytest.mark.django_db
PAGE, API = "/boards/bench/no-private-lb/all/", "/api/v1/rankings/no-private-lb"
ADDRESSES = (PAGE, f"{PAGE}?q=a", API, f"{API}?format=csv")
GZIP = {"accept-encoding": "gzip"}
# Of the asker, or of the server that stands in front.
# What belongs to a request, and not to what it asks for.
OTHERS = {"X-Request-ID", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy"}


@pytest.fixture
def benchmark() -> Benchmark:
    benchmark = make_board_benchmark()
    make_placed(benchmark, "no-private-lb", 50.0)
    return benchmark


def headers_of(answer: Any) -> dict[str, str]:
    return {name: value for name, value in answer.items() if name not in OTHERS}


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("headers", [{}, GZIP])
def test_the_same_as_when_it_was_made(
    client: Client,
    benchmark: Benchmark,
    monkeypatch: pytest.MonkeyPatch,
    address: str,
    headers: dict[str, str],
) -> None:
    made = client.get(address, headers=headers)
    monkeypatch.setattr("leaderboard.asked.load_board", None)  # Nothing is made any more.
    kept = client.get(address, headers=headers)
    assert (kept.status_code, kept.content) == (200, made.content)
    assert headers_of(kept) == headers_of(made)


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_304_has_the_headers_of_security(client: Client, benchmark: Benchmark, address: str) -> None:
    first = client.get(address)
    again = client.get(address, headers={"if-none-match": first["ETag"]})
    forget()
    made = client.get(address, headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content, made.status_code) == (304, b"", 304)
    of_body = {"Content-Type", "Content-Length", "Vary"}
    assert {name: made[name] for name in headers_of(made) if name not in of_body}.items() <= dict(
        again.items()
    ).items()
    assert {"Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options"} <= set(again.headers)
    assert "Content-Length" not in again


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("headers", [{}, GZIP])
def test_never_that_of_before(
    client: Client, benchmark: Benchmark, address: str, headers: dict[str, str]
) -> None:
    before = client.get(address, headers=headers)
    assert client.get(address, headers=headers).content == before.content
    make_placed(benchmark, "no-private-lb", 77.0)
    after = client.get(address, headers={**headers, "if-none-match": before["ETag"]})
    assert after.status_code == 200
    assert after["ETag"] != before["ETag"]
    text = gzip.decompress(after.content) if headers else after.content
    assert b"77.0" in text


def test_a_change_shows_within_a_second(
    client: Client, benchmark: Benchmark, settings: Any, clock: Any
) -> None:
    settings.BOARD_CHECK_S = 0.5
    before = client.get(API).content
    make_placed(benchmark, "no-private-lb", 77.0)
    clock.now += 0.4
    assert client.get(API).content == before
    clock.now += 0.2
    assert b"77.0" in client.get(API).content


def test_one_thread_asks_and_the_others_go_on(benchmark: Benchmark, settings: Any, clock: Any) -> None:
    """Until what they know is too old; then they wait."""
    settings.BOARD_CHECK_S = 0.5
    old = boards.known_boards()
    clock.now += 0.6
    with boards._asking:  # Somebody asks.
        assert boards.known_boards() is old
        assert boards.fresh_state() is None
    assert boards.known_boards() is not old


def test_whoever_waits_takes_what_was_found(
    settings: Any, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BOARD_CHECK_S = 0.5
    read: list[Any] = []

    def read_slowly() -> Any:
        read.append(known := boards.Known([], "state", clock.now))
        time.sleep(0.2)
        return known

    monkeypatch.setattr(boards, "_read_boards", read_slowly)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: boards.known_boards(), range(8)))
    assert [known is read[0] for known in found] == [True] * 8
    assert len(read) == 1


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    class Clock:
        now = 1e9

    monkeypatch.setattr("leaderboard.boards.monotonic", lambda: Clock.now)
    monkeypatch.setattr("leaderboard.boards._known", [])
    return Clock


@pytest.mark.parametrize(
    ("accepted", "zipped"),
    [
        ("gzip", True),
        ("br, gzip;q=0.8", True),
        ("gzip;q=0", False),
        ("gzip; q=0.0, br", False),
        ("", False),
        ("br", False),
    ],
)
def test_is_compressed_for_whoever_takes_that(
    client: Client, benchmark: Benchmark, accepted: str, zipped: bool
) -> None:
    plain = client.get(PAGE)
    for _ in range(2):
        answer = client.get(PAGE, headers={"accept-encoding": accepted})
        assert answer.get("Content-Encoding") == ("gzip" if zipped else None)
        assert answer["Content-Length"] == str(len(answer.content))
        assert (gzip.decompress(answer.content) if zipped else answer.content) == plain.content
        assert "Accept-Encoding" in answer["Vary"]
        assert answer["ETag"] == (f"W/{plain['ETag']}" if zipped else plain["ETag"])


@pytest.mark.parametrize("tag", ["W/{}", "{}", '"other", W/{}', "*"])
def test_either_form_of_the_etag_is_a_304_kept_or_not(client: Client, benchmark: Benchmark, tag: str) -> None:
    etag = client.get(PAGE)["ETag"]
    headers = {**GZIP, "if-none-match": tag.format(etag)}
    for _ in range(2):
        assert client.get(PAGE, headers=headers).status_code == 304
        client.get(PAGE, headers=GZIP)


@pytest.mark.parametrize(
    "headers",
    [
        {"hx-request": "true"},
        {"hx-request": "true", "hx-trigger": "filters"},
        {"hx-request": "true", "hx-history-restore-request": "true"},
        {"accept": "text/csv"},
        {"host": "localhost"},
    ],
)
def test_what_the_answer_depends_on_is_kept_apart(
    client: Client, benchmark: Benchmark, headers: dict[str, str]
) -> None:
    """Whoever asks first must not decide what the next one gets."""
    for address in (PAGE, API):
        alone = client.get(address, headers=headers)
        forget()
        client.get(address)
        assert client.get(address, headers=headers).content == alone.content
        assert client.get(address).status_code == 200


def test_a_foreign_host_gets_nothing_kept(client: Client, benchmark: Benchmark) -> None:
    client.get(PAGE)
    assert client.get(PAGE, headers={"host": "elsewhere.example"}).status_code == 400


def test_the_quota_of_one_is_not_told_to_another(client: Client, benchmark: Benchmark) -> None:
    assert "RateLimit-Remaining" in client.get(API)
    assert "RateLimit-Remaining" not in client.get(API)


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        (f"{PAGE}?as_of=2026-04-01", {}),
        (f"{API}?as_of=2026-04-01", {}),
        (f"{PAGE}?q={'a' * 600}", {}),
        (API, {"accept": "text/csv, " * 100}),
        ("/boards/bench/nope/all/", {}),
        ("/account/login/", {}),
    ],
)
def test_what_is_not_kept(
    client: Client, benchmark: Benchmark, address: str, headers: dict[str, str]
) -> None:
    from leaderboard import kept_answers

    client.get(address, headers=headers)
    assert not kept_answers._kept._things
