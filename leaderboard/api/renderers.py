"""Answers as CSV and Parquet. A view that offers them calls `put_table`."""

from collections.abc import Iterable
from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer

from leaderboard.api.tables import Table, table_to_csv, table_to_parquet


class CSVRenderer(BaseRenderer):
    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> str:
        return table_to_csv(_table(renderer_context))


class ParquetRenderer(BaseRenderer):
    media_type = "application/vnd.apache.parquet"
    format = "parquet"
    charset = None
    render_style = "binary"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> bytes:
        return table_to_parquet(_table(renderer_context))


TABLES = (CSVRenderer.format, ParquetRenderer.format)


def _table(context: Any) -> Table:
    table: Table = context["response"].table
    return table


class Negotiation(DefaultContentNegotiation):
    """As the framework does it, but an unknown `format` is told which there are."""

    def filter_renderers(self, renderers: Iterable[BaseRenderer], format: str) -> list[BaseRenderer]:
        renderers = list(renderers)
        found = [renderer for renderer in renderers if renderer.format == format]
        if not found:
            known = ", ".join(renderer.format for renderer in renderers)
            raise ValidationError({"format": f"format: {format!r} is none of {known}."})
        return found
