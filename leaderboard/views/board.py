"""The board: one track of one benchmark on one split, straight from the current snapshot."""

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from grading.splits import Split
from leaderboard.boards import (
    ALL,
    Board,
    Boards,
    NoSuchBoard,
    find_boards,
    find_split,
    list_boards,
    load_board,
)
from leaderboard.headline import headline
from leaderboard.views.shared import etag_of, not_modified, public_page


@require_safe
def board(request: HttpRequest, benchmark: str = "", track: str = "", split: str = "") -> HttpResponse:
    """The board of the address or, with the API's words, of the query; else the first that has something to show."""
    asked = request.GET
    benchmark = benchmark or asked.get("benchmark", "")
    track, split = track or asked.get("track", ""), split or asked.get("split", "")
    found = list_boards()
    etag = etag_of(request.get_full_path(), found)
    unchanged = not_modified(request, etag)
    if unchanged:
        return unchanged
    try:
        boards = find_boards(found, benchmark)
        shown = load_board(boards, track, find_split(boards, split), request.GET.get("exact") == "1")
    except NoSuchBoard as error:
        raise Http404(str(error)) from error
    return public_page(request, "leaderboard/board.html", _context(found, shown, is_default=not track), etag)


def _context(found: list[Boards], board: Board, is_default: bool) -> dict[str, Any]:
    return {
        "board": board,
        "headline": headline(board),
        "is_default": is_default,
        "benchmarks": _benchmark_choices(found, board),
        "tracks": _track_choices(board),
        "splits": _split_choices(board),
        "part_splits": [split for split in board.boards.splits if split in Split.ALL.members],
        "others": [choice for choice in _track_choices(board) if choice["count"] and not choice["current"]],
        "strictest": board.tracks[0],
        "has_medals": _any_knows(board, "gold_mean"),
        "has_above_median": _any_knows(board, "above_median_mean"),
        "has_scores": any(row["seed_scores"] for row in board.rows),
        "exact_url": board_url(board.boards.slug, board.track.slug, board.split, not board.is_exact),
        "json_url": _api_url(board),
        "csv_url": _api_url(board, format="csv"),
    }


def _any_knows(board: Board, figure: str) -> bool:
    """Whether a column would show anything: imported rows know Any Medal alone."""
    return any(row["result"] and row["result"][figure] is not None for row in board.rows)


def board_url(benchmark: str, track: str, split: str, is_exact: bool = False) -> str:
    """The address of a board."""
    return reverse("board-track", args=[benchmark, track, split]) + ("?exact=1" if is_exact else "")


def _benchmark_choices(found: list[Boards], board: Board) -> list[dict[str, Any]]:
    return [
        {
            "text": boards.title,
            "url": board_url(boards.slug, board.track.slug, boards.main_split),
            "current": boards.slug == board.boards.slug,
        }
        for boards in found
    ]


def _track_choices(board: Board) -> list[dict[str, Any]]:
    return [
        {
            "text": track.title,
            "url": board_url(board.boards.slug, track.slug, board.split),
            "count": track.count,
            "current": track.slug == board.track.slug,
        }
        for track in board.tracks
    ]


def _split_choices(board: Board) -> list[dict[str, Any]]:
    return [
        {
            "text": split.label,
            "url": board_url(board.boards.slug, board.track.slug, split, board.is_exact),
            "count": count,
            "current": split == board.split,
        }
        for split, count in board.boards.competitions.items()
    ]


def _api_url(board: Board, **more: str) -> str:
    """The address of exactly this view for programs."""
    query = {"benchmark": board.boards.slug, "split": board.split.value, **more}
    if board.is_exact:
        query["exact"] = "1"
    track = board.track.slug or ALL
    return f"{reverse('api:rankings', args=[track])}?{urlencode(query)}"
