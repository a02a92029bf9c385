"""Words for addresses. Pure but for Django's slugify."""

from django.utils.text import slugify

# What slugify would drop although it tells two names apart: "MARS" and "MARS+", "Agent 1.0" and "Agent 10".
SPOKEN = {"+": " plus ", "&": " and ", ".": "-"}


def readable_slug(text: str, length: int, fallback: str) -> str:
    """Lower-case words joined by hyphens, at most so long; the fallback where nothing can be spelled."""
    for sign, word in SPOKEN.items():
        text = text.replace(sign, word)
    return slugify(text)[:length].strip("-") or fallback
