"""How tasks of this site run and messages are read, so that nothing poisonous is tried for ever.

Where a process has no business with the table of failures (grading, validity), its rows count attempts instead.
"""

import hashlib
import logging
import os
from collections.abc import Sequence
from typing import Any

from celery import Task
from celery.worker import consumer
from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import DatabaseError, InterfaceError, OperationalError
from django.utils import timezone

log = logging.getLogger(__name__)
# They may take their worker with them without a word, and count no attempts of their own: an attempt counts as failed
# until it has ended well.
COUNTED_FROM_THE_START = frozenset({"leaderboard.tasks.review", "leaderboard.fingerprints.tasks.compare"})
# Their own rows count attempts and end what is tried too often: only what names nothing is noted here.
COUNTED_ELSEWHERE = frozenset(
    {
        "submissions.tasks.check",
        "leaderboard.evidence.tasks.read",
        "leaderboard.fingerprints.tasks.read",
        "submissions.validity.tasks.check",
        "grading.tasks.grade",
    }
)
# The database's or the broker's trouble, and not the task's.
TRANSIENT = (OperationalError, InterfaceError, ConnectionError)
# The argument names nothing.
HOPELESS = (ObjectDoesNotExist, ValidationError)
WITHOUT_THE_TABLE = frozenset({"grading", "validity"})
LOST = "its worker died"
UNREADABLE = "cannot be read"


def counts_failures() -> bool:
    return os.environ.get("MLEB_ROLE", "") not in WITHOUT_THE_TABLE


class CarefulTask(Task):  # type: ignore[misc]  # Celery says nothing of its types.
    """A task with one argument that is left alone while it is barred, and whose failures are counted."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if len(args) != 1 or self.name in COUNTED_ELSEWHERE or not counts_failures():
            return self.run(*args, **kwargs)
        from leaderboard.failed_tasks import LAST_CHARACTERS, find_failed, forget_failure, record_failure

        argument, now = str(args[0])[:LAST_CHARACTERS], timezone.now()
        known = find_failed(self.name, argument)
        if known and known.is_barred(now):
            log.info(
                "%s(%s) is %s", self.name, argument, "parked" if known.parked_at else "tried again later"
            )
            return None
        is_counted = self.name in COUNTED_FROM_THE_START
        if is_counted:
            record_failure(self.name, argument, LOST, now)
        result = self.run(*args, **kwargs)
        if known or is_counted:
            forget_failure(self.name, argument)
        return result

    def on_failure(self, exc: Exception, task_id: str, args: Sequence[Any], kwargs: Any, einfo: Any) -> None:
        """Never with the words of the exception: they may hold words of a submission."""
        if len(args) != 1 or not counts_failures() or isinstance(exc, TRANSIENT):
            return
        is_hopeless = isinstance(exc, HOPELESS)
        if is_hopeless or self.name not in COUNTED_ELSEWHERE:
            is_counted = self.name in COUNTED_FROM_THE_START
            note_failure(self.name, str(args[0]), type(exc).__name__, is_hopeless, is_counted=is_counted)


def note_failure(
    task: str, argument: str, reason: str, is_hopeless: bool, *, is_counted: bool = False
) -> None:
    """A database that is away says so in the log; the sweep finds what has to be done."""
    from leaderboard.failed_tasks import LAST_CHARACTERS, record_failure

    try:
        record_failure(task, argument[:LAST_CHARACTERS], reason, timezone.now(), is_hopeless, is_counted)
    except DatabaseError as error:
        log.error("the failure of %s could not be noted: %s", task or "a message", type(error).__name__)


class Consumer(consumer.Consumer):  # type: ignore[misc]
    """A reader of messages that parks those it cannot use; they are taken off the queue and not tried again."""

    def on_decode_error(self, message: Any, exc: Exception) -> None:
        super().on_decode_error(message, exc)
        self._park(message, "")

    def on_unknown_message(self, body: Any, message: Any) -> None:
        super().on_unknown_message(body, message)
        self._park(message, "")

    def on_unknown_task(self, body: Any, message: Any, exc: Exception) -> None:
        super().on_unknown_task(body, message, exc)
        self._park(message, str(message.headers.get("task", "")))

    def on_invalid_task(self, body: Any, message: Any, exc: Exception) -> None:
        super().on_invalid_task(body, message, exc)
        self._park(message, "")

    def _park(self, message: Any, task: str) -> None:
        if counts_failures():
            note_failure(task[:100], digest_of(message.body), UNREADABLE, is_hopeless=True)


def digest_of(body: Any) -> str:
    return hashlib.sha256(body if isinstance(body, bytes) else str(body).encode()).hexdigest()
