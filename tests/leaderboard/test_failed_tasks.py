"""What ends badly is tried again later each time, then parked; what cannot be used is parked at once."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import OperationalError
from django.test import Client

from leaderboard.careful import CarefulTask, Consumer, digest_of
from leaderboard.failed_tasks import WAITS, count_parked, find_failed, forget_old, record_failure
from leaderboard.models import FailedTask
from submissions.models import Submission
from tests.factories import NOW, make_maintainer, make_user

pytestmark = pytest.mark.django_db
TASK, ARGUMENT = "leaderboard.tasks.review", "abc"
SECOND = timedelta(seconds=1)


def known() -> FailedTask:
    found = find_failed(TASK, ARGUMENT)
    assert found
    return found


def test_each_failure_makes_the_next_attempt_wait_longer_until_it_is_parked() -> None:
    now = NOW
    for wait in WAITS:
        record_failure(TASK, ARGUMENT, "ValueError", now)
        assert known().is_barred(now + wait - SECOND)
        assert not known().is_barred(now + wait)
        assert count_parked() == 0
        now += wait
    record_failure(TASK, ARGUMENT, "ValueError", now)
    assert known().is_barred(now + timedelta(days=365))
    assert count_parked() == 1


def test_what_is_hopeless_is_parked_at_once() -> None:
    record_failure(TASK, ARGUMENT, "DoesNotExist", NOW, is_hopeless=True)
    assert known().parked_at == NOW


def test_an_attempt_that_counts_already_is_not_counted_twice() -> None:
    record_failure(TASK, ARGUMENT, "its worker died", NOW)
    record_failure(TASK, ARGUMENT, "ValueError", NOW, is_counted=True)
    assert (known().failures, known().reason) == (1, "ValueError")


def test_old_failures_are_forgotten_and_parked_ones_are_not() -> None:
    record_failure(TASK, "once", "ValueError", NOW)
    record_failure(TASK, "parked", "ValueError", NOW, is_hopeless=True)
    assert forget_old(NOW + timedelta(days=8)) == 1
    assert list(FailedTask.objects.values_list("argument", flat=True)) == ["parked"]


class Calls:
    """A task of the given name that does as it is told, known to no app: others have tasks of that name."""

    def __init__(self, name: str) -> None:
        self.runs, self.error = 0, None
        self.task = CarefulTask()
        self.task.name, self.task.run = name, self._run

    def _run(self, argument: str) -> None:
        self.runs += 1
        if self.error:
            raise self.error

    def __call__(self, *arguments: str) -> None:
        """As a worker calls it."""
        try:
            self.task(*arguments)
        except Exception as error:
            self.task.on_failure(error, "1", arguments, {}, None)


@pytest.mark.parametrize(
    ("name", "error", "failures", "is_parked"),
    [
        ("submissions.tasks.advance", ValueError("a line of a submission"), 1, False),
        ("leaderboard.tasks.review", ValueError("a line of a submission"), 1, False),
        ("leaderboard.tasks.review", Submission.DoesNotExist(), 1, True),
        ("submissions.tasks.advance", OperationalError("the database is away"), 0, False),
        ("submissions.tasks.check", ValueError("counted by its own row"), 0, False),
        ("submissions.tasks.check", Submission.DoesNotExist(), 1, True),
    ],
)
def test_failures_are_counted_without_their_words(
    name: str, error: Exception, failures: int, is_parked: bool
) -> None:
    calls = Calls(name)
    calls.error = error
    calls("abc")
    found = find_failed(name, "abc")
    assert (found.failures if found else 0) == failures
    assert bool(found and found.parked_at) == is_parked
    assert found is None or found.reason == type(error).__name__


def test_a_barred_task_does_not_run_and_one_that_went_well_is_forgotten() -> None:
    calls = Calls("submissions.tasks.advance")
    record_failure("submissions.tasks.advance", "abc", "ValueError", NOW, is_hopeless=True)
    calls("abc")
    assert calls.runs == 0
    FailedTask.objects.update(parked_at=None, not_before=NOW)
    calls("abc")
    assert calls.runs == 1
    assert not FailedTask.objects.exists()


def test_a_task_that_takes_its_worker_along_counts_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = Calls("leaderboard.tasks.review")
    calls.error = SystemExit()
    with pytest.raises(SystemExit):
        calls.task("abc")
    found = find_failed("leaderboard.tasks.review", "abc")
    assert found
    assert (found.failures, found.reason) == (1, "its worker died")


@pytest.mark.parametrize("role", ["grading", "validity"])
def test_who_must_not_touch_the_table_does_not(role: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLEB_ROLE", role)
    calls = Calls("leaderboard.tasks.review")
    calls.error = ValueError()
    calls("abc")
    assert not FailedTask.objects.exists()


class Message:
    """As much of a message as the reader asks for."""

    content_type, content_encoding, delivery_info, body = "text/plain", "utf-8", {}, b"{half"
    headers: dict[str, str] = {"task": "no.such.task", "id": "1"}
    properties: dict[str, str] = {}
    payload: dict[str, str] = {}

    def __init__(self) -> None:
        self.is_done = False

    def ack(self) -> None:
        self.is_done = True

    def reject_log_error(self, *_: Any) -> None:
        self.is_done = True


@pytest.mark.parametrize(
    ("meet", "task"),
    [
        (lambda reader, message: reader.on_decode_error(message, ValueError()), ""),
        (lambda reader, message: reader.on_unknown_message(None, message), ""),
        (lambda reader, message: reader.on_unknown_task(None, message, KeyError()), "no.such.task"),
        (lambda reader, message: reader.on_invalid_task(None, message, ValueError()), ""),
    ],
)
def test_a_message_that_cannot_be_used_is_taken_off_and_parked(meet: Any, task: str) -> None:
    reader, message = Consumer.__new__(Consumer), Message()
    reader.app, reader.connection_errors = SimpleNamespace(backend=Mock()), ()
    reader.event_dispatcher = None
    meet(reader, message)
    parked = FailedTask.objects.get()
    assert message.is_done
    assert (parked.task, parked.argument) == (task, digest_of(b"{half"))
    assert parked.parked_at


def test_a_maintainer_rings_a_parked_task_again(
    client: Client, rings: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    record_failure(TASK, ARGUMENT, "ValueError", NOW, is_hopeless=True)
    row = FailedTask.objects.get()
    act = {"action": "ring_again", "_selected_action": [row.pk]}
    address = "/admin/leaderboard/failedtask/"
    client.force_login(make_user())
    assert client.post(address, act).status_code == 302
    assert FailedTask.objects.exists()
    client.force_login(make_maintainer())
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(address, act).status_code == 302
    assert rings == [(TASK, (ARGUMENT,))]
    assert not FailedTask.objects.exists()
