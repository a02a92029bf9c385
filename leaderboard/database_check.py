"""A check of the database itself: whether it knows the letters that names are searched by."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Tags, Warning, register
from django.db import connections

ASKED = "SELECT upper('ä') = 'Ä'"


@register(Tags.database)
def check_letters(app_configs: Any, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """PostgreSQL made with the locale C takes Ä and ä for two letters; `migrate` asks this too."""
    return [
        Warning(
            "The database knows capitals of ASCII alone: a search for ärzte does not find Ärzte.",
            hint="Make it with LC_CTYPE C.UTF-8, or any other of UTF-8, and load the backup there.",
            id="leaderboard.W004",
        )
        for name in databases or ()
        if connections[name].vendor == "postgresql" and not _knows_letters(name)
    ]


def _knows_letters(database: str) -> bool:
    with connections[database].cursor() as cursor:
        cursor.execute(ASKED)
        (known,) = cursor.fetchone()
    return bool(known)
