"""The admin of what is shown. Records that decide something are read-only here: decisions go through the docket."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from leaderboard.models import Agent, Claim, Decision, Entry, Flag, Placement, Snapshot, Track


def may_enter(request: HttpRequest) -> bool:
    """Maintainers only, with their second factor where it is required; staff flags and passwords do not suffice."""
    return bool(getattr(request.user, "may_maintain", False))


admin.site.has_permission = may_enter  # type: ignore[method-assign]
admin.site.site_header = admin.site.site_title = "MLE-bench leaderboard"
admin.site.index_title = "Everything the docket has no page for"


class ForMaintainers(admin.ModelAdmin):  # type: ignore[type-arg]  # Not generic at run time.
    """Rights follow from being a maintainer, not from Django's table of permissions."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return may_enter(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may_enter(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may_enter(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may_enter(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnly(ForMaintainers):
    """To look at. Nothing here can be added, changed or deleted."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Track)
class TrackAdmin(ForMaintainers):
    """What a track asks for may be changed; its address may not, since decisions and links name it."""

    list_display = ("title", "slug", "position", "is_ranked", "is_warned")
    readonly_fields = ("slug",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Agent)
class AgentAdmin(ReadOnly):
    list_display = ("name", "organisation", "slug")
    search_fields = ("name", "organisation__name")
    list_select_related = ("organisation",)


@admin.register(Entry)
class EntryAdmin(ReadOnly):
    """Without results: before publication nobody sees a score, and afterwards the entry's page shows them."""

    list_display = ("pk", "agent", "benchmark", "source", "scope", "run_on")
    list_filter = ("benchmark", "source")
    search_fields = ("slug", "agent__name")
    list_select_related = ("agent", "benchmark")


@admin.register(Decision)
class DecisionAdmin(ReadOnly):
    list_display = ("pk", "kind", "entry", "track", "decided_by", "effective_at", "recorded_at")
    list_filter = ("kind", "track")
    list_select_related = ("entry__agent", "track", "decided_by")


@admin.register(Placement)
class PlacementAdmin(ReadOnly):
    list_display = ("entry", "track", "decision", "effective_at", "recorded_at")
    list_select_related = ("entry__agent", "track", "decision")


@admin.register(Claim)
class ClaimAdmin(ReadOnly):
    list_display = ("submission", "code", "state", "severity", "holds")
    list_filter = ("code", "state")
    list_select_related = ("submission",)


@admin.register(Flag)
class FlagAdmin(ReadOnly):
    list_display = ("entry", "state", "rule", "raised_at", "decision")
    list_filter = ("state",)
    list_select_related = ("entry__agent", "decision")


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnly):
    list_display = ("benchmark", "built_at", "is_current", "grader_version", "digest")
    list_select_related = ("benchmark",)
