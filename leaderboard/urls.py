"""All addresses of the site. Each area keeps its own list; this one only puts them together."""

from django.contrib import admin
from django.urls import include, path, re_path

from leaderboard.admin_site import withhold
from leaderboard.api.docs import Schema, docs
from leaderboard.views.errors import no_route
from leaderboard.views.maintainers import enter_admin

# The admin signs in like everybody else, so that passwords alone do not open it where TOTP is required.
admin.site.login = enter_admin  # type: ignore[method-assign]
withhold(admin.site)

urlpatterns = [
    path("", include("leaderboard.views.urls")),
    path("", include("submissions.urls")),
    path("account/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("api/v1/", include("leaderboard.api.urls")),
    path("api/v1/schema", Schema.as_view(), name="api-schema"),
    path("api/v1/docs/", docs, name="api-docs"),
    # The last: whatever under /api/ nothing above answers.
    re_path(r"^api/(?P<rest>.*)$", no_route, name="api-nothing"),
]

handler400 = "leaderboard.views.errors.bad_request"
handler403 = "leaderboard.views.errors.permission_denied"
handler404 = "leaderboard.views.errors.page_not_found"
handler500 = "leaderboard.views.errors.server_error"
