"""Lines of a task say which, about what, and which request rang it. Connected to Celery's signals once."""

from contextlib import AbstractContextManager
from typing import Any
from uuid import UUID

from celery import signals

from leaderboard.logs.context import about, speaking_of

REQUEST = "request_id"
_open: dict[str, AbstractContextManager[None]] = {}


def connect() -> None:
    signals.before_task_publish.connect(_send_along, weak=False, dispatch_uid="logs-send")
    signals.task_prerun.connect(_begin, weak=False, dispatch_uid="logs-begin")
    signals.task_postrun.connect(_end, weak=False, dispatch_uid="logs-end")


def _send_along(headers: dict[str, Any] | None = None, **_: Any) -> None:
    """The id of the request that rang, which is no secret."""
    if headers is not None and (number := about().get(REQUEST)):
        headers[REQUEST] = number


def _begin(task_id: str, task: Any, args: Any = (), **_: Any) -> None:
    number = task.request.get(REQUEST) or ""
    names = {"task": task.name, "task_id": task_id, REQUEST: str(number), **subject_of(task.name, args)}
    _open[task_id] = speaking_of(**names)
    _open[task_id].__enter__()


def _end(task_id: str, **_: Any) -> None:
    if (opened := _open.pop(task_id, None)) is not None:
        opened.__exit__(None, None, None)


def subject_of(task: str, args: Any) -> dict[str, str]:
    """What a task's one argument names: a grading by number, or a submission (or check) by public id."""
    if not args:
        return {}
    first = str(args[0])
    if task.startswith("grading."):
        return {"grading": first} if first.isdigit() else {}
    try:
        return {"check" if ".validity." in task else "submission": str(UUID(first))}
    except ValueError:
        return {}
