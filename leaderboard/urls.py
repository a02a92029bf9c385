"""All addresses of the site. Each area keeps its own list; this one only puts them together."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from leaderboard.api.docs import Docs, Schema

# The admin signs in like everybody else, so that passwords alone do not open it where TOTP is required.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("", include("leaderboard.views.urls")),
    path("", include("submissions.urls")),
    path("account/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("api/v1/", include("leaderboard.api.urls")),
    path("api/v1/schema", Schema.as_view(), name="api-schema"),
    path("api/v1/docs/", Docs.as_view(), name="api-docs"),
]
