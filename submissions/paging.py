"""Pages of long lists: first which rows stand on one, then all that is shown of these and of no others.

A database that sorts a long list sorts it with all columns of all joined tables, unless it is asked for keys alone.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from rest_framework.pagination import PageNumberPagination

# Generic to the type checker alone.
if TYPE_CHECKING:
    Base = Paginator[Any]
else:
    Base = Paginator


def keys_of(found: QuerySet[Any]) -> list[Any]:
    """The keys of the rows in their order, read without anything else."""
    return list(found.select_related(None).prefetch_related(None).values_list("pk", flat=True))


def rows_of(found: QuerySet[Any], keys: Sequence[Any]) -> list[Any]:
    """The rows with these keys, in their order. One that is gone by now is left out."""
    rows = found.in_bulk(keys)
    return [rows[key] for key in keys if key in rows]


class KeyedPaginator(Base):
    """As the framework has it. Of a list that is no query it reads what is there."""

    def _get_page(self, *args: Any, **kwargs: Any) -> Page[Any]:
        part, number, paginator = args
        if isinstance(part, QuerySet) and isinstance(self.object_list, QuerySet):
            part = rows_of(self.object_list, keys_of(part))
        return Page(part, number, paginator)


class KeyedPages(PageNumberPagination):
    """The same for the API."""

    django_paginator_class = KeyedPaginator
