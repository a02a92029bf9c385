"""The admin of what is shown. Records that decide something are read-only here: decisions go through the docket."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from grading.admin_rights import Editable, ReadOnly
from leaderboard.failed_tasks import try_anew
from leaderboard.models import (
    Agent,
    Appeal,
    Checkpoint,
    Claim,
    Decision,
    Entry,
    FailedTask,
    Flag,
    FlagReply,
    Heartbeat,
    Notice,
    Placement,
    Question,
    Snapshot,
    SourcePromise,
    Track,
)


def may_enter(request: HttpRequest) -> bool:
    """Maintainers only, with their second factor where it is required; staff flags and passwords do not suffice."""
    return bool(getattr(request.user, "may_maintain", False))


admin.site.has_permission = may_enter  # type: ignore[method-assign]
admin.site.site_header = admin.site.site_title = "MLE-bench leaderboard"
admin.site.index_title = "Everything the docket has no page for"


@admin.register(Track)
class TrackAdmin(Editable, admin.ModelAdmin):
    """What a track asks for may be changed; its address may not, since decisions and links name it."""

    list_display = ("title", "slug", "position", "is_ranked", "is_warned")
    readonly_fields = ("slug",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Agent)
class AgentAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("name", "organisation", "slug")
    search_fields = ("name", "organisation__name")
    list_select_related = ("organisation",)


@admin.register(Entry)
class EntryAdmin(ReadOnly, admin.ModelAdmin):
    """Without results: before publication nobody sees a score, and afterwards the entry's page shows them."""

    list_display = ("pk", "agent", "benchmark", "source", "scope", "run_on")
    list_filter = ("benchmark", "source")
    search_fields = ("slug", "agent__name")
    list_select_related = ("agent", "benchmark")


@admin.register(Decision)
class DecisionAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("pk", "kind", "entry", "track", "decided_by", "effective_at", "recorded_at")
    list_filter = ("kind", "track")
    list_select_related = ("entry__agent", "track", "decided_by")


@admin.register(Placement)
class PlacementAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("entry", "track", "decision", "effective_at", "recorded_at")
    list_select_related = ("entry__agent", "track", "decision")


@admin.register(Claim)
class ClaimAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("submission", "code", "state", "severity", "holds")
    list_filter = ("code", "state")
    list_select_related = ("submission",)


@admin.register(Flag)
class FlagAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("entry", "state", "rule", "raised_at", "decision")
    list_filter = ("state",)
    list_select_related = ("entry__agent", "decision")


@admin.register(FlagReply)
class FlagReplyAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("flag", "author", "written_at")
    list_select_related = ("flag__entry__agent", "author")


@admin.register(Appeal)
class AppealAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("decision", "filed_by", "filed_at", "answer")
    list_filter = (("answer", admin.EmptyFieldListFilter),)
    list_select_related = ("decision__entry__agent", "filed_by", "answer")


@admin.register(Checkpoint)
class CheckpointAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("count", "key", "signed_at")
    list_select_related = ("key",)


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("benchmark", "built_at", "is_current", "grader_version", "digest")
    list_select_related = ("benchmark",)


@admin.register(Notice)
class NoticeAdmin(ReadOnly, admin.ModelAdmin):
    """What goes out and what does not, without who is told and of what."""

    list_display = ("public_id", "kind", "state", "attempts", "next_try_at", "ended_at", "answered", "fault")
    list_filter = ("state", "kind")
    fields = (*list_display, "created_at", "tried_at", "took_ms", "is_digest")


@admin.register(FailedTask)
class FailedTaskAdmin(ReadOnly, admin.ModelAdmin):
    """What ended badly. Ringing again forgets the failures; what cannot be read is only taken off the list."""

    list_display = ("__str__", "failures", "reason", "failed_at", "not_before", "parked_at")
    list_filter = ("task", ("parked_at", admin.EmptyFieldListFilter))
    actions = ("ring_again",)

    @admin.action(description="Ring again")
    def ring_again(self, request: HttpRequest, queryset: QuerySet[FailedTask]) -> None:
        for failed in queryset:
            try_anew(failed)
        self.message_user(request, "Rung again. What fails again comes back here.")


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("process", "host", "started_at", "heard_at")


@admin.register(Question)
class QuestionAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("decision", "entry", "asked_at", "due_at", "answered_at")
    list_select_related = ("decision__entry__agent", "entry__agent")


@admin.register(SourcePromise)
class SourcePromiseAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("submission", "due_on", "expired_at", "shown_at")
    list_select_related = ("submission",)
