"""A maintainers' own file of patterns is read when the site starts, so that a fault in it is seen then."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from grading.strict import CatalogueError
from leaderboard.evidence.patterns import load_patterns


@register(Tags.security)
def check_patterns(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    path = settings.EVIDENCE_PATTERNS
    if path is None:
        return []
    try:
        load_patterns(path)
    except (CatalogueError, OSError) as error:
        return [
            Error(
                f"The patterns of MLEB_EVIDENCE_PATTERNS={path} cannot be used.\n{error}",
                hint="Mend the file as docs/evidence.md describes it, or leave the variable out.",
                id="leaderboard.E007",
            )
        ]
    return []
