"""That an error report holds places and types, and nothing that people or answers said."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import sentry_sdk
from sentry_sdk.transport import Transport

from leaderboard.logs.redact import HIDDEN
from leaderboard.logs.reports import scrub, start_reports

CANARY = "canary-label-4711"


class Kept(Transport):
    """Keeps what would have been sent."""

    sent: list[str] = []

    def capture_envelope(self, envelope: Any) -> None:
        self.sent.append(envelope.serialize().decode())


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Starts the real library with everything on but the network."""
    begin = sentry_sdk.init
    monkeypatch.setattr(Kept, "sent", [])
    monkeypatch.setattr(
        sentry_sdk, "init", lambda **given: begin(**given, transport=Kept, default_integrations=False)
    )
    yield Kept.sent
    sentry_sdk.get_client().close()
    sentry_sdk.get_global_scope().set_client(None)


def fail_over(label: str) -> None:
    hidden = {"label": label}
    raise ValueError(f"row 3 says {hidden['label']}, password=hunter2hunter2")


def report_one(process: str, reports: list[str]) -> str:
    start_reports("https://key@reports.example/1", process, "abc", ())
    try:
        fail_over(CANARY)
    except ValueError as error:
        sentry_sdk.capture_exception(error)
    sentry_sdk.flush()
    assert len(reports) == 1
    return reports[0]


@pytest.mark.parametrize("process", ["grading", "intake", "evidence", "validity", ""])
def test_processes_that_see_files_report_no_words(process: str, reports: list[str]) -> None:
    sent = report_one(process, reports)
    assert "ValueError" in sent
    assert "fail_over" in sent
    assert CANARY not in sent
    assert "hunter2" not in sent
    assert "row 3" not in sent


def test_the_web_process_reports_the_message_without_secrets(reports: list[str]) -> None:
    sent = report_one("web", reports)
    assert "row 3" in sent
    assert "hunter2hunter2" not in sent
    assert '"vars"' not in sent
    assert "context_line" not in sent


def test_only_what_is_named_is_kept() -> None:
    event = {
        "event_id": "1",
        "user": {"email": "a@b.org", "ip_address": "10.0.0.1"},
        "request": {
            "method": "POST",
            "url": "/x?token=abc",
            "data": CANARY,
            "cookies": {"sessionid": "x"},
            "env": {},
        },
        "breadcrumbs": {"values": [{"message": CANARY}]},
        "extra": {"sys.argv": [CANARY]},
        "contexts": {"trace": {"data": CANARY}},
        "logentry": {"message": "%s failed", "params": [CANARY], "formatted": CANARY},
        "transaction": "/invitations/abcdef/",
    }
    assert scrub(event) == {
        "event_id": "1",
        "request": {"method": "POST"},
        "logentry": {"message": "%s failed"},
        "transaction": f"/invitations/{HIDDEN}/",
    }
    assert json.dumps(scrub({})) == "{}"


def test_nothing_starts_without_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentry_sdk, "init", lambda **_: pytest.fail("started"))
    start_reports("", "web", "", ())
    logging.getLogger(__name__).error("nobody hears this")
