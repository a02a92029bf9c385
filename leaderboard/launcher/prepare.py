"""What must be there before a one-machine site starts. Every step may be repeated."""

from collections.abc import Callable
from io import StringIO

from django.core.management import call_command

STEPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("settings", ("check",)),
    ("database", ("migrate", "--no-input")),
    ("static files", ("collectstatic", "--no-input")),
    ("catalogue of competitions", ("load_catalogue",)),
    ("historical board", ("import_history",)),
)


def prepare(tell: Callable[[str], None]) -> None:
    """Runs every step, naming it first."""
    for title, command in STEPS:
        tell(title)
        call_command(*command, verbosity=0, stdout=StringIO())
