"""Parts that boards share with other pages, as tags: `templates/jinja/parts.jinja` says what each argument is."""

from typing import Any

from django import template

from leaderboard.templatetags.jinja import macro_of

register = template.Library()
PARTS = "parts.jinja"


@register.simple_tag
def rank(rank: int | None, statistics: Any = None) -> str:
    return macro_of(PARTS, "rank")(rank, statistics)


@register.simple_tag
def bar(
    value: float | None,
    sem: float | None = None,
    n: int | None = None,
    interval: Any = None,
    absent: str = "not attempted",
) -> str:
    return macro_of(PARTS, "bar")(value, sem, n, interval, absent)
