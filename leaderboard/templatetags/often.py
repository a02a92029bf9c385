"""Parts of pages that come again and again in few variants."""

from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from leaderboard.drawn import draw_once

register = template.Library()


@register.simple_tag
def often(part: str, **words: Any) -> SafeString:
    """What `include … only` gives, drawn once for the same words: a board has hundreds of the same few marks."""
    # With the type: text that is marked safe and the same text that is not must not share what was drawn.
    return _draw(part, tuple((name, type(word), word) for name, word in words.items()))


@register.simple_tag
def drawn(part: str, **words: Any) -> SafeString:
    """The same for larger parts, and for words that are objects of plain values (a chart): `leaderboard/drawn.py`."""
    return draw_once(part, tuple(words.items()), lambda: words)


@lru_cache(maxsize=4096)
def _draw(part: str, words: tuple[tuple[str, type, Any], ...]) -> SafeString:
    return render_to_string(f"_parts/{part}.html", {name: word for name, _, word in words})
