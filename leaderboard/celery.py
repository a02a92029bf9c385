"""The Celery application. The three `tasks.py` files are the whole pipeline; validity checks and notices
have one each of their own.

A worker that sees the vault knows grading's tasks alone: whoever can write to the broker chooses which task runs, and
reading bundles beside the answers would be the end of the secret. `MLEB_ROLE=grading` says so. The worker that checks
single files (`validity`) knows its own tasks alone as well: it may make namespaces, which the others may not. So does
the one that reads logs and code (`evidence`), the only one that sees them.
"""

import os

from celery import Celery

from grading.fault_points import let_clock_jump
from leaderboard import heartbeat, idle_canary, stopping

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")

GRADING_ALONE = ("grading",)
VALIDITY_ALONE = ("submissions.validity",)
EVIDENCE_ALONE = ("leaderboard.evidence",)


def task_packages(role: str) -> tuple[str, ...] | None:
    """Whose tasks a process of this role runs; None for every app's."""
    alone = {"grading": GRADING_ALONE, "validity": VALIDITY_ALONE, "evidence": EVIDENCE_ALONE}
    return alone.get(role)


app = Celery("leaderboard", task_cls="leaderboard.careful:CarefulTask")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.worker_consumer = "leaderboard.careful:Consumer"
let_clock_jump()
heartbeat.connect()
idle_canary.connect()
stopping.connect()
packages = task_packages(os.environ.get("MLEB_ROLE", ""))
app.autodiscover_tasks(packages)
if packages is None:
    app.autodiscover_tasks(VALIDITY_ALONE)  # No app of its own, so not found by itself.
    app.autodiscover_tasks(EVIDENCE_ALONE)
    app.autodiscover_tasks(("leaderboard.notices",))
    app.autodiscover_tasks(("leaderboard.fingerprints",))
    app.autodiscover_tasks(("leaderboard.audit",))
    app.autodiscover_tasks(("leaderboard.personal",))
