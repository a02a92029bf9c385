"""Snapshots: the list of all, and of each a page that can be cited, with its rows while they are kept."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from grading.models import Benchmark
from grading.splits import Split
from leaderboard.boards import ALL, find_boards, list_boards
from leaderboard.snapshots import known_snapshots, rows_kept
from leaderboard.views.paging import LongPaginator, choose_benchmark, page_context
from leaderboard.views.shared import etag_of, not_modified, public_page

PER_PAGE = 50


@require_safe
def snapshots(request: HttpRequest) -> HttpResponse:
    """All of them, newest first, or those of one benchmark."""
    benchmarks, wanted = list(Benchmark.objects.all()), request.GET.get("benchmark", "")
    found = known_snapshots().filter(benchmark__slug=wanted) if wanted else known_snapshots()
    words = {"benchmark": wanted}
    choices = choose_benchmark("snapshots", benchmarks, wanted)
    page = LongPaginator(found, PER_PAGE, "snapshots", words).get_page(request.GET.get("page"))
    context = {**page_context(page, "snapshots", words), "choices": choices}
    return public_page(request, "leaderboard/snapshots.html", context)


@require_safe
def snapshot(request: HttpRequest, number: int) -> HttpResponse:
    """The rows as they were, by `track` and `split`; of an old one what is still known."""
    found = get_object_or_404(known_snapshots(), pk=number)
    boards = find_boards(list_boards(), found.benchmark.slug)
    track = request.GET.get("track") or ALL
    split = request.GET.get("split") or boards.main_split.value
    if track not in [each.slug for each in boards.tracks] or split not in list(boards.competitions):
        raise Http404
    etag = etag_of(request.get_full_path(), found.has_rows, found.is_current, boards)
    unchanged = not_modified(request, etag)
    return unchanged or public_page(
        request, "leaderboard/snapshot.html", _context(found, boards, track, Split(split)), etag
    )


def _context(found: Any, boards: Any, track: str, split: Split) -> dict[str, Any]:
    return {
        "snapshot": found,
        "rows": rows_kept(found, track, split),
        "split": split,
        "track": next(each for each in boards.tracks if each.slug == track),
        "tracks": [
            {
                "text": each.title,
                "url": f"?track={each.slug}&split={split.value}",
                "current": each.slug == track,
            }
            for each in boards.tracks
        ],
        "splits": [
            {"text": each.label, "url": f"?track={track}&split={each.value}", "current": each == split}
            for each in boards.splits
        ],
    }
