"""Requests: retried where harmless, never carrying a token elsewhere, and errors that say what to do."""

import json
from pathlib import Path

import httpx
import pytest
from mlebench_leaderboard import Client, ClientError, NotSignedIn, Patience, Refused, Unreachable, Validity
from mlebench_leaderboard.http import Session
from mlebench_leaderboard.settings import Config, config_path, read_config, write_config

from tests.client.conftest import RunClient

SITE = "https://board.example.org"
Answer = httpx.Response | Exception


def answering(*answers: Answer) -> tuple[httpx.MockTransport, list[httpx.Request]]:
    """A site that gives these answers one after the other, and the requests it got."""
    left, seen = list(answers), []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        given = left.pop(0)
        if isinstance(given, Exception):
            raise given
        return given

    return httpx.MockTransport(answer), seen


def session(
    patience: Patience, *answers: Answer, token: str | None = "t0ken"
) -> tuple[Session, list[httpx.Request]]:
    transport, seen = answering(*answers)
    return Session(SITE, token, patience=patience, transport=transport), seen


def problem(status: int, code: str = "a_code", **headers: str) -> httpx.Response:
    body = {
        "detail": "What is wrong.",
        "errors": [{"code": code, "where": "there", "message": "What is wrong."}],
    }
    return httpx.Response(status, json=body, headers=headers)


def ok() -> httpx.Response:
    return httpx.Response(200, json={"good": True})


@pytest.mark.parametrize(
    ("answers", "waited"),
    [
        ([ok()], []),
        ([httpx.ConnectError("refused"), ok()], ["about 1"]),
        ([problem(503), problem(502), ok()], ["about 1", "about 2"]),
        ([problem(429, **{"Retry-After": "7"}), ok()], [7]),
    ],
    ids=["at once", "no connection", "busy", "too many"],
)
def test_what_may_be_asked_again_is(
    patience: Patience, pauses: list[float], answers: list[Answer], waited: list[object]
) -> None:
    made, _ = session(patience, *answers)
    assert made.get("/x").json() == {"good": True}
    assert [p if p == 7 else f"about {p:.0f}" for p in pauses] == waited


def test_nobody_waits_an_hour_at_a_terminal(patience: Patience, pauses: list[float]) -> None:
    made, seen = session(patience, problem(429, **{"Retry-After": "3600"}), ok())
    with pytest.raises(Refused, match="Try again in 3600 seconds"):
        made.get("/x")
    assert (len(seen), pauses) == (1, [])


@pytest.mark.parametrize(
    ("answers", "error", "says"),
    [
        ([httpx.ConnectError("refused")] * 3, Unreachable, "could not be reached: no connection (refused)"),
        ([httpx.ReadTimeout("")] * 3, Unreachable, "it went silent. Try again later"),
        ([problem(503)] * 3, Refused, "answered 503"),
        (
            [problem(401)],
            NotSignedIn,
            "The token is not valid, or no longer. Make a token on your account page",
        ),
        ([problem(409)], Refused, "What is wrong."),
        ([httpx.Response(404, text="<html>")], Refused, "the site answered 404 Not Found"),
        ([httpx.Response(301, headers={"Location": "https://www.example.org/x"})], ClientError, "with --url"),
    ],
)
def test_errors_say_what_to_do(
    patience: Patience, answers: list[Answer], error: type[ClientError], says: str
) -> None:
    made, _ = session(patience, *answers)
    with pytest.raises(error) as caught:
        made.get("/x")
    assert says in str(caught.value)


def test_what_may_not_be_asked_again_is_not(patience: Patience, pauses: list[float]) -> None:
    made, seen = session(patience, httpx.ReadError("broke"), ok())
    with pytest.raises(Unreachable, match="the connection broke"):
        made.request("POST", "/x", again=False)
    assert (len(seen), pauses) == (1, [])


def test_the_token_goes_to_its_own_site_alone(patience: Patience) -> None:
    made, seen = session(patience, ok(), ok(), ok())
    made.get("/x")
    made.send("PUT", "https://bucket.example.com/part?signature=1", content=b"x")
    made.send("PUT", "https://board.example.org.evil.example/part", content=b"x")
    assert [request.headers.get("Authorization") for request in seen] == ["Token t0ken", None, None]


@pytest.mark.parametrize(
    ("site", "safe"),
    [
        ("https://board.example.org", True),
        ("http://127.0.0.1:8000", True),
        ("http://localhost:8000", True),
        ("http://board.example.org", False),
    ],
)
def test_a_token_never_travels_openly(site: str, safe: bool) -> None:
    if safe:
        Session(site, "t0ken").close()
    else:
        with pytest.raises(ClientError, match="not encrypted"):
            Session(site, "t0ken")
        Session(site).close()


def test_pages_are_followed_by_path(patience: Patience) -> None:
    """Behind a proxy a site may call itself http; the token must still go along."""
    transport, seen = answering(
        httpx.Response(
            200, json={"results": [], "next": "http://board.example.org/api/v1/submissions?page=2"}
        ),
        httpx.Response(200, json={"results": [], "next": None}),
    )
    with Client(SITE, "t0ken", patience=patience, transport=transport) as client:
        assert list(client.submissions()) == []
    assert str(seen[1].url) == f"{SITE}/api/v1/submissions?page=2"
    assert seen[1].headers["Authorization"] == "Token t0ken"


