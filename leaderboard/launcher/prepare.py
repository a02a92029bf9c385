"""What must be there before a one-machine site starts. Every step may be repeated."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from leaderboard.receipts.checkpoint import set_aside

STEPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("settings", ("check",)),
    ("database", ("migrate", "--no-input")),
    ("static files", ("collectstatic", "--no-input")),
    ("catalogue of competitions", ("load_catalogue",)),
    ("historical board", ("import_history",)),
)


def prepare(tell: Callable[[str], None]) -> None:
    """Runs every step, naming it first."""
    if _begins_anew():
        set_aside(settings.SIGNING_DIR, timezone.now())
    for title, command in STEPS:
        tell(title)
        call_command(*command, verbosity=0, stdout=StringIO())


def _begins_anew() -> bool:
    """Whether the database is a file that is not there yet: then nothing signed of an earlier one binds it."""
    path = Path(str(connection.settings_dict["NAME"]))
    return connection.vendor == "sqlite" and (not path.exists() or path.stat().st_size == 0)
