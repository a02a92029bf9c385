"""Is an llm's id exact, or does it float: could it name other weights tomorrow?"""

import re
from collections.abc import Mapping
from typing import Any

_FLOATING_WORDS = {
    "latest",
    "newest",
    "current",
    "default",
    "auto",
    "stable",
    "main",
    "master",
    "head",
    "any",
}
# A date (20250807, 2025-08-07, 05-06), a month-day or year-month code (0528, 2411), a numbered release (002).
_DATED = re.compile(
    r"(?<!\d)(20\d{6}|20\d\d-\d\d(-\d\d)?|[01]\d-[0-3]\d|[01]\d[0-3]\d|2[3-9][01]\d|00\d)(?!\d)"
)


def why_floating(llm: Mapping[str, Any]) -> str:
    """Why the row's id is not exact, as the end of a sentence; empty if it is exact."""
    name, snapshot = str(llm.get("id", "")), str(llm.get("snapshot", ""))
    if _FLOATING_WORDS & _words(name):
        return "names whatever is newest"
    if _FLOATING_WORDS & _words(snapshot):
        return "has a snapshot that moves"
    if " " in name:
        return "is a display name, not the id sent to the API"
    if not re.search(r"\d", name):
        return "is the name of a family"
    if not (snapshot or llm.get("date") or _DATED.search(name)):
        return "names no snapshot or date"
    return ""


def _words(text: str) -> set[str]:
    return set(re.split(r"[^a-z0-9]+", text.lower()))
