"""`/metrics`: for the token alone; figures of the work from the database; counters shared by processes."""

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from grading.models import Grading, GradingHost
from leaderboard.checks import check_metrics
from leaderboard.metrics import work
from leaderboard.metrics.shared import share_counters
from leaderboard.queue_depth import QueueDepth
from leaderboard.views import metrics
from tests.factories import make_competition, make_maintainer

TOKEN = "0123456789abcdef0123456789abcdef"
CANARY = "Team Of Canaries"


@pytest.fixture(autouse=True)
def asked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "_work", work.WorkCollector())


def read(client: Client) -> dict[tuple[str, ...], float]:
    """By name and values of labels."""
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    samples = [
        each for family in text_string_to_metric_families(answer.content.decode()) for each in family.samples
    ]
    return {(each.name, *each.labels.values()): each.value for each in samples}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("token", "said", "status"),
    [
        (TOKEN, f"Bearer {TOKEN}", 200),
        (TOKEN, "", 404),
        (TOKEN, TOKEN, 404),
        (TOKEN, f"Bearer {TOKEN}x", 404),
        (TOKEN, "Bearer ", 404),
        ("", "Bearer ", 404),
        ("", "", 404),
    ],
)
def test_for_the_token_alone(client: Client, settings: Any, token: str, said: str, status: int) -> None:
    settings.METRICS_TOKEN = token
    assert client.get("/metrics", headers={"Authorization": said} if said else {}).status_code == status


@pytest.mark.django_db
def test_a_maintainer_without_the_token_sees_no_page(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN
    client.force_login(make_maintainer())
    assert client.get("/metrics").status_code == 404


def make_gradings(competition_id: str, *done: tuple[str, float]) -> None:
    from grading.models import Blob

    competition = make_competition(competition_id)
    for number, (outcome, seconds) in enumerate(done):
        name = f"{competition_id}-{number}"
        blob = Blob.objects.create(realm=name, sha256="0" * 64, size=1, key=name)
        Grading.objects.create(
            blob=blob, competition=competition, grader_version="1", state="done", outcome=outcome,
            not_before=timezone.now(),
            score=0.123456 if outcome == "scored" else None, wall_s=seconds, graded_at=timezone.now(),
        )  # fmt: skip


@pytest.mark.django_db
def test_figures_of_the_work(client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.METRICS_TOKEN = TOKEN
    make_gradings("one", ("scored", 0.2), ("scored", 7.0), ("timed_out", 600.5))
    make_gradings("two", ("invalid", 0.1))
    now = timezone.now()
    GradingHost.objects.create(name="good", is_isolated=True, checked_at=now - timedelta(minutes=5))
    GradingHost.objects.create(name="bad", is_isolated=False, checked_at=now)
    monkeypatch.setattr(
        work,
        "read_queues",
        lambda now: [QueueDepth("grading", 7, 2, 61.5, 3), QueueDepth("intake", 0, 0, None, 0)],
    )
    found = read(client)
    assert found["mleb_queue_waiting", "grading"] == 7
    assert found["mleb_queue_oldest_seconds", "grading"] == 61.5
    assert found["mleb_queue_oldest_seconds", "intake"] == 0
    assert found["mleb_queue_suggested_workers", "grading"] == 3
    assert found["mleb_grading_seconds_count", "one"] == 3
    assert found["mleb_grading_seconds_sum", "one"] == pytest.approx(607.7)
    assert found["mleb_grading_seconds_bucket", "one", "0.25"] == 1
    assert found["mleb_grading_seconds_bucket", "one", "15.0"] == 2
    assert found["mleb_grading_seconds_bucket", "one", "+Inf"] == 3
    assert [
        found["mleb_gradings_total", each] for each in ("scored", "invalid", "timed_out", "grader_error")
    ] == [2, 1, 1, 0]
    assert (found["mleb_sandbox_well", "good", "grading"], found["mleb_sandbox_well", "bad", "grading"]) == (
        1,
        0,
    )
    assert found["mleb_sandbox_canary_age_seconds", "good", "grading"] == pytest.approx(300, abs=60)
    assert found["mleb_upload_bytes_total",] == 0
    assert found["mleb_decisions_total", "publish"] == 0
    assert 0.123456 not in found.values()


@pytest.mark.django_db
def test_requests_by_route_and_not_by_address(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN
    before = read(client)
    for address in ("/styleguide/", "/invitations/secret-of-somebody/", "/made-up-by-a-stranger/"):
        client.get(address)
    after = read(client)
    key = ("mleb_http_requests_total", "GET", "styleguide", "200")
    assert after[key] - before.get(key, 0) == 1
    assert not [name for name in after if "secret-of-somebody" in str(name) or "made-up" in str(name)]


@pytest.mark.django_db
def test_asked_again_at_once_the_database_is_left_alone(
    client: Client, settings: Any, django_assert_num_queries: Any
) -> None:
    settings.METRICS_TOKEN = TOKEN
    read(client)
    with django_assert_num_queries(0):
        read(client)


COUNT = """
import os, sys
from pathlib import Path
from leaderboard.metrics.shared import share_counters
share_counters(Path(sys.argv[1]))
from prometheus_client import Counter
Counter("mleb_probe", "x").inc(int(sys.argv[2]))
"""
SUM = """
import sys
from pathlib import Path
from leaderboard.metrics.shared import share_counters
share_counters(Path(sys.argv[1]))
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
registry = CollectorRegistry(); MultiProcessCollector(registry)
print(generate_latest(registry).decode())
"""


def test_processes_of_one_parent_count_together(tmp_path: Path) -> None:
    """Also those that have ended meanwhile; what an earlier parent left is removed."""
    dead = subprocess.Popen(["true"])
    dead.wait()
    (tmp_path / "metrics" / str(dead.pid)).mkdir(parents=True)

    def run(code: str, *words: str) -> str:
        argv = [sys.executable, "-c", code, str(tmp_path), *words]
        return subprocess.run(
            argv, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[3]
        ).stdout

    run(COUNT, "2")
    run(COUNT, "3")
    assert "mleb_probe_total 5.0" in run(SUM)
    assert [each.name for each in (tmp_path / "metrics").iterdir()] == [str(os.getpid())]


def test_too_late_to_share(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="before the first import"):
        share_counters(tmp_path)


@pytest.mark.parametrize(("token", "errors"), [("", []), (TOKEN, []), ("short", ["leaderboard.E010"])])
def test_a_short_token_is_refused(settings: Any, token: str, errors: list[str]) -> None:
    settings.METRICS_TOKEN = token
    assert [each.id for each in check_metrics(None)] == errors
