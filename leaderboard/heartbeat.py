"""Workers saying every few seconds that they live, and who was not heard for too long."""

import logging
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from celery import signals
from django.db import DatabaseError, connection
from django.utils import timezone

log = logging.getLogger(__name__)
EVERY_S = 10.0
SILENT_AFTER = timedelta(seconds=60)
# A worker that died is named for so long.
NAMED_FOR = timedelta(days=1)
# What each kind does, for the status page. Without one of it, that stands still.
KINDS: Mapping[str, str] = {
    "intake": "reads bundles",
    "grading": "grades runs",
    "evidence": "reads logs and code",
    "housekeeping": "moves submissions on, signs, and rings what was lost",
    "notices": "sends mail and webhooks",
    "validity": "checks single files",
}


@dataclass(frozen=True)
class KindState:
    """How many workers of a kind are heard, and when the last one was."""

    name: str
    does: str
    heard: int
    silent: int
    last_heard_at: datetime | None

    @property
    def is_well(self) -> bool:
        return self.heard > 0


def connect() -> None:
    """To the signals of the worker whose process this is, if it is one."""
    signals.worker_ready.connect(_begin, weak=False)
    signals.worker_shutdown.connect(_end, weak=False)


_done = threading.Event()
_name: tuple[str, str] | None = None


def _begin(sender: Any, **_: object) -> None:
    global _name
    kind, _at, host = str(sender.hostname).partition("@")
    _name = (os.environ.get("MLEB_PROCESS") or kind, host)
    threading.Thread(target=_beat, args=_name, daemon=True).start()


def _beat(process: str, host: str) -> None:
    started_at = timezone.now()
    while not _done.is_set():
        try:
            say(process, host, started_at, timezone.now())
        except DatabaseError as error:
            log.warning("the worker could not say that it lives: %s", type(error).__name__)
            connection.close()
        _done.wait(EVERY_S)
    connection.close()


def _end(**_: object) -> None:
    """One that ends in good order is missed by nobody."""
    from leaderboard.models import Heartbeat

    _done.set()
    if _name is not None:
        try:
            Heartbeat.objects.filter(process=_name[0], host=_name[1]).delete()
        except DatabaseError as error:
            log.warning("the worker could not say that it ends: %s", type(error).__name__)


def say(process: str, host: str, started_at: datetime, now: datetime) -> None:
    from leaderboard.models import Heartbeat

    heard = Heartbeat.objects.filter(process=process, host=host)
    if not heard.update(heard_at=now, started_at=started_at):
        Heartbeat.objects.get_or_create(
            process=process, host=host, defaults={"started_at": started_at, "heard_at": now}
        )


def kinds_heard(now: datetime) -> Sequence[KindState]:
    """Every kind of worker a site needs, whether or not one was ever heard."""
    from leaderboard.models import Heartbeat

    beats = list(Heartbeat.objects.filter(heard_at__gt=now - NAMED_FOR))
    return [
        _state(name, does, [beat.heard_at for beat in beats if beat.process == name], now)
        for name, does in KINDS.items()
    ]


def _state(name: str, does: str, heard_at: Sequence[datetime], now: datetime) -> KindState:
    heard = sum(now - at <= SILENT_AFTER for at in heard_at)
    return KindState(name, does, heard, len(heard_at) - heard, max(heard_at, default=None))
