"""Every process under its own role and with its own keys: whether anything was refused that it needs."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

from celery import current_app
from django.conf import settings

from tests.faults.outcome import Outcome
from tests.faults.site import wait_for
from tests.faults.tour import tour
from tests.faults.trial import Trials

# Of the database, of the site about its store, and of the store's client.
REFUSALS = re.compile(r"permission denied|refuses this process|was given no credentials|AccessDenied")
STATEMENT = "STATEMENT:"


def rights(trials: Trials) -> None:
    """The clock's every ring and the site's pages, after all else; then every log is searched for refusals."""
    began = time.monotonic()
    ring_everything()
    faulty = tour(trials.site.url, trials.site.cast, list(trials.watcher.expected.values())[-1])
    wait_for(lambda: False, 10)
    found = [*faulty, *refusals(trials)]
    for words in found:
        trials.tell(words)
    trials.outcomes.append(
        Outcome(
            trials.name, "(rights)", "each process under its own role and keys", time.monotonic() - began,
            "", 0, 0, "; ".join(found[:5]),
        )
    )  # fmt: skip


def ring_everything() -> None:
    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        current_app.send_task(entry["task"], queue=entry["options"]["queue"])


def refusals(trials: Trials) -> list[str]:
    """Each once, by the log and its line; of the database also what was asked."""
    logs = [child.log for child in trials.site.supervisor.children]
    database = trials.services.database
    logs += [database.folder / "log"] if database else []
    return list(dict.fromkeys(words for log in logs for words in _refusals_in(log)))


def _refusals_in(log: Path) -> Iterator[str]:
    lines = log.read_text(errors="replace").splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if found := REFUSALS.search(line):
            asked = following.partition(STATEMENT)[2].strip()[:120]
            yield f"{log.name}: {line[found.start() :][:160]} {asked}".strip()
