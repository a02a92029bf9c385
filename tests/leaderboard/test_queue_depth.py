"""How much waits, for how long, and how many workers that asks for."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from grading.grade import request_grading
from grading.models import Grading
from leaderboard.brokers import QUEUES
from leaderboard.models import EvidenceReading
from leaderboard.queue_depth import PACES, Pace, QueueDepth, read_queues, suggest_workers
from submissions.models import Submission
from tests.factories import NOW, make_blob, make_competition, make_submission, make_team

CASES = [
    # waiting, running, seconds each, may wait, most, workers
    (0, 0, 2, 900, 64, 0),
    (1, 0, 2, 900, 64, 1),
    (450, 0, 2, 900, 64, 1),
    (451, 0, 2, 900, 64, 2),
    (11_250, 4, 2, 900, 64, 25),
    (0, 5, 2, 900, 64, 5),
    (100_000, 0, 2, 900, 64, 64),
    (10, 0, 30, 30, 64, 10),
]


@pytest.mark.parametrize(("waiting", "running", "takes", "may_wait", "most", "workers"), CASES)
def test_enough_workers_to_empty_it_in_time(
    waiting: int, running: int, takes: float, may_wait: float, most: int, workers: int
) -> None:
    assert suggest_workers(waiting, running, Pace(takes, may_wait), most) == workers


def test_every_queue_but_the_clocks_has_a_pace() -> None:
    assert set(QUEUES) == {*PACES, "clock"}


@pytest.mark.django_db
def test_nothing_waits_at_first() -> None:
    assert {(q.waiting, q.running, q.oldest_s, q.suggested_workers) for q in read_queues(NOW)} == {
        (0, 0, None, 0)
    }


def depth(name: str) -> QueueDepth:
    return {queue.name: queue for queue in read_queues(NOW + timedelta(minutes=5))}[name]


@pytest.mark.django_db
def test_gradings_wait_and_run() -> None:
    team, competition = make_team(), make_competition()
    gradings = [request_grading(make_blob(team), competition.pk, ("a.task", "x"), NOW) for _ in range(3)]
    Grading.objects.update(created_at=NOW)
    Grading.objects.filter(pk=gradings[0].pk).update(
        state="running", lease_until=NOW, created_at=NOW - timedelta(1)
    )
    assert depth("grading") == QueueDepth("grading", 2, 1, 300, 1)


@pytest.mark.django_db
def test_bundles_readings_and_reviews_wait() -> None:
    make_submission(status=Submission.Status.RECEIVED)
    make_submission(status=Submission.Status.GRADED, scope="low")
    waits = make_submission(status=Submission.Status.GRADING, scope="low")
    EvidenceReading.objects.create(submission=waits, not_before=NOW, created_at=NOW)
    assert [depth(name).waiting for name in ("intake", "evidence", "housekeeping")] == [1, 1, 1]
    assert depth("evidence").oldest_s == 300


@pytest.mark.django_db
def test_the_command_prints_json_or_a_table() -> None:
    out = StringIO()
    call_command("queue_depth", "--json", stdout=out)
    assert set(json.loads(out.getvalue())) == set(PACES)
    assert json.loads(out.getvalue())["grading"] == {
        "name": "grading",
        "waiting": 0,
        "running": 0,
        "oldest_s": None,
        "suggested_workers": 0,
    }
    out = StringIO()
    call_command("queue_depth", stdout=out)
    assert len(out.getvalue().splitlines()) == 1 + len(PACES)
