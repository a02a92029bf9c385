"""Workers that are asked to end, and a deploy: migrations while gradings run, then every process anew."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from django.conf import settings
from django.db import connection

from grading.models import Grading
from tests.faults.promises import RUNS
from tests.faults.site import FaultSite, wait_for
from tests.faults.trial import GRACE_S, Trials, act_at

ROOT = Path(__file__).parents[2]
LATER = "tests.faults.later.settings"
# Beside MLEB_STOP_WITHIN_S, for a worker to give back what it does and end.
ENDS_WITHIN_S = 60.0
STOPPED_AT = ("sandbox_entered", "bundle_read", "evidence_read")


def asked_to_end(trials: Trials) -> None:
    """SIGTERM while a worker works: what it does is given back before it ends, and counts as no attempt."""
    ended: list[float] = []
    act_at(
        trials,
        "SIGTERM while it works",
        lambda process: ended.append(_end(trials.site, process)),
        STOPPED_AT,
    )
    limit = settings.STOP_WITHIN.total_seconds() + ENDS_WITHIN_S
    trials.tell(f"ended {', '.join(f'{seconds:.1f}' for seconds in ended)} s after SIGTERM")
    if len(ended) != len(STOPPED_AT) or max(ended) > limit:
        raise AssertionError(f"{len(ended)} workers ended, not all within {limit:.0f} s")
    newest = Grading.objects.filter(runs__submission__status="published").order_by("-pk")[: 2 * RUNS]
    if max(grading.attempts for grading in newest) != 1:
        raise AssertionError("what was given back counts as an attempt")


def _end(site: FaultSite, name: str) -> float:
    """Asks the process to end; how many seconds that took."""
    child = next(child for child in site.supervisor.children if child.name == name)
    process, began = child.process, time.monotonic()
    assert process, "it is held, so it lives"
    site.signal(name, signal.SIGTERM)
    wait_for(lambda: process.poll() is not None or child.process is not process, GRACE_S)
    return time.monotonic() - began


def deploy(trials: Trials) -> None:
    """New code adds a column to the table of gradings while the old one grades; then every process starts anew."""
    site = trials.site
    site.arm("sandbox_entered", "hold")

    def migrate_and_restart() -> None:
        wait_for(lambda: "sandbox_entered" in site.held(), GRACE_S)
        environment = {**os.environ, "DJANGO_SETTINGS_MODULE": LATER}
        command = [sys.executable, "manage.py", "migrate", "later", "--no-input"]
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
        site.let_go("sandbox_entered")
        for child in site.supervisor.children:
            site.signal(child.name, signal.SIGTERM)

    trials.run(
        "migration while gradings run, then every process anew", ["sandbox_entered"], migrate_and_restart
    )
    site.clear()
    with connection.cursor() as cursor:
        columns = {
            column.name
            for column in connection.introspection.get_table_description(cursor, Grading._meta.db_table)
        }
    if "later" not in columns:
        raise AssertionError("the column was not added")
