"""The charts of a board, and what buys score."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from leaderboard.boards import (
    ALL,
    Board,
    Boards,
    NoSuchBoard,
    find_boards,
    find_split,
    known_boards,
    load_board,
    rows_of,
)
from leaderboard.chart_data import (
    competitions_of,
    own_tracks,
    prompts_of,
    published_results,
    winners_of,
)
from leaderboard.charts.chart import Chart
from leaderboard.charts.insights import study_effects
from leaderboard.charts.medals import medal_grid
from leaderboard.charts.over_time import best_over_time
from leaderboard.charts.scaffolds import scaffold_grid
from leaderboard.charts.time_scaling import medals_by_hours
from leaderboard.charts.trade_off import COST, GPU_HOURS, HOURS, trade_off
from leaderboard.kept import Shelf
from leaderboard.time_scaling import courses_on
from leaderboard.views.shared import etag_of, not_modified, public_page, publicly

# Bodies of pages. Their keys name a state of the boards, so none is ever stale.
_pages: Shelf[bytes] = Shelf(8 * 2**20, len)


@require_safe
def charts(request: HttpRequest, benchmark: str = "") -> HttpResponse:
    """The charts of a benchmark's board; `track` and `split` in the query say which."""
    known = known_boards()
    board, today = _find(request, known.boards, benchmark), timezone.now().date().isoformat()
    key = ("charts", board.boards.slug, board.track.slug, board.split, known.state, today)
    return _page(request, key, "leaderboard/charts.html", lambda: _context(board, known.boards, today))


def _page(
    request: HttpRequest, key: tuple[str, ...], template: str, make: Callable[[], dict[str, Any]]
) -> HttpResponse:
    """The page of that key: 304 for who has it, else as it was drawn before, else drawn now."""
    etag = etag_of(*key)
    if unchanged := not_modified(request, etag):
        return unchanged
    if kept := _pages.get(key):
        return publicly(HttpResponse(kept), etag)
    answer = public_page(request, template, make(), etag)
    _pages.put(key, answer.content)
    return answer


def _find(request: HttpRequest, found: list[Boards], benchmark: str) -> Board:
    try:
        boards = find_boards(found, benchmark)
        split = find_split(boards, request.GET.get("split", ""))
        return load_board(boards, request.GET.get("track", ALL), split)
    except NoSuchBoard as error:
        raise Http404(str(error)) from error


def _context(board: Board, found: list[Boards], today: str) -> dict[str, Any]:
    boards, split = board.boards, board.split
    return {
        "board": board,
        "charts": _draw(board, today),
        "benchmarks": [
            {"text": each.title, "url": charts_url(each.slug), "current": each.slug == boards.slug}
            for each in found
        ],
        "tracks": [
            {
                "text": track.title,
                "url": charts_url(boards.slug, track.slug, split),
                "count": track.count,
                "current": track.slug == board.track.slug,
            }
            for track in board.tracks
        ],
        "splits": [
            {
                "text": each.label,
                "url": charts_url(boards.slug, board.track.slug, each),
                "count": count,
                "current": each == split,
            }
            for each, count in boards.competitions.items()
        ],
    }


def _draw(board: Board, today: str) -> list[Chart]:
    """Four queries beside those for the rows."""
    winners, left_out = winners_of(board.rows, board.split)
    competitions = competitions_of(board.boards, board.split)
    return [
        best_over_time(own_tracks(board.boards, board.rows), today),
        trade_off(COST, board.rows),
        trade_off(GPU_HOURS, board.rows),
        trade_off(HOURS, board.rows),
        medal_grid(winners, competitions, left_out),
        scaffold_grid(board.rows),
        medals_by_hours(courses_on(board.rows, competitions)),
    ]


def charts_url(benchmark: str, track: str = "", split: str = "") -> str:
    """The address of the charts of a board."""
    query = urlencode({name: word for name, word in (("track", track), ("split", split)) if word})
    return reverse("charts-of", args=[benchmark]) + (f"?{query}" if query else "")


@require_safe
def insights(request: HttpRequest) -> HttpResponse:
    """Published effects beside those of the first benchmark's whole board."""
    known = known_boards()
    key = ("insights", known.state)
    return _page(request, key, "leaderboard/insights.html", lambda: _effects(known.boards))


def _effects(found: list[Boards]) -> dict[str, Any]:
    if not found:
        return {"effects": study_effects(published_results(), [], {}), "boards": None}
    boards = found[0]
    rows = rows_of(boards, ALL, boards.main_split)
    return {
        "effects": study_effects(published_results(), rows, prompts_of(boards)),
        "boards": boards,
        "split": boards.main_split,
    }
