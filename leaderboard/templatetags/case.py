"""What the docket and its cases need in templates: clocks, evidence as lines, and links to other cases."""

import json
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from leaderboard.docket_items import Item
from leaderboard.models import Question

register = template.Library()
# As findings name other submissions.
SUBMISSION = re.compile(r"submission ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
LONGEST_LIST = 12
CLOCKS = {"public": "until it is public", "due": "until it is due", "usual": "until the usual time is over"}
OF_HOUR = timedelta(hours=1)


def _spell(span: timedelta) -> str:
    """A length of time in its largest whole unit."""
    hours = int(span / OF_HOUR)
    if hours == 0:
        return "less than an hour"
    if hours >= 48:
        return f"{hours // 24} days"
    return f"{hours} hours" if hours != 1 else "1 hour"


@register.filter
def clock(item: Item, now: datetime) -> str:
    """How long the clock of an item still runs, or since when it is over."""
    if item.due is None:
        return ""
    return f"{_spell(now - item.due)} over" if item.due <= now else f"{_spell(item.due - now)} left"


@register.filter
def clock_words(item: Item) -> str:
    """What happens when the clock runs out."""
    return CLOCKS.get(item.clock, "")


@register.filter
def is_late(thing: Item | Question, now: datetime) -> bool:
    """Whether its clock has run out."""
    if isinstance(thing, Question):
        return thing.is_late(now)
    return thing.due is not None and thing.due <= now


@register.filter
def was_passed_over(question: Question) -> bool:
    """Whether the entry was published after this was asked and before it was answered."""
    return not question.is_answered and question.decision_id < question.entry.last_published_by


@register.filter
def waited(since: datetime, now: datetime) -> str:
    return _spell(max(now - since, timedelta()))


@register.filter
def evidence_lines(evidence: Mapping[str, Any]) -> list[tuple[str, SafeString]]:
    """Evidence as names and texts; what is empty is left out."""
    filled = ((name, value) for name, value in evidence.items() if value not in (None, "", [], {}))
    return [(name.replace("_", " "), linked(_text_of(value))) for name, value in filled]


def _text_of(value: Any) -> str:
    """A value of plain JSON as a person reads it; of a long list only the beginning."""
    if isinstance(value, list):
        more = f" and {len(value) - LONGEST_LIST} more" if len(value) > LONGEST_LIST else ""
        return ", ".join(map(_text_of, value[:LONGEST_LIST])) + more
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {_text_of(inner)}" for name, inner in value.items())
    return value if isinstance(value, str) else json.dumps(value)


@register.filter
def linked(text: str) -> SafeString:
    """The text, escaped, with links to the cases of the submissions it names."""
    return mark_safe(SUBMISSION.sub(_link, str(conditional_escape(text))))  # noqa: S308  # Escaped just before.


def _link(found: re.Match[str]) -> str:
    return format_html('<a href="{}">{}</a>', reverse("docket-case", args=[found[1]]), found[0])
