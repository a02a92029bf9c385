"""Rights in the admin. Whoever may enter it may look everywhere; Django's own table of permissions plays no part."""

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest


class Editable:
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
