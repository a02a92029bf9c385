"""The answer to `/readyz`. Asked at most every two seconds, however many ask."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from leaderboard.health.probes import ALSO, NEEDED, ask

KEPT_FOR = timedelta(seconds=2)


@dataclass(frozen=True)
class Readiness:
    """By part why it is not well. `troubles` keep the site from answering, `warnings` keep work waiting."""

    at: datetime
    troubles: dict[str, str] = field(default_factory=dict)
    warnings: dict[str, str] = field(default_factory=dict)

    @property
    def is_ready(self) -> bool:
        return not self.troubles

    def document(self) -> dict[str, object]:
        return {
            "ready": self.is_ready,
            "parts": dict.fromkeys((*NEEDED, *ALSO), "ok") | self.troubles | self.warnings,
        }


class Kept:
    """The last answer of this process. While one thread asks anew, others get the old one."""

    def __init__(self, find: Callable[[datetime], Readiness]) -> None:
        self._find, self._lock = find, threading.Lock()
        self._last: Readiness | None = None

    def read(self, now: datetime) -> Readiness:
        last = self._last
        if last is not None and timedelta(0) <= now - last.at < KEPT_FOR:
            return last
        if last is not None and self._lock.locked():
            return last
        with self._lock:
            self._last = found = self._find(now)
            return found

    def forget(self) -> None:
        self._last = None


def find_readiness(now: datetime) -> Readiness:
    """Asks every part. Without a database nothing that stands in it is asked."""
    troubles: dict[str, str] = {}
    for name, probe in NEEDED.items():
        if name == "migrations" and "database" in troubles:
            troubles[name] = "not known without the database"
        elif trouble := ask(name, probe, now):
            troubles[name] = trouble
    if troubles:
        return Readiness(now, troubles, dict.fromkeys(ALSO, "not asked meanwhile"))
    warnings = {name: said for name, probe in ALSO.items() if (said := ask(name, probe, now))}
    return Readiness(now, troubles, warnings)


kept = Kept(find_readiness)
