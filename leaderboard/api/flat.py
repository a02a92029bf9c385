"""Lines of lists, read column by column: no object is made of a row, and none of the rows that it refers to."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from leaderboard.api.out.common import writer_of

Line = dict[str, Any]
Out = type[serializers.BaseSerializer[Any]]
Fields = Mapping[str, serializers.Field[Any, Any, Any, Any]]
# More keys than this in one query are more than some databases take.
AT_ONCE = 1_000


def read_lines(out: Out, found: QuerySet[Any], keys: Sequence[Any]) -> list[Line]:
    """The rows with these keys as `out` prints them, in the order of the keys. One that is gone by now is left out."""
    fields: Fields = out().fields  # type: ignore[attr-defined]  # Of every serializer that has columns.
    paths, write = _paths(fields), _writers(fields)
    rows = found.order_by().values_list("pk", *paths)
    by_key: dict[Any, Any] = {}
    for first in range(0, len(keys), AT_ONCE):
        by_key |= {key: row for key, *row in rows.filter(pk__in=keys[first : first + AT_ONCE])}
    return [_line(write, by_key[key]) for key in keys if key in by_key]


def _paths(fields: Fields) -> list[str]:
    """Where each column is found: all sources are columns, of the row itself or of what it refers to."""
    return [str(field.source or name).replace(".", "__") for name, field in fields.items()]


def _writers(fields: Fields) -> list[tuple[str, Any, Callable[[Any], Any]]]:
    """By column its name, what stands for nothing, and how it is printed."""
    return [(name, _nothing(field), writer_of(field)) for name, field in fields.items()]


def _nothing(field: serializers.Field[Any, Any, Any, Any]) -> Any:
    default = field.default
    return None if default is serializers.empty or callable(default) else default


def _line(write: Sequence[tuple[str, Any, Callable[[Any], Any]]], row: Sequence[Any]) -> Line:
    return {
        name: nothing if value is None else to_text(value)
        for (name, nothing, to_text), value in zip(write, row, strict=True)
    }
