"""Boards for programs: JSON and CSV, with ETags, straight from the current snapshot."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api import serializers
from leaderboard.api.csv_rows import CSVRenderer
from leaderboard.api.errors import problem
from leaderboard.api.public import PublicView
from leaderboard.boards import Board, NoSuchBoard, find_boards, find_split, list_boards, load_board
from leaderboard.views.shared import PUBLIC_MAX_AGE_S, etag_of, not_modified
from submissions.api.serializers import ErrorOut

PARAMETERS = [
    OpenApiParameter("benchmark", str, description="Slug; the first benchmark if left out."),
    OpenApiParameter(
        "split", str, description="low, medium, high, all or dev; the benchmark's main one if left out."
    ),
    OpenApiParameter("exact", str, enum=["0", "1"], description="1 leaves entries of stricter tracks out."),
    OpenApiParameter("format", str, enum=["json", "csv"], description="Instead of the Accept header."),
    OpenApiParameter(
        "If-None-Match", str, OpenApiParameter.HEADER, description="An ETag you have: 304 if it holds."
    ),
]


class Ranking(PublicView):
    """One board: a track, of a benchmark, on a split."""

    renderer_classes = [JSONRenderer, CSVRenderer]

    @extend_schema(
        parameters=PARAMETERS,
        responses={
            (200, "application/json"): serializers.RankingOut,
            (200, "text/csv"): str,
            304: OpenApiResponse(description="What you have still holds."),
            404: OpenApiResponse(ErrorOut, description="No such board; the message names those there are."),
        },
    )
    def get(self, request: Request, track: str) -> HttpResponse:
        """The rows in the order of the page, with the very figures it shows. `all` shows every track."""
        found = list_boards()
        etag = etag_of(request.get_full_path(), request.accepted_media_type, found)
        unchanged = not_modified(request._request, etag)
        if unchanged:
            return unchanged
        try:
            boards = find_boards(found, request.GET.get("benchmark", ""))
            split = find_split(boards, request.GET.get("split", ""))
            board = load_board(boards, track, split, request.GET.get("exact") == "1")
        except NoSuchBoard as error:
            item = {"code": "no_such_board", "where": error.where, "message": str(error)}
            return problem(404, str(error), [item])
        return Response(show_board(board), headers=_headers(etag))


def _headers(etag: str) -> dict[str, str]:
    return {"ETag": etag, "Cache-Control": f"public, max-age={PUBLIC_MAX_AGE_S}"}


def show_board(board: Board) -> dict[str, Any]:
    """The board as RankingOut names it."""
    boards = board.boards
    return {
        "benchmark": {"slug": boards.slug, "title": boards.title, "answers_public": boards.answers_public},
        "track": {
            "slug": board.track.slug,
            "title": board.track.title,
            "is_ranked": board.track.is_ranked,
            "is_warned": board.track.is_warned,
        },
        "split": board.split.value,
        "splits": [split.value for split in boards.splits],
        "exact": board.is_exact,
        "snapshot": {
            "built_at": serializers.SnapshotOut(boards).data["built_at"],
            "digest": boards.digest,
            "grader_version": boards.grader_version,
        },
        "count": len(board.rows),
        "rows": board.rows,
    }
