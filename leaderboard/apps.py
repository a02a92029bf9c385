import os

from django.apps import AppConfig
from django.conf import settings

from leaderboard.logs import task_lines
from leaderboard.logs.reports import start_reports


class LeaderboardConfig(AppConfig):
    name = "leaderboard"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from leaderboard import checks, database_check  # noqa: F401  # Importing registers them.
        from leaderboard.audit import signals
        from leaderboard.evidence import system_check  # noqa: F401

        signals.connect()
        start_logs()


def start_logs() -> None:
    """Tasks say in every line which they are; errors are reported where an address is set."""
    task_lines.connect()
    process = os.environ.get("MLEB_PROCESS", "")
    start_reports(settings.SENTRY_DSN, process, settings.COMMIT, settings.LOG_SECRETS)
