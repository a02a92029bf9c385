"""Filters and tags of the design system: figures, times, bar positions, the words of marks and badges.

Every filter answers with text, so that no locale setting regroups digits or swaps the decimal point.
A missing value (None, NaN, infinity) is never printed as a number: 0 is 0, missing is missing.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from django import template
from django.template.base import NodeList, Parser, Token
from django.template.context import Context
from django.utils.html import format_html

register = template.Library()

LIFE = {
    "uploading": "Uploading",
    "received": "Received",
    "checking": "Checking",
    "awaiting_team": "Your confirmation",
    "queued": "Queued",
    "grading": "Grading",
    "graded": "Graded",
    "in_review": "In review",
    "published": "Published",
}
EXITS = {
    "abandoned": "Abandoned",
    "rejected": "Rejected",
    "grading_failed": "Grading failed",
    "withdrawn": "Withdrawn",
}
# The last stage an exit is sure to have reached, for callers that do not know the real one.
LEFT_AT = {
    "abandoned": "uploading",
    "rejected": "checking",
    "grading_failed": "grading",
    "withdrawn": "received",
}
MARKS = {
    "gold": "gold",
    "silver": "silver",
    "bronze": "bronze",
    "above_median": "above median",
    "none": "no medal",
    "invalid": "invalid",
    "missing": "missing",
    "timed_out": "timed out",
    "out_of_memory": "out of memory",
    "grader_error": "our error",
    "pending": "pending",
}
BADGES = {
    "graded-here": "graded here",
    "self-graded": "self-graded, unverified",
    "answers-public": "answers public",
    "clean": "Clean",
    "warned": "warned",
    "undisclosed": "undisclosed",
}


# A stage that the team has to do something in, and the exits by which it leaves it undone.
TO_BE_DONE = frozenset({"uploading", "awaiting_team"})
BY_TEAM = frozenset({"withdrawn", "abandoned"})


@dataclass(frozen=True)
class Step:
    """One stage of a submission's life as the step indicator shows it; state is a CSS class or empty."""

    label: str
    state: str


@register.filter
def fixed(value: float | None, digits: int = 2) -> str:
    """The number with so many decimals, "—" when missing. Never "-0.00"."""
    return f"{float(value):z.{digits}f}" if value is not None and math.isfinite(value) else "—"


@register.filter
def percent(value: float | None, missing: str = "—") -> str:
    """A percentage (0-100) with two decimals and its sign, or the text given for a missing one."""
    figure = fixed(value)
    # A narrow no-break space keeps the sign on the figure's line.
    return missing if figure == "—" else f"{figure}\u202f%"


@register.filter
def bar_width(value: float | None) -> str:
    """Where a percentage stands on a bar 100 units long: clamped to 0-100, "0" when missing."""
    if value is None or not math.isfinite(value):
        return "0"
    return f"{min(max(float(value), 0.0), 100.0):.2f}"


@register.filter
def whisker_low(mean: float, sem: float | None) -> str:
    """The lower end of a whisker of one SEM, in units of the bar."""
    return bar_width(mean - (sem or 0.0))


@register.filter
def whisker_high(mean: float, sem: float | None) -> str:
    """The upper end of a whisker of one SEM, in units of the bar."""
    return bar_width(mean + (sem or 0.0))


@register.filter
def isoz(moment: datetime | date | None) -> str:
    """ISO 8601: a time as UTC with Z and whole seconds, a date as it is, "" for None.

    Raises ValueError for a time without a zone, since guessing one would print a wrong instant.
    """
    if not isinstance(moment, datetime):
        return moment.isoformat() if moment else ""
    return f"{_utc(moment):%Y-%m-%dT%H:%M:%S}Z"


@register.simple_tag
def when(moment: datetime | date | None) -> str:
    """A <time> element people can read: "2026-03-23 14:05 UTC", or a bare date; "" for nothing."""
    if not moment:
        return ""
    text = f"{_utc(moment):%Y-%m-%d %H:%M} UTC" if isinstance(moment, datetime) else moment.isoformat()
    return format_html('<time datetime="{}">{}</time>', isoz(moment), text)


def _utc(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError("A time without a zone cannot be shown; pass an aware datetime.")
    return moment.astimezone(UTC)


@register.filter
def mark_word(mark: str) -> str:
    """The word of a medal or outcome, the key itself if it has none."""
    return MARKS.get(mark, mark)


@register.filter
def badge_text(kind: str) -> str:
    """The words of a badge, the kind itself if it has none."""
    return BADGES.get(kind, kind)


@register.simple_tag
def life_steps(status: str, left_at: str = "") -> list[Step]:
    """The stages of a submission with the given status: is-done, is-current, is-stopped or "" (to come).

    After an exit (rejected, withdrawn, …) the line ends there; `left_at` is the stage it left from.
    """
    names = list(LIFE)
    if status in EXITS:
        last = left_at or LEFT_AT[status]
        done = names.index(last) + (0 if status in BY_TEAM and last in TO_BE_DONE else 1)
        return [
            *(Step(LIFE[name], "is-done") for name in names[:done]),
            Step(EXITS[status], "is-stopped"),
        ]
    reached = names.index(status)
    # A published submission has arrived: nothing is under way any more.
    current = "is-done" if status == "published" else "is-current"
    return [
        Step(LIFE[name], "is-done" if at < reached else current if at == reached else "")
        for at, name in enumerate(names)
    ]


class SpecimenNode(template.Node):
    """Renders nothing; puts its JSON into the context under a name."""

    def __init__(self, name: str, value: Mapping[str, Any] | list[Any]) -> None:
        self.name, self.value = name, value

    def render(self, context: Context) -> str:
        """Sets the variable for the rest of the enclosing block."""
        context[self.name] = self.value
        return ""


@register.tag
def specimen(parser: Parser, token: Token) -> SpecimenNode:
    """{% specimen name %}JSON{% endspecimen %}: example data beside the component the style guide shows."""
    nodes: NodeList = parser.parse(("endspecimen",))
    parser.delete_first_token()
    return SpecimenNode(
        token.split_contents()[1], json.loads(nodes.render(Context()), object_hook=_with_times)
    )


def _with_times(example: dict[str, Any]) -> dict[str, Any]:
    """The example with its "at" as a time, which JSON cannot say."""
    return example | {"at": datetime.fromisoformat(example["at"])} if "at" in example else example
