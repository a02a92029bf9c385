"""What all answers share. Numbers are those of the page; None is "not known"."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC
from functools import cached_property
from operator import attrgetter
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from rest_framework import serializers

from leaderboard.columns import DATED
from leaderboard.page_paths import page_path
from submissions.api.shown import print_moment

MASKED_BY = "The decision by which it is shown, but not counted; null: it counts."
RUN_ON = f"The date of the entry: {DATED}."
SKIPPED = object()
PERCENT = "Percent (0-100), mean over seeds."


class Out(serializers.Serializer[Any]):
    """An answer. Plain columns of objects are just read; the framework looks at each value on the way to it."""

    def to_representation(self, instance: Any) -> Any:
        if isinstance(instance, Mapping):
            return super().to_representation(instance)
        return {name: value for name, value in self._read(instance) if value is not SKIPPED}

    def _read(self, instance: Any) -> Iterator[tuple[str, Any]]:
        for name, read, field, write in self._readers:
            try:
                value = read(instance)
                if callable(value):
                    value = field.get_attribute(instance)
            except (AttributeError, ObjectDoesNotExist):
                value = _ask(field, instance)
            yield name, value if value is None or value is SKIPPED else write(value)

    @cached_property
    def _readers(self) -> list[tuple[str, Callable[[Any], Any], Any, Callable[[Any], Any]]]:
        """By column how it is read: by its source, or, where it takes the whole object, by taking that."""
        return [
            (
                field.field_name or "",
                attrgetter(str(field.source)) if field.source != "*" else _itself,
                field,
                writer_of(field),
            )
            for field in self._readable_fields
        ]


def writer_of(field: Any) -> Callable[[Any], Any]:
    """How a field prints a value; times in UTC, as nearly all are, without asking in which zone to print them."""
    own: Callable[[Any], Any] = field.to_representation
    if type(field) is not serializers.DateTimeField or hasattr(field, "format"):
        return own
    return lambda value: print_moment(value) if getattr(value, "tzinfo", None) is UTC else own(value)


def _itself(instance: Any) -> Any:
    return instance


def _ask(field: Any, instance: Any) -> Any:
    """What the framework says of a value that is not there."""
    try:
        return field.get_attribute(instance)
    except serializers.SkipField:
        return SKIPPED


class NullableFloat(serializers.FloatField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_null=True, **kwargs)


class PageField(serializers.CharField):
    """Output: the page on this site of what the source names."""

    def __init__(self, route: str, **kwargs: Any) -> None:
        super().__init__(read_only=True, **kwargs)
        self.route = route

    def to_representation(self, value: Any) -> str:
        return page_path(self.route, value)
