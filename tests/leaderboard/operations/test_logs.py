"""What log lines look like, what they are about, and what never stands in one."""

import json
import logging
import sys
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from leaderboard.logs import task_lines
from leaderboard.logs.context import about, request_id, speaking_of
from leaderboard.logs.formatters import JsonFormatter, TextFormatter
from leaderboard.logs.middleware import HEADER
from leaderboard.logs.redact import HIDDEN, redact, secret_values
from leaderboard.logs.settings import logging_settings

NUMBER = "5a1de0d5-4f47-4d0e-8b0e-3d4c8f3b3b11"
PASSWORD = "p@ss/word-of-the-database"
URL = "postgres://site:p%40ss%2Fword-of-the-database@db.example/site"


def make_record(message: str, *args: object, **extra: object) -> logging.LogRecord:
    record = logging.LogRecord("here", logging.INFO, "file.py", 1, message, args, None)
    vars(record).update(extra)
    return record


def test_a_json_line_says_what_it_is_about() -> None:
    with (
        speaking_of(request_id="abcdefgh", submission="one"),
        speaking_of(task="t", submission="two", empty=""),
    ):
        line = json.loads(
            JsonFormatter().format(make_record("%d of %s", 3, "four", took_ms=1.5, thing=object()))
        )
    assert line.pop("at").endswith("Z")
    assert line == {
        "level": "INFO", "logger": "here", "message": "3 of four", "took_ms": 1.5,
        "request_id": "abcdefgh", "submission": "two", "task": "t",
    }  # fmt: skip
    assert about() == {}


def test_a_line_break_makes_no_second_line() -> None:
    assert "\n" not in JsonFormatter().format(make_record('a\n{"level": "forged"}'))


def test_a_text_line_ends_with_what_it_is_about() -> None:
    with speaking_of(request_id="abcdefgh"):
        assert TextFormatter().format(make_record("x")).endswith("INFO here x request_id=abcdefgh")


@pytest.mark.parametrize("formatter", [JsonFormatter([PASSWORD]), TextFormatter([PASSWORD])])
def test_tracebacks_are_redacted_too(formatter: logging.Formatter) -> None:
    record = make_record("it failed")
    try:
        raise ValueError(f"cannot reach {URL} with {PASSWORD}")
    except ValueError:
        record.exc_info = sys.exc_info()
    text = formatter.format(record)
    assert "ValueError" in text
    assert PASSWORD not in text
    assert "word-of-the-database" not in text


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        (f"connecting to {URL}", "p%40ss%2Fword-of-the-database"),
        ("Authorization: Token 0123456789abcdef0123456789", "0123456789abcdef0123456789"),
        ("authorization: Bearer abcdefghijklmnop.qrs", "abcdefghijklmnop.qrs"),
        ("PUT https://s3/b/k?X-Amz-Credential=AKIA/x&X-Amz-Signature=feedbeef&partNumber=1", "feedbeef"),
        ("PUT https://s3/b/k?X-Amz-Credential=AKIA/x&X-Amz-Signature=feedbeef&partNumber=1", "AKIA"),
        ("{'password': 'hunter2hunter2'}", "hunter2hunter2"),
        ("Cookie: sessionid=qwertyuiop; csrftoken=asdfghjkl", "qwertyuiop"),
        ("Cookie: sessionid=qwertyuiop; csrftoken=asdfghjkl", "asdfghjkl"),
        ("Not Found: /invitations/Zm9vYmFy-secret_1/", "Zm9vYmFy-secret_1"),
        ("GET /notices/unsubscribe/abc:def:ghi/", "abc:def:ghi"),
        ("/account/password/reset/key/3-c0ffee-123/", "3-c0ffee-123"),
        ("/account/confirm-email/MTI:1abc:xyz/", "MTI:1abc:xyz"),
    ],
)
def test_shapes_of_secrets_are_hidden(text: str, hidden: str) -> None:
    assert hidden in text
    assert hidden not in redact(text)
    assert HIDDEN in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "12 uploads given up",
        "grading 7 failed: SandboxError: memory",
        "GET /submissions/6f0a/ 200",
        "the tokens of 3 people have ended",
        "https://leaderboard.example/entries/12/",
    ],
)
def test_other_text_is_left_as_it_is(text: str) -> None:
    assert redact(text) == text


