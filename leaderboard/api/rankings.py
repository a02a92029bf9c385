"""Boards for programs: JSON, CSV and Parquet, with ETags, from the current snapshot or as of a moment of the past."""

import base64
import binascii
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api import examples
from leaderboard.api.errors import problem
from leaderboard.api.lists import is_table, known_only, read_limit
from leaderboard.api.out.boards import RankingOut, RowOut, SnapshotRef
from leaderboard.api.public import PublicView
from leaderboard.api.ranking_table import ranking_columns
from leaderboard.api.ranking_words import KNOWN, PARAMETERS
from leaderboard.api.renderers import CSVRenderer, ParquetRenderer
from leaderboard.api.tables import Table, put_table
from leaderboard.asked import Asked, Place, ask
from leaderboard.boards import NoSuchBoard, known_boards
from leaderboard.columns import USUAL, fields_of
from leaderboard.filters import BadView
from submissions.api.serializers import ErrorOut
from submissions.api.shown import print_moment


class Ranking(PublicView):
    """One board: a track, of a benchmark, on a split."""

    renderer_classes = [JSONRenderer, CSVRenderer, ParquetRenderer]
    is_kept = True

    def _may_keep(self, request: HttpRequest) -> bool:
        # The past also depends on what was recorded since, which no snapshot shows.
        return "as_of" not in request.GET

    @extend_schema(
        parameters=PARAMETERS,
        responses={
            (200, "application/json"): RankingOut,
            (200, "text/csv"): str,
            (200, ParquetRenderer.media_type): bytes,
            304: OpenApiResponse(description="What you have still holds."),
            400: OpenApiResponse(ErrorOut, description="Words that make no sense; `errors` names each."),
            404: OpenApiResponse(ErrorOut, description="No such board; the message names those there are."),
            429: OpenApiResponse(ErrorOut, description="Too many requests; wait as Retry-After says."),
        },
        examples=[examples.RANKING],
    )
    def get(self, request: Request, track: str) -> Response:
        """The rows in the order of the page, with the very figures it shows. `all` shows every track."""
        known_only(request, *KNOWN)
        words = request.query_params
        place = Place(words.get("benchmark", ""), track, words.get("split", ""))
        try:
            known = self.known or known_boards()
            asked = ask(known.boards, place, dict(words.lists()), timezone.now())
        except NoSuchBoard as error:
            item = {"code": "no_such_board", "where": error.where, "message": str(error)}
            return problem(404, str(error), [item])
        except BadView as error:
            raise ValidationError({wrong.where: wrong.message for wrong in error.problems}) from error
        return _answer(request, asked)


def _answer(request: Request, asked: Asked) -> Response:
    fields = _fields(request, asked)
    start, limit = (
        read_cursor(request.query_params, asked),
        read_limit(request.query_params, is_table(request)),
    )
    rows = asked.rows[start : start + limit]
    more = start + limit if start + limit < len(asked.rows) else None
    link = _next(request, asked, more)
    shown = [{name: row[name] for name in fields} for row in rows] if fields else rows
    response = Response({**show_board(asked), "next": link, "rows": shown})
    splits = [split.value for split in asked.board.boards.splits]
    about = {
        "snapshot": asked.board.boards.digest,
        "track": asked.board.track.slug,
        "split": asked.board.split.value,
    }
    put_table(response, Table(ranking_columns(splits, fields), rows, about))
    if link:
        response["Link"] = f'<{link}>; rel="next"'
    return response


def _fields(request: Request, asked: Asked) -> list[str]:
    """The fields asked for, or those of the columns asked for; empty means all. Raises ValidationError."""
    words = [word.strip() for word in request.query_params.get("fields", "").split(",") if word.strip()]
    known = _known_fields()
    unknown = [word for word in words if word not in known]
    if unknown:
        raise ValidationError({"fields": f"fields: {unknown[0][:80]!r} is none of {', '.join(known)}."})
    if words:
        return list(dict.fromkeys(words))
    return fields_of(asked.view.columns) if asked.view.columns != USUAL else []


@cache
def _known_fields() -> tuple[str, ...]:
    """Once, since making a serializer takes longer than making a row."""
    return tuple(RowOut().fields)


def read_cursor(query: Mapping[str, str], asked: Asked) -> int:
    """The row to begin at. Raises ValidationError for a cursor of another board, or of before the board changed."""
    text = query.get("cursor", "")
    if not text:
        return 0
    try:
        start, state = base64.urlsafe_b64decode(text.encode("ascii")).decode("ascii").split(".")
        number = int(start)
    except (ValueError, binascii.Error):
        raise ValidationError({"cursor": "cursor: not one of ours. Begin without one."}) from None
    if state != _state(asked) or not 0 <= number <= 10**9:
        raise ValidationError({"cursor": "cursor: the board has changed since. Begin again without one."})
    return number


def write_cursor(start: int, asked: Asked) -> str:
    return base64.urlsafe_b64encode(f"{start}.{_state(asked)}".encode()).decode()


def _state(asked: Asked) -> str:
    """What rows are counted through: those of one snapshot, track and split.

    A past board is the same unless the present changes.
    """
    board = asked.board
    return f"{board.boards.digest[:16]}-{board.track.slug}-{board.split.value}"


def _next(request: Request, asked: Asked, start: int | None) -> str | None:
    if start is None:
        return None
    words = request.query_params.copy()
    words["cursor"] = write_cursor(start, asked)
    address = reverse("api:rankings", args=[asked.board.track.slug])
    return f"{address}?{words.urlencode()}"


def show_board(asked: Asked) -> dict[str, Any]:
    """What RankingOut says above the rows."""
    board, boards = asked.board, asked.board.boards
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
        "as_of": _past(asked),
        "view": _view(asked),
        "snapshot": {
            "id": boards.snapshot,
            "built_at": SnapshotRef(boards).data["built_at"],
            "digest": boards.digest,
            "grader_version": boards.grader_version,
        },
        "count": len(asked.rows),
        "total": len(board.rows),
    }


def _view(asked: Asked) -> dict[str, Any]:
    view = asked.view
    return {
        "conditions": [condition.text for condition in view.conditions],
        "mask": view.mask,
        "category": view.category or None,
        "sort": f"-{view.sort}" if view.falling else view.sort,
        "has_statistics": asked.has_statistics,
    }


def _past(asked: Asked) -> dict[str, Any] | None:
    if asked.as_of is None or asked.later is None:
        return None
    return {
        "at": print_moment(asked.as_of),
        "recorded_later": asked.later.recorded,
        "last_recorded_at": print_moment(asked.later.last_recorded_at),
        "changed_since": asked.later.changed,
    }
