"""`/healthz` asks nobody; `/readyz` names what is wrong and nothing secret."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from grading.models import GradingHost
from leaderboard.health import probes, readiness
from leaderboard.health.readiness import KEPT_FOR, Kept, Readiness

SECRET = "amqp://someone:hunter2@broker.example"


@pytest.fixture(autouse=True)
def asked_anew() -> Iterator[None]:
    readiness.kept.forget()
    yield
    readiness.kept.forget()


@pytest.fixture(autouse=True)
def messages(settings: Any) -> None:
    (settings.VAR_DIR / "broker/messages").mkdir(parents=True)
    settings.BROKER_DIR = settings.VAR_DIR / "broker"
    settings.CELERY_BROKER_URL = "filesystem://"


def make_host(age: timedelta = timedelta(), is_isolated: bool = True) -> GradingHost:
    return GradingHost.objects.create(
        name="here", is_isolated=is_isolated, checked_at=timezone.now() - age, grader_version="1"
    )


def test_health_asks_no_database(client: Client) -> None:
    assert client.get("/healthz").content == b"ok"


@pytest.mark.django_db
def test_ready_with_every_part(client: Client) -> None:
    make_host()
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {
        "ready": True,
        "parts": dict.fromkeys(("database", "migrations", "broker", "storage", "grading"), "ok"),
    }
    assert "no-cache" in answer["Cache-Control"]


@pytest.mark.django_db
@pytest.mark.parametrize("part", ["database", "migrations", "broker", "storage"])
def test_a_part_that_fails_is_named_without_what_it_said(
    client: Client, monkeypatch: pytest.MonkeyPatch, part: str, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(now: datetime) -> str:
        raise OSError(SECRET)

    monkeypatch.setitem(probes.NEEDED, part, fail)  # type: ignore[arg-type]
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["ready"] is False
    assert answer.json()["parts"][part] == "does not answer"
    assert "hunter2" not in answer.content.decode() + caplog.text


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("age_hours", "is_isolated", "well"), [(0, True, True), (3, True, False), (0, False, False)]
)
def test_the_canary_is_red_where_it_is_asked_for(
    client: Client, age_hours: int, is_isolated: bool, well: bool
) -> None:
    """People are still answered; the check that watches grading is red."""
    make_host(timedelta(hours=age_hours), is_isolated)
    assert client.get("/readyz").status_code == 200
    answer = client.get("/readyz?grading")
    assert answer.status_code == (200 if well else 503)
    assert (answer.json()["parts"]["grading"] == "ok") is well


@pytest.mark.django_db
def test_one_well_host_is_enough() -> None:
    make_host()
    GradingHost.objects.create(name="other", is_isolated=False, checked_at=timezone.now(), grader_version="1")
    assert probes.check_grading(timezone.now()) == ""


def test_a_broker_that_is_gone_is_found_out(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        def __enter__(self) -> "Gone":
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def ensure_connection(self, **limits: Any) -> None:
            assert limits == {"max_retries": 0, "timeout": probes.BROKER_ANSWERS_WITHIN_S}
            raise ConnectionRefusedError(SECRET)

    settings.CELERY_BROKER_URL = SECRET
    monkeypatch.setattr("celery.app.base.Celery.connection_for_write", lambda *_, **__: Gone())
    assert probes.ask("broker", probes.check_broker, timezone.now()) == "does not answer"


def test_asked_once_in_two_seconds() -> None:
    asked: list[datetime] = []

    def find(now: datetime) -> Readiness:
        asked.append(now)
        return Readiness(now)

    kept, now = Kept(find), timezone.now()
    for seconds in (0.0, 0.5, 1.9):
        kept.read(now + timedelta(seconds=seconds))
    assert len(asked) == 1
    kept.read(now + KEPT_FOR)
    assert len(asked) == 2
    kept.read(now - timedelta(days=1))  # The clock was set back.
    assert len(asked) == 3


@pytest.mark.django_db
def test_the_command_says_the_same() -> None:
    out = StringIO()
    call_command("readiness", stdout=out)
    assert "database: ok" in out.getvalue()
    with pytest.raises(CommandError, match="Not ready"):
        call_command("readiness", grading=True, stdout=out)
    assert "no grading host has run its canary yet" in out.getvalue()
