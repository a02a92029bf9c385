"""The endpoint in all its moods, spoken to over real sockets on loopback."""

import gzip
import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from leaderboard.second_reading.endpoint import MAX_BYTES, Endpoint, EndpointError, Reply, ask, require_sound
from tests.leaderboard.second_reading.llm import Llm, Say, completion, serving

pytestmark = pytest.mark.enable_socket
MESSAGES = [{"role": "user", "content": "text"}]
KEY = "sk-secret-123"
GOOD = Say(completion("hello"))


def endpoint(llm: Llm, slept: list[float] | None = None, **columns: Any) -> Endpoint:
    slept = [] if slept is None else slept
    made = Endpoint(llm.url, "some-llm", KEY, timeout_s=1.0, retries=2, sleep=slept.append)
    return replace(made, **columns)


def test_it_is_asked_as_the_protocol_has_it() -> None:
    with serving(GOOD) as llm:
        assert ask(endpoint(llm), MESSAGES) == Reply("hello", 100)
    body, headers = llm.asked[0]
    assert llm.paths == ["/v1/chat/completions"]
    assert (body["model"], body["messages"], body["stream"]) == ("some-llm", MESSAGES, False)
    assert headers["Authorization"] == f"Bearer {KEY}"


LATER = {
    "429": Say(b"slow down", status=429),
    "500": Say(b"oops", status=500),
    "503": Say(status=503),
    "cut": Say(completion("hello"), cut=20),
    "slow": Say(completion("hello"), wait_s=1.5),
    "dripping": Say(completion("hello"), drip_s=0.1),
    "no JSON": Say(b"<html>"),
    "no protocol": Say(b'{"choices": []}'),
    "no text": Say(completion(None)),
    "deep": Say(b"[" * 200_000),
    "not text": Say(b"\xff\xfe"),
}


@pytest.mark.parametrize("mood", LATER)
def test_what_may_pass_is_tried_again(mood: str) -> None:
    slept: list[float] = []
    with serving(LATER[mood], GOOD) as llm:
        assert ask(endpoint(llm, slept), MESSAGES).text == "hello"
    assert len(llm.asked) == 2
    assert slept == [1.0]


@pytest.mark.parametrize("mood", LATER)
def test_what_does_not_pass_is_given_up_without_a_word_of_it(mood: str) -> None:
    slept: list[float] = []
    with serving(LATER[mood]) as llm, pytest.raises(EndpointError) as error:
        ask(endpoint(llm, slept, timeout_s=0.3), MESSAGES)
    assert len(llm.asked) == 3
    assert slept == [1.0, 2.0]
    assert str(error.value).endswith(", 3 times")
    assert "oops" not in str(error.value)
    assert KEY not in repr(error.value.__context__) + str(error.value)


@pytest.mark.parametrize(
    ("after", "waits"), [("7", 7.0), ("0", 1.0), ("100000", 1.0), ("99999", 60.0), ("soon", 1.0), ("-5", 1.0)]
)
def test_it_waits_as_asked_within_reason(after: str, waits: float) -> None:
    slept: list[float] = []
    with serving(Say(status=429, headers={"Retry-After": after}), GOOD) as llm:
        ask(endpoint(llm, slept), MESSAGES)
    assert slept == [waits]


REFUSALS = {
    "400": Say(b"no", status=400),
    "401": Say(KEY.encode(), status=401),
    "404": Say(status=404),
    "huge": Say(completion("x" * (MAX_BYTES + 1))),
    "zipped": Say(gzip.compress(b"x" * 10**7), headers={"Content-Encoding": "gzip"}),
}


@pytest.mark.parametrize("mood", ["400", "401", "404", "huge"])
def test_what_cannot_pass_is_not_tried_again(mood: str) -> None:
    with serving(REFUSALS[mood]) as llm, pytest.raises(EndpointError) as error:
        ask(endpoint(llm), MESSAGES)
    assert len(llm.asked) == 1
    assert KEY not in str(error.value)


def test_a_compressed_answer_is_not_unpacked() -> None:
    with serving(REFUSALS["zipped"]) as llm, pytest.raises(EndpointError, match="chat protocol"):
        ask(endpoint(llm, retries=0), MESSAGES)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_it_goes_nowhere_else(status: int) -> None:
    with (
        serving(GOOD) as elsewhere,
        serving(Say(status=status, headers={"Location": elsewhere.url})) as llm,
        pytest.raises(EndpointError, match=f"answered {status}"),
    ):
        ask(endpoint(llm), MESSAGES)
    assert elsewhere.asked == []


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(GOOD) as proxy, serving(GOOD) as llm:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        ask(endpoint(llm), MESSAGES)
    assert proxy.asked == []


def test_nobody_listening_is_said() -> None:
    with serving(GOOD) as llm:
        gone = endpoint(llm, retries=0)
    with pytest.raises(EndpointError, match="could not be reached"):
        ask(gone, MESSAGES)


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level(logging.DEBUG):
        yield caplog


def test_the_key_is_never_logged_nor_shown(said: pytest.LogCaptureFixture) -> None:
    with serving(Say(status=500), GOOD) as llm:
        asked = endpoint(llm)
        ask(asked, MESSAGES)
    assert KEY not in repr(asked)
    assert KEY not in said.text


@pytest.mark.parametrize("tokens", [None, "many", -1, True, 10**12, 1.5, [1]])
def test_a_count_that_is_none_is_left_aside(tokens: Any) -> None:
    with serving(Say(completion("hello", tokens))) as llm:
        assert ask(endpoint(llm), MESSAGES).tokens is None


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://llm.example.org/v1", "use https"),
        ("ftp://llm.example.org", "no http or https"),
        ("/v1", "no http or https"),
        ("http://[", "no address"),
        ("https://llm.example.org/v1", ""),
        ("http://localhost:11434/v1", ""),
    ],
)
def test_evidence_does_not_travel_in_the_clear(url: str, message: str) -> None:
    made = Endpoint(url, "some-llm", "", 1.0, 0)
    if not message:
        require_sound(made)
        return
    with pytest.raises(EndpointError, match=message):
        require_sound(made)


def test_an_llm_must_be_named() -> None:
    with pytest.raises(EndpointError, match="names no llm"):
        require_sound(Endpoint("https://llm.example.org/v1", "", "", 1.0, 0))
