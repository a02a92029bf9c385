"""The admin of what is graded. To look at only: files and commands are the sources. Scores are not shown."""

from django.contrib import admin

from grading.admin_rights import ReadOnly
from grading.models import AnswersVersion, Benchmark, Competition, Grading, GradingHost, ThresholdsVersion


@admin.register(Benchmark)
class BenchmarkAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("title", "slug", "answers_public", "position")


@admin.register(Competition)
class CompetitionAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("id", "title", "category", "metric_family", "lower_is_better")
    search_fields = ("id", "title")
    list_filter = ("metric_family",)


@admin.register(ThresholdsVersion)
class ThresholdsVersionAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("competition", "number", "gold", "silver", "bronze", "median", "exact")
    search_fields = ("competition__id",)
    list_select_related = ("competition",)


@admin.register(AnswersVersion)
class AnswersVersionAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("competition", "number", "rows", "loaded_at")
    list_select_related = ("competition",)


@admin.register(Grading)
class GradingAdmin(ReadOnly, admin.ModelAdmin):
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
class GradingHostAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("name", "is_isolated", "mode", "sandbox_version", "checked_at")
