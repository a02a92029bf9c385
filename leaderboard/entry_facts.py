"""What an entry says of itself: who ran it, with what, and what it cost."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse

from leaderboard.models import Entry

ARCHIVE_DIGITS, SHOWN_DIGITS = 64, 12
# Nobody is asked when the runs were made.
DAY: Mapping[str, str] = {Entry.Source.GRADED: "Handed in on", Entry.Source.IMPORTED: "Date in its table"}
CODE = {True: "available", False: "not available", None: None}


def facts_of(found: Entry) -> list[dict[str, Any]]:
    """What the board says of the entry, a little longer. None prints as undisclosed."""
    return [
        {
            "term": "Organisation",
            "value": found.agent.organisation.name,
            "url": reverse("organisation", args=[found.agent.organisation.slug]),
        },
        {
            "term": "Version",
            "value": found.version or None,
            "note": name_source(found.commit),
        },
        {"term": "LLMs", "value": ", ".join(found.llms) or ("none" if found.no_llm else None)},
        {"term": "Hours allowed", "value": _number(found.hours)},
        {"term": "GPU", "value": _gpu(found)},
        {"term": "vCPUs", "value": _number(found.vcpus)},
        {"term": "RAM", "value": f"{found.ram_gb:g} GB" if found.ram_gb is not None else None},
        {"term": "Cost", "value": f"{found.cost_usd:,.2f} USD" if found.cost_usd is not None else None},
        {"term": "Code", "value": CODE[found.source_available]},
        *([{"term": "Link", "value": found.url, "url": found.url}] if found.url else []),
        {"term": DAY[found.source], "value": found.run_on.isoformat()},
        {"term": "Scope", "value": found.get_scope_display()},
    ]


def name_source(commit: str) -> str:
    """A commit, or the digest of an archive, which is longer than any commit; its beginning tells it apart."""
    if not commit:
        return ""
    kind = "archive SHA-256" if len(commit) == ARCHIVE_DIGITS else "commit"
    return f"{kind} {commit[:SHOWN_DIGITS]}"


def _number(value: float | None) -> str | None:
    return None if value is None else f"{value:g}"


def _gpu(found: Entry) -> str | None:
    if found.gpus is None:
        return found.gpu_model or None
    return f"{found.gpus:g} × {found.gpu_model or 'GPU'}" if found.gpus else "none"