def test_values_of_the_environment() -> None:
    values = secret_values(
        {
            "DATABASE_URL": URL,
            "MLEB_EMAIL_PASSWORD": "mail-secret",
            "MLEB_S3_BLOBS_KEY": "short",
            "PATH": "/usr/bin",
        }
    )
    assert values == (URL, "p%40ss%2Fword-of-the-database", PASSWORD, "mail-secret")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("0123-abcd.efgh", True),
        ("short", False),
        ("a" * 65, False),
        ("line\nbreak-and-more", False),
        ("", False),
    ],
)
def test_ids_of_requests(given: str, kept: bool) -> None:
    number = request_id(given)
    assert (number == given) is kept
    assert len(number) >= 8


def test_a_request_is_logged_without_its_query(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "leaderboard.access")
    answer = client.get("/styleguide/?key=very-secret-word", headers={HEADER: "from-the-proxy"})
    assert answer[HEADER] == "from-the-proxy"
    (record,) = [each for each in caplog.records if each.name == "leaderboard.access"]
    assert record.getMessage() == "GET /styleguide/ 200"
    assert (record.route, record.status) == ("styleguide", 200)  # type: ignore[attr-defined]
    assert "very-secret-word" not in caplog.text


def test_health_is_asked_silently(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "leaderboard.access")
    assert client.get("/healthz")[HEADER]
    assert not [each for each in caplog.records if each.name == "leaderboard.access"]


@pytest.mark.django_db
def test_a_kept_answer_has_a_number_of_its_own(client: Client) -> None:
    numbers = [client.get("/docs/", headers={HEADER: f"request-{each}"})[HEADER] for each in range(3)]
    numbers += [client.get("/", headers={HEADER: f"request-{each}"})[HEADER] for each in range(3)]
    assert numbers == [f"request-{each}" for each in (0, 1, 2, 0, 1, 2)]


@pytest.mark.parametrize(
    ("task", "args", "names"),
    [
        ("grading.tasks.grade", (7,), {"grading": "7"}),
        ("submissions.tasks.check", [NUMBER], {"submission": NUMBER}),
        ("submissions.validity.tasks.check", [NUMBER], {"check": NUMBER}),
        ("submissions.tasks.check", ["=cmd|'/C calc'!A0"], {}),
        ("leaderboard.tasks.sweep", (), {}),
    ],
)  # fmt: skip
def test_what_a_task_is_about(task: str, args: Any, names: dict[str, str]) -> None:
    assert task_lines.subject_of(task, args) == names


def test_a_task_says_which_request_rang_it() -> None:
    headers: dict[str, Any] = {}
    with speaking_of(request_id="abcdefgh"):
        task_lines._send_along(headers=headers)
    number = str(uuid4())
    task = SimpleNamespace(name="submissions.tasks.check", request=headers)
    task_lines._begin("id-1", task, [number])
    assert about() == {
        "task": "submissions.tasks.check", "task_id": "id-1", "request_id": "abcdefgh", "submission": number,
    }  # fmt: skip
    task_lines._end("id-1")
    task_lines._end("id-1")  # A second end is none.
    assert about() == {}


@pytest.mark.parametrize(("form", "formatter"), [("json", "JsonFormatter"), ("text", "TextFormatter")])
def test_settings_name_the_formatter(form: str, formatter: str) -> None:
    made = logging_settings(form, "INFO", ())
    assert made["formatters"]["line"]["()"].endswith(formatter)
    assert made["root"]["handlers"] == ["stderr"]
