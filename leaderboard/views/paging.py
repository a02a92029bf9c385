"""Lists in pages whose state is their address."""

from collections.abc import Mapping
from typing import Any

from django.core.paginator import Page
from django.urls import reverse
from django.utils.http import urlencode


def list_url(route: str, words: Mapping[str, str], page: int = 1) -> str:
    """The address of the list: without what is empty, and without the number of the first page."""
    said = {name: word for name, word in words.items() if word}
    query = urlencode(said | ({"page": str(page)} if page > 1 else {}))
    return reverse(route) + (f"?{query}" if query else "")


def page_context(page: Page[Any], route: str, words: Mapping[str, str]) -> dict[str, Any]:
    """What `_parts/pagination.html` is told, beside the page itself."""
    return {
        "page": page,
        "position": f"{page.start_index()}–{page.end_index()} of {page.paginator.count}",
        "previous_url": list_url(route, words, page.previous_page_number()) if page.has_previous() else "",
        "next_url": list_url(route, words, page.next_page_number()) if page.has_next() else "",
    }
