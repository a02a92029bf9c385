"""The Celery application. The three `tasks.py` files are the whole pipeline.

A worker that sees the vault knows grading's tasks alone: whoever can write to the broker chooses which task runs, and
reading bundles beside the answers would be the end of the secret. `MLEB_ROLE=grading` says so.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")

GRADING_ALONE = ("grading",)


def task_packages(role: str) -> tuple[str, ...] | None:
    """Whose tasks a process of this role runs; None for every app's."""
    return GRADING_ALONE if role == "grading" else None


app = Celery("leaderboard")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(task_packages(os.environ.get("MLEB_ROLE", "")))
