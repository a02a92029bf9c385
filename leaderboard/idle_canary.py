"""The canary of a worker that has nothing to do: an idle host must not look like one whose sandboxes no longer hold."""

import logging
import threading
from collections.abc import Mapping
from datetime import datetime
from importlib import import_module

from celery import signals
from django.db import DatabaseError, connection
from django.utils import timezone

from grading.sandbox.errors import SandboxError, SandboxUnavailable

log = logging.getLogger(__name__)
LOOK_EVERY_S = 300.0
# By the name of the worker: who runs its canary.
HOSTS: Mapping[str, str] = {"grading": "grading.host", "validity": "submissions.validity.host"}
_done = threading.Event()


def connect() -> None:
    """To the signals of the worker whose process this is, if it is one."""
    signals.worker_ready.connect(_begin, weak=False)
    signals.worker_shutdown.connect(_end, weak=False)


def _begin(sender: object, **_: object) -> None:
    kind = str(getattr(sender, "hostname", "")).partition("@")[0]
    if kind in HOSTS:
        threading.Thread(target=_watch, args=(kind,), daemon=True).start()


def _watch(kind: str) -> None:
    while not _done.wait(LOOK_EVERY_S):
        look(kind, timezone.now())


def look(kind: str, now: datetime) -> None:
    """Runs the canary of this kind of worker if it is due. What is bad is recorded, and shown by the status page."""
    # Not before it is needed: models are there only once Django is.
    host = import_module(HOSTS[kind])
    try:
        host.keep_checked(now)
    except SandboxUnavailable as error:
        log.error("the canary of an idle %s worker does not hold: %s", kind, error)
    except (SandboxError, DatabaseError, OSError) as error:  # May pass; the next look tries again.
        log.warning("the canary of an idle %s worker was not run: %s", kind, type(error).__name__)
    finally:
        connection.close()


def _end(**_: object) -> None:
    _done.set()
