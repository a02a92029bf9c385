from django.apps import AppConfig


class LeaderboardConfig(AppConfig):
    name = "leaderboard"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from leaderboard import checks  # noqa: F401  # Importing registers them.
        from leaderboard.evidence import system_check  # noqa: F401
