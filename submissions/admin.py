"""The maintainers' view of people and submissions. Records cannot be changed here, and no score is shown."""

from typing import Any, ClassVar, cast

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet, URLField
from django.http import HttpRequest
from django.utils import timezone

from grading.admin_rights import DeclaredLookups, Editable, ReadOnly
from grading.rings import ring
from submissions import models
from submissions.people import PeopleError, verify_organisation


class EventInline(ReadOnly, admin.TabularInline):
    model = models.Event
    fields = readonly_fields = ("effective_at", "kind", "before", "after", "actor", "detail")
    extra = 0


class RunCardInline(ReadOnly, admin.TabularInline):
    model = models.RunCardRevision
    fields = readonly_fields = ("number", "digest", "author", "created_at")
    extra = 0
    show_change_link = True


@admin.register(models.Submission)
class SubmissionAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["public_id", "team", "benchmark", "status", "scope", "created_at"]
    list_filter = ["status", "benchmark", "scope"]
    search_fields = ["public_id", "team__name", "team__organisation__name"]
    date_hierarchy = "created_at"
    inlines = [RunCardInline, EventInline]
    list_select_related = ["team__organisation", "benchmark"]


@admin.register(models.RunCardRevision)
class RunCardAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["submission", "number", "author", "created_at"]
    list_select_related = ["submission", "author"]


@admin.register(models.Event)
class EventAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["effective_at", "submission", "kind", "before", "after", "actor"]
    list_filter = ["kind", "after"]
    list_select_related = ["submission", "actor"]


class PartInline(ReadOnly, admin.TabularInline):
    model = models.UploadPart
    fields = readonly_fields = ("number", "size", "sha256", "stored_at")
    extra = 0


@admin.register(models.Upload)
class UploadAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["submission", "filename", "size", "created_at", "completed_at", "expires_at"]
    inlines = [PartInline]
    list_select_related = ["submission"]


class EvidenceInline(ReadOnly, admin.TabularInline):
    model = models.EvidenceFile
    fields = readonly_fields = ("path", "seed", "competition", "size", "sha256")
    extra = 0


@admin.register(models.Bundle)
class BundleAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["submission", "format", "size", "sha256", "read_at"]
    inlines = [EvidenceInline]
    list_select_related = ["submission"]


@admin.register(models.Run)
class RunAdmin(ReadOnly, admin.ModelAdmin):
    """Which CSV belongs to which seed and competition. What it was worth is not shown before publication."""

    list_display = ["submission", "seed", "competition", "checkpoint_hours"]
    fields = ["submission", "folder", "seed", "competition", "checkpoint_hours"]
    list_select_related = ["submission", "competition"]


@admin.register(models.Organisation)
class OrganisationAdmin(Editable, admin.ModelAdmin):
    list_display = ["name", "url", "verified_at", "verified_by", "created_at"]
    list_filter = [("verified_at", admin.EmptyFieldListFilter)]
    search_fields = ["name"]
    # Verification is an act of somebody at some time, so it is the action below and not a field to type into.
    readonly_fields = ["verified_at", "verified_by"]
    formfield_overrides: ClassVar[dict[Any, Any]] = {URLField: {"assume_scheme": "https"}}
    actions = ["verify"]

    @admin.action(description="Verify the chosen organisations", permissions=["verify"])
    def verify(self, request: HttpRequest, queryset: QuerySet[models.Organisation]) -> None:
        now, maintainer = timezone.now(), cast(models.User, request.user)
        for organisation in queryset:
            try:
                waiting = verify_organisation(organisation, maintainer, now)
            except PeopleError as refused:
                messages.error(request, str(refused))
                continue
            for public_id in waiting:
                ring("submissions.tasks.advance", str(public_id))
            messages.success(
                request, f"{organisation} is verified. {len(waiting)} waiting submissions go on now."
            )

    def has_verify_permission(self, request: HttpRequest) -> bool:
        return self.admin_site.has_permission(request)


class MemberInline(ReadOnly, admin.TabularInline):
    """Named when a team is made here. After that people join by invitation and leave by themselves."""

    model = models.TeamMember
    raw_id_fields = ["user"]
    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return obj is None and self.admin_site.has_permission(request)


@admin.register(models.Team)
class TeamAdmin(Editable, admin.ModelAdmin):
    """A team may be made here for an organisation whose imported results nobody has claimed yet.

    Who belongs to what decides who may judge what, so it does not change here afterwards.
    """

    list_display = ["name", "organisation", "created_at"]
    search_fields = ["name", "organisation__name"]
    list_select_related = ["organisation"]
    inlines = [MemberInline]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [] if obj is None else ["organisation"]

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "organisation":
            kwargs["queryset"] = models.Organisation.objects.filter(teams=None)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)


@admin.register(models.User)
class PersonAdmin(DeclaredLookups, UserAdmin):
    list_display = ["email", "public_name", "is_maintainer", "is_staff", "is_active"]
    list_filter = ["is_maintainer", "is_staff", "is_active"]
    fieldsets = [*(UserAdmin.fieldsets or ()), ("Maintainer", {"fields": ["is_maintainer", "public_name"]})]


@admin.register(models.Closure)
class ClosureAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["closed_at", "closed_by", "reason", "opened_at", "opened_by"]
    list_select_related = ["closed_by", "opened_by"]


@admin.register(models.ValidityHost)
class ValidityHostAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("name", "is_isolated", "mode", "sandbox_version", "checked_at")
