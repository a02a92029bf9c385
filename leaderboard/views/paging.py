"""Lists in pages whose state is their address."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from django.core.paginator import Page
from django.http import Http404
from django.urls import reverse
from django.utils.http import urlencode

from grading.models import Benchmark
from leaderboard.lengths import length_of
from submissions.paging import KeyedPaginator


class LongPaginator(KeyedPaginator):
    """Counts a long list once a minute, a short one each time. `name` and `words` tell lists apart."""

    def __init__(self, found: Any, per_page: int, name: str, words: Mapping[str, str] | None = None) -> None:
        super().__init__(found, per_page)
        self.found = found
        self.key = (name, *sorted((words or {}).items()))

    @cached_property
    def count(self) -> int:
        return length_of(self.key, lambda: int(self.found.count()))


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


def choose_benchmark(route: str, benchmarks: list[Benchmark], wanted: str) -> list[dict[str, object]]:
    """What leads from a list to that of one benchmark and back. Raises Http404 where there is none so named."""
    if wanted and wanted not in {benchmark.slug for benchmark in benchmarks}:
        raise Http404
    every = [("", "All benchmarks"), *((benchmark.slug, benchmark.title) for benchmark in benchmarks)]
    return [
        {"text": title, "url": list_url(route, {"benchmark": slug}), "current": slug == wanted}
        for slug, title in every
    ]
