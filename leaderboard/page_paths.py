"""Paths of pages, kept: a board or a list asks for the same ones on every row."""

from functools import lru_cache
from typing import Any

from django.urls import reverse


@lru_cache(maxsize=2**14)
def page_path(route: str, *words: Any) -> str:
    """As `reverse` has it."""
    return reverse(route, args=words)
