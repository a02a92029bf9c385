"""Long lists for programs: page after page by cursor, as JSON, CSV or Parquet."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django.db.models import QuerySet
from django.http import HttpRequest
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.pagination import CursorPagination
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.flat import read_lines
from leaderboard.api.public import PublicView
from leaderboard.api.renderers import TABLES, CSVRenderer, ParquetRenderer
from leaderboard.api.tables import Table, TableColumn, put_table
from submissions.paging import rows_of

USUAL, MOST = 100, 1_000
MOST_IN_TABLE = 100_000
LIMIT = OpenApiParameter(
    "limit",
    int,
    description=f"Lines a page: {USUAL} if not given, at most {MOST:,}. CSV and Parquet give up to "
    f"{MOST_IN_TABLE:,} at once.",
)
CURSOR = OpenApiParameter("cursor", str, description="Where to go on: take it from `next`, never make one.")


def format_parameter(*formats: str) -> OpenApiParameter:
    return OpenApiParameter("format", str, enum=formats, description="Instead of the Accept header.")


def read_limit(query: Mapping[str, str], is_table: bool) -> int:
    """How many lines the query asks for at once. Raises ValidationError."""
    usual, most = (MOST_IN_TABLE, MOST_IN_TABLE) if is_table else (USUAL, MOST)
    text = query.get("limit", "") or str(usual)
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 0 < int(text) <= most):
        raise ValidationError({"limit": f"limit: a whole number from 1 to {most:,}."})
    return int(text)


def is_table(request: Request) -> bool:
    return request.accepted_renderer.format in TABLES


NOT_OURS = "cursor: not one of ours. Begin without one."


class Cursor(CursorPagination):
    """As the framework has it, with links that do not depend on the host and errors that say what is wrong."""

    page_size = USUAL
    ordering = "-pk"
    page_size_query_param = "limit"

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        return tuple(view.order)

    def get_page_size(self, request: Request) -> int:
        return read_limit(request.query_params, is_table(request))

    def decode_cursor(self, request: Request) -> Any:
        try:
            return super().decode_cursor(request)
        except NotFound:
            raise ValidationError({"cursor": NOT_OURS}) from None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        """A position made up by hand fails only where the database is asked for it."""
        try:
            return super().paginate_queryset(queryset.only("pk", *_columns(view.order)), request, view)
        except (ValueError, OverflowError):
            raise ValidationError({"cursor": NOT_OURS}) from None

    def get_next_link(self) -> str | None:
        return _path_of(super().get_next_link())

    def get_previous_link(self) -> str | None:
        return _path_of(super().get_previous_link())


def _columns(order: Sequence[str]) -> list[str]:
    return [name.removeprefix("-") for name in order]


def _path_of(link: str | None) -> str | None:
    if link is None:
        return None
    parts = urlsplit(link)
    return f"{parts.path}?{parts.query}"


class PublicList(PublicView, GenericAPIView):
    """A list whose lines are flat enough for a table."""

    pagination_class = Cursor
    renderer_classes = [JSONRenderer, CSVRenderer]
    order: ClassVar[Sequence[str]] = ("-pk",)
    columns: ClassVar[Sequence[TableColumn]] = ()

    def show(self, request: Request, found: QuerySet[Any]) -> Response:
        """The page of the list that the request asks for."""
        # Which lines these are is looked for without what is shown of them.
        page = self.paginate_queryset(found.select_related(None).prefetch_related(None)) or []
        lines = self.print_lines(found, [row.pk for row in page])
        response = self.get_paginated_response(lines)
        put_table(response, Table(self.columns, lines))
        if link := response.data["next"]:
            response["Link"] = f'<{link}>; rel="next"'
        return response

    def print_lines(self, found: QuerySet[Any], keys: Sequence[Any]) -> Sequence[Any]:
        """The rows with these keys in the words of the answer."""
        lines: Sequence[Any] = self.get_serializer(rows_of(found, keys), many=True).data
        return lines


class FlatList(PublicList):
    """A list whose lines are columns and nothing else, so that they are read without making objects of rows."""

    def print_lines(self, found: QuerySet[Any], keys: Sequence[Any]) -> Sequence[Any]:
        return read_lines(self.get_serializer_class(), found, keys)


class ParquetList(FlatList):
    renderer_classes = [JSONRenderer, CSVRenderer, ParquetRenderer]


def known_only(request: HttpRequest | Request, *names: str) -> None:
    """Raises ValidationError for a word of the query that the route does not know: a typo must not widen an answer."""
    known = {*names, "format", "limit", "cursor"}
    unknown = sorted(set(request.GET) - known)
    if unknown:
        choices = ", ".join(sorted(known))
        raise ValidationError({name: f"{name}: unknown here. Known are {choices}." for name in unknown})


def one_of(request: Request, name: str, choices: Sequence[str]) -> str:
    """The word under a name, "" if there is none. Raises ValidationError for one that is no choice."""
    word = request.query_params.get(name, "")
    if word and word not in choices:
        raise ValidationError({name: f"{name}: {word[:80]!r} is none of {', '.join(choices)}."})
    return word