SHAPE = {"version": 1, "competition": "c", "rows": 1, "columns": ["id"], "cells": {"id": ["1"]}}


def test_a_shape_is_fetched_once_and_asked_after(patience: Patience) -> None:
    transport, seen = answering(
        httpx.Response(200, json=SHAPE, headers={"ETag": '"e1"'}),
        httpx.Response(304, headers={"ETag": '"e1"'}),
    )
    with Client(SITE, patience=patience, transport=transport) as client:
        assert [client.shape("c"), client.shape("c")] == [SHAPE, SHAPE]
    assert [request.headers.get("If-None-Match") for request in seen] == [None, '"e1"']


def test_the_site_is_the_option_then_the_environment_then_the_last_login(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(ClientError, match="Which site"):
        Client()
    write_config(Config("https://third.example", {"https://third.example": "three"}))
    with Client() as client:
        assert (client.site, client.session.token) == ("https://third.example", "three")
    monkeypatch.setenv("MLEB_URL", "https://second.example/board/")
    with Client() as client:
        assert (client.site, client.session.token) == ("https://second.example", None)
    monkeypatch.setenv("MLEB_TOKEN", "two")
    with Client("https://first.example") as client:
        assert (client.site, client.session.token) == ("https://first.example", "two")


def test_the_file_with_tokens_is_private() -> None:
    path = write_config(Config(SITE, {SITE: "t0ken"}))
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o640)
    with pytest.raises(ClientError, match="chmod 600"):
        read_config()


@pytest.mark.parametrize("content", ["", "[]", "{", '{"tokens": 5}'])
def test_a_broken_file_says_so(content: str) -> None:
    path = write_config(Config())
    path.write_text(content)
    with pytest.raises(ClientError, match="log in again"):
        read_config()


@pytest.mark.parametrize("url", ["board.example.org", "ftp://board.example.org", "https://"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ClientError, match="not the address of a site"):
        Client(url)


def test_logging_out_forgets_one_site(run: RunClient) -> None:
    write_config(Config(SITE, {SITE: "one", "https://other.example": "two"}))
    assert run("logout").code == 0
    assert json.loads(config_path().read_text())["tokens"] == {"https://other.example": "two"}
    assert "There is no token" in run("logout").out


def check(state: str, outcome: str = "", valid: bool | None = None, *reasons: str) -> httpx.Response:
    """A validity check as the site shows it."""
    said = {"url": "/api/v1/validity-checks/1", "page": "/validity/1/", "state": state, "outcome": outcome}
    found = [{"code": code, "message": f"Because of {code}."} for code in reasons]
    return httpx.Response(202, json={**said, "valid": valid, "reasons": found})


def validate(tmp_path: Path, patience: Patience, *answers: Answer) -> tuple[Validity, list[httpx.Request]]:
    (tmp_path / "s.csv").write_bytes(b"id,target\n1,0\n")
    transport, seen = answering(*answers)
    with Client(SITE, "t0ken", patience=patience, transport=transport) as client:
        return client.validate("c", tmp_path / "s.csv", timeout_s=5), seen


def test_a_check_by_the_site_is_waited_for(tmp_path: Path, patience: Patience) -> None:
    verdict, seen = validate(
        tmp_path,
        patience,
        check("queued"),
        check("running"),
        check("done", "invalid", False, "id_unknown", "b"),
    )
    assert (verdict.is_valid, [reason.code for reason in verdict.reasons]) == (False, ["id_unknown", "b"])
    assert verdict.page == f"{SITE}/validity/1/"
    assert [request.url.path for request in seen[1:]] == ["/api/v1/validity-checks/1"] * 2
    assert b"1,0" in seen[0].content
    assert "Content-Length" in seen[0].headers


@pytest.mark.parametrize(
    ("answers", "error", "says"),
    [
        (
            [check("done", "timed_out")],
            ClientError,
            "ended as: timed out. Look at https://board.example.org/val",
        ),
        ([check("done", "failed", None, "ours")], ClientError, "ended as: failed. Because of ours."),
        ([problem(409, "answers_not_loaded")], Refused, "What is wrong."),
        ([problem(429, **{"Retry-After": "3000"})], Refused, "Try again in 3000 seconds"),
    ],
    ids=["timed out", "failed", "not loaded", "too many"],
)
def test_no_verdict_is_not_taken_for_one(
    tmp_path: Path, patience: Patience, answers: list[Answer], error: type[ClientError], says: str
) -> None:
    with pytest.raises(error, match=says):
        validate(tmp_path, patience, *answers)


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_knows_the_commands(run: RunClient, shell: str) -> None:
    done = run("completion", shell)
    assert done.code == 0
    assert all(word in done.out for word in ("pack", "submit", "rankings"))


def test_a_command_that_cannot_be_read_is_usage(run: RunClient) -> None:
    assert run("pack").code == 2
    assert run("nonsense").code == 2


def test_an_interrupted_command_says_how_to_go_on(run: RunClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("mlebench_leaderboard.cli.boards.Client", interrupt)
    done = run("rankings")
    assert done.code == 130
    assert "goes on from there" in done.err
