"""Database constraints that models of every app use."""

from collections.abc import Iterable

from django.db import models
from django.db.models import Q


def only_choices(field: str, values: Iterable[str], name: str, blank: bool = False) -> models.CheckConstraint:
    """The field holds one of its choices (or nothing, where blank), whoever writes the row."""
    allowed = [str(value) for value in values] + ([""] if blank else [])
    return models.CheckConstraint(condition=Q(**{f"{field}__in": allowed}), name=name)
