"""Rights in the admin. Whoever may enter it may look everywhere; Django's own table of permissions plays no part."""

from collections.abc import Iterator
from typing import Any

from django.contrib.admin import AdminSite
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest

# What the admin's own filters append to the column they are declared for; `id` is the key of a related row.
PLAIN_LOOKUPS = frozenset({"id", "exact", "in", "isnull", "isempty", "gte", "lt", "year", "month", "day"})


class DeclaredLookups:
    """Lists answer the filters they offer and nothing else. Mix in before the admin class.

    Django lets the address of a list filter by any column of its table, shown or not. Twenty such questions
    find a score that nobody may see yet.
    """

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        return any(_extends(lookup, column) for column in self._declared(request))

    def _declared(self: Any, request: HttpRequest | None) -> Iterator[str]:
        for each in self.get_list_filter(request) if request else self.list_filter:
            yield each if isinstance(each, str) else each[0]
        if self.date_hierarchy:
            yield self.date_hierarchy


def _extends(lookup: str, column: str) -> bool:
    """Whether the lookup is the column itself or asks about it plainly, without going on to another table."""
    if lookup == column:
        return True
    start, _, rest = lookup.partition(column + LOOKUP_SEP)
    return not start and bool(rest) and PLAIN_LOOKUPS.issuperset(rest.split(LOOKUP_SEP))


class Editable(DeclaredLookups):
    """Seen, added and changed by whoever may enter the admin; nobody deletes. Mix in before the admin class."""

    admin_site: AdminSite

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.admin_site.has_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.admin_site.has_permission(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.admin_site.has_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.admin_site.has_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnly(Editable):
    """Records: nobody adds or changes them by hand."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
