"""An entry's badge as an image."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from grading.splits import Split
from leaderboard.badge import Standing, draw_badge
from leaderboard.boards import find_boards, known_boards, rows_of
from leaderboard.public import public_entries
from leaderboard.views.shared import etag_of, not_modified, publicly

MAX_AGE_S = 300


@require_safe
def badge(request: HttpRequest, slug: str) -> HttpResponse:
    """Track, rank and percent on the entry's own scope. Images elsewhere may be some minutes old."""
    found = get_object_or_404(public_entries(), slug=slug)
    standing = standing_of(found)
    etag = etag_of("badge", standing)
    answer = not_modified(request, etag) or publicly(
        HttpResponse(draw_badge(standing), content_type="image/svg+xml; charset=utf-8"), etag
    )
    answer.headers.pop("Cache-Control", None)
    answer["Cross-Origin-Resource-Policy"] = "cross-origin"  # It is there to stand on other sites.
    patch_cache_control(answer, public=True, max_age=MAX_AGE_S)
    return answer


def standing_of(entry: Any) -> Standing:
    """Where the entry stands on the board of its own track, by the current snapshot."""
    boards = find_boards(known_boards().boards, entry.benchmark.slug)
    everything = rows_of(boards, "all", Split(entry.scope))
    track = next((row["track"] for row in everything if row["entry"] == entry.pk), None)
    if track is None:
        return Standing("")
    title = next(each for each in boards.tracks if each.slug == track)
    row = next(row for row in rows_of(boards, track, Split(entry.scope)) if row["entry"] == entry.pk)
    percent = row["result"]["any_medal_mean"] if row["result"] else None
    return Standing(title.title, row["rank"], percent, title.is_warned)
