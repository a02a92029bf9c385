"""Lists in pages whose state is their address."""

import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.core.paginator import Page, Paginator
from django.urls import reverse
from django.utils.http import urlencode

from leaderboard.kept import Shelf

# Generic to the type checker alone.
if TYPE_CHECKING:
    Base = Paginator[Any]
else:
    Base = Paginator

# To count a list this long takes longer than to show a page of it, and nobody needs it to the line.
LONG, KEPT_S, LISTS = 1_000, 60.0, 200
_lengths: Shelf[tuple[int, float]] = Shelf(LISTS, lambda _: 1)


class LongPaginator(Base):
    """Counts a long list once a minute, a short one each time. `name` and `words` tell lists apart."""

    def __init__(self, found: Any, per_page: int, name: str, words: Mapping[str, str] | None = None) -> None:
        super().__init__(found, per_page)
        self.found = found
        self.key = (name, *sorted((words or {}).items()))

    @cached_property
    def count(self) -> int:
        now = time.monotonic()
        length, until = _lengths.get(self.key) or (0, now)
        if now >= until:
            length = int(self.found.count())
            if length > LONG:
                _lengths.put(self.key, (length, now + KEPT_S))
        return length


def list_url(route: str, words: Mapping[str, str], page: int = 1, args: Sequence[str] = ()) -> str:
    """The address of the list: without what is empty, and without the number of the first page."""
    said = {name: word for name, word in words.items() if word}
    query = urlencode(said | ({"page": str(page)} if page > 1 else {}))
    return reverse(route, args=args) + (f"?{query}" if query else "")


def page_context(
    page: Page[Any], route: str, words: Mapping[str, str], args: Sequence[str] = ()
) -> dict[str, Any]:
    """What `_parts/pagination.html` is told, beside the page itself. `args`: of the route."""

    def url(number: int) -> str:
        return list_url(route, words, number, args)

    return {
        "page": page,
        "position": f"{page.start_index()}–{page.end_index()} of {page.paginator.count}",
        "previous_url": url(page.previous_page_number()) if page.has_previous() else "",
        "next_url": url(page.next_page_number()) if page.has_next() else "",
    }
