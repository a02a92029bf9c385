"""The admin of what is graded. To look at only: files and commands are the sources. Scores are not shown."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from grading.models import AnswersVersion, Benchmark, Competition, Grading, GradingHost, ThresholdsVersion


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]  # Not generic at run time.
    """Who may enter the admin may look; nobody may add, change or delete."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.admin_site.has_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.admin_site.has_permission(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Benchmark)
class BenchmarkAdmin(ReadOnly):
    list_display = ("title", "slug", "answers_public", "position")


@admin.register(Competition)
class CompetitionAdmin(ReadOnly):
    list_display = ("id", "title", "category", "metric_family", "lower_is_better")
    search_fields = ("id", "title")
    list_filter = ("metric_family",)


@admin.register(ThresholdsVersion)
class ThresholdsVersionAdmin(ReadOnly):
    list_display = ("competition", "number", "gold", "silver", "bronze", "median", "exact")
    search_fields = ("competition__id",)
    list_select_related = ("competition",)


@admin.register(AnswersVersion)
class AnswersVersionAdmin(ReadOnly):
    list_display = ("competition", "number", "rows", "loaded_at")
    list_select_related = ("competition",)


@admin.register(Grading)
class GradingAdmin(ReadOnly):
    """How a grading went, not what it gave: before publication a score is nobody's to see."""

    list_display = ("pk", "competition", "state", "outcome", "attempts", "lease_until", "graded_at")
    list_filter = ("state", "outcome")
    list_select_related = ("competition",)
    fields = (
        "blob", "competition", "answers", "grader_version", "graded_with", "state", "not_before", "lease_until",
        "fencing_token", "attempts", "outcome", "code", "message", "wall_s", "peak_memory_mb", "created_at",
        "graded_at",
    )  # fmt: skip


@admin.register(GradingHost)
class GradingHostAdmin(ReadOnly):
    list_display = ("name", "is_isolated", "mode", "sandbox_version", "checked_at")
