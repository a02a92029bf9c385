"""What all answers share. Numbers are those of the page; None is "not known"."""

from typing import Any

from rest_framework import serializers

MASKED_BY = "The decision by which it is shown, but not counted; null: it counts."
PERCENT = "Percent (0-100), mean over seeds."
Out = serializers.Serializer[Any]


class NullableFloat(serializers.FloatField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_null=True, **kwargs)


def moment(value: Any) -> str | None:
    """A time as every answer writes it."""
    return serializers.DateTimeField().to_representation(value) if value else None
