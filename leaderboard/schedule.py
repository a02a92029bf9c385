"""Which queue a task goes to, and what the clock rings how often. Data for Celery's settings; no Django."""

from collections.abc import Mapping
from typing import Any, Final

# All others go to housekeeping's.
ROUTES: Final[Mapping[str, Mapping[str, str]]] = {
    "grading.tasks.grade": {"queue": "grading"},
    "submissions.tasks.check": {"queue": "intake"},
    "leaderboard.fingerprints.tasks.read": {"queue": "intake"},
    "submissions.validity.tasks.check": {"queue": "validity"},
    "leaderboard.evidence.tasks.read": {"queue": "evidence"},
    "submissions.tasks.tidy_intake": {"queue": "intake"},
    # A mail server or a receiver that answers slowly holds up no submission.
    "leaderboard.notices.tasks.send_mail": {"queue": "notices"},
    "leaderboard.notices.tasks.send_webhooks": {"queue": "notices"},
}
# Rung as often as lost work is looked for.
SWEEPS: Final[Mapping[str, str]] = {
    "sweep-gradings": "grading.tasks.sweep",
    "sweep-submissions": "submissions.tasks.sweep",
    "sweep-reviews": "leaderboard.tasks.sweep",
    "sign-receipts": "leaderboard.tasks.sign_receipts",
    "sign-chain": "leaderboard.tasks.sign_chain",
    "tell-news": "leaderboard.notices.tasks.tell",
    "send-mail": "leaderboard.notices.tasks.send_mail",
    "send-webhooks": "leaderboard.notices.tasks.send_webhooks",
    "sweep-likeness": "leaderboard.fingerprints.tasks.sweep",
    "sweep-validity": "submissions.validity.tasks.sweep",
    "sweep-evidence": "leaderboard.evidence.tasks.sweep",
}
# Rung so many seconds apart.
DUTIES: Final[Mapping[str, tuple[str, int]]] = {
    "sweep-promises": ("leaderboard.tasks.sweep_promises", 600),
    "tidy-notices": ("leaderboard.notices.tasks.tidy", 3600),
    "likeness-of-published": ("leaderboard.fingerprints.tasks.take_in_published", 600),
    "tidy-uploads": ("submissions.tasks.tidy", 3600),
    "tidy-intake": ("submissions.tasks.tidy_intake", 3600),
    "tidy-failed-tasks": ("leaderboard.tasks.tidy_failed_tasks", 3600),
    "tidy-validity": ("submissions.validity.tasks.tidy", 300),
    "tidy-audit": ("leaderboard.audit.tasks.tidy", 3600),
    "tidy-personal-data": ("leaderboard.personal.tasks.tidy", 3600),
}
# On a queue of its own, which shares a worker with the rings of submissions in turn; and a ring that has waited until
# the next one is dropped. Otherwise, on a machine that is too busy, the clock's would pile up before all others. Not
# sooner than this, or a machine so busy that no ring comes in time would sweep no more.
LATE_S = 30


def beat_schedule(sweep_s: int) -> dict[str, dict[str, Any]]:
    """Celery's, by name. `sweep_s`: seconds between two sweeps."""
    clock = {**{name: (task, sweep_s) for name, task in SWEEPS.items()}, **DUTIES}
    return {name: _ring(task, seconds) for name, (task, seconds) in clock.items()}


def _ring(task: str, seconds: int) -> dict[str, Any]:
    options = {"expires": max(seconds, LATE_S), **ROUTES.get(task, {"queue": "clock"})}
    return {"task": task, "schedule": seconds, "options": options}
