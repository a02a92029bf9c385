"""A submission, its life, its events and its run card's revisions."""

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from grading.constraints import only_choices
from grading.models import Benchmark
from grading.splits import Split
from submissions.models.people import Team


class SubmissionStatus(models.TextChoices):
    """In the order of a submission's life, then the exits. A status never goes back."""

    UPLOADING = "uploading"
    RECEIVED = "received"
    CHECKING = "checking"
    AWAITING_TEAM = "awaiting_team", "awaiting your team"
    QUEUED = "queued"
    GRADING = "grading"
    GRADED = "graded"
    IN_REVIEW = "in_review", "in review"
    PUBLISHED = "published"
    ABANDONED = "abandoned"
    REJECTED = "rejected"
    GRADING_FAILED = "grading_failed", "grading failed"
    WITHDRAWN = "withdrawn"


class SubmissionQuerySet(models.QuerySet["Submission"]):
    def visible_to(self, user: Any) -> "SubmissionQuerySet":
        """Published ones for everybody; a team's own for its members; all for maintainers."""
        if getattr(user, "may_maintain", False):
            return self
        public = Q(status=Submission.Status.PUBLISHED)
        if not user.is_authenticated:
            return self.filter(public)
        own = Q(team__in=Team.objects.of(user).values("pk"))
        return self.filter(public | own)

    def of_member(self, user: Any) -> "SubmissionQuerySet":
        """Those of the user's own teams, whatever their status: what they may change."""
        return self.filter(team__in=Team.objects.of(user).values("pk"))

    def listed_for(self, user: Any) -> "SubmissionQuerySet":
        """The same, for lists: of a single team, as most people have, an index holds them in order. One query."""
        teams = list(Team.objects.of(user).values_list("pk", flat=True)[:2])
        return self.of_member(user) if len(teams) > 1 else self.filter(team__in=teams)


class Submission(models.Model):
    """One attempt of one team on one benchmark. A status never goes back."""

    Status = SubmissionStatus
    EXITS = (
        SubmissionStatus.ABANDONED,
        SubmissionStatus.REJECTED,
        SubmissionStatus.GRADING_FAILED,
        SubmissionStatus.WITHDRAWN,
    )

    public_id = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="submissions")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="submissions")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    creation_key = models.UUIDField(
        default=uuid.uuid4, help_text="Chosen by the client; sending the same twice creates one submission."
    )
    supersedes = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="superseded_by"
    )
    what_changed = models.TextField(
        blank=True, help_text="Since the one it replaces, in the team's words. Public with the entry."
    )

    status = models.CharField(max_length=15, choices=SubmissionStatus, default=SubmissionStatus.UPLOADING)
    problems = models.JSONField(default=list, blank=True, help_text="Objects with code, where, message.")
    lease_until = models.DateTimeField(
        null=True, blank=True, help_text="Of the worker that checks the bundle."
    )
    fencing_token = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)

    scope = models.CharField(max_length=10, choices=[(s.value, s.label) for s in Split], blank=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    confirmed_revision = models.ForeignKey(
        "RunCardRevision", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    attested_name = models.CharField(max_length=120, blank=True)
    held_at = models.DateTimeField(null=True, blank=True, help_text="Received while submissions were closed.")
    question_open_at = models.DateTimeField(null=True, blank=True)

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["status", "lease_until"]),
            # A team's list, newest first.
            models.Index(fields=["team", "-created_at", "-id"], name="submission_of_team"),
            # Without those that say nothing, which make an index of all look useless to a planner.
            models.Index(
                fields=["confirmed_by"],
                condition=Q(confirmed_by__isnull=False),
                name="submission_confirmed_by",
            ),
        ]
        constraints = [
            only_choices("status", SubmissionStatus, "submission_status_known"),
            only_choices("scope", Split, "submission_scope_known", blank=True),
            models.UniqueConstraint(fields=["team", "creation_key"], name="submission_created_once"),
            models.CheckConstraint(
                condition=Q(confirmed_at=None, confirmed_revision=None, scope="")
                | Q(confirmed_at__isnull=False, confirmed_revision__isnull=False) & ~Q(scope=""),
                name="submission_confirmed_with_scope_and_card",
            ),
        ]

    def __str__(self) -> str:
        return f"submission {self.public_id}"

    @property
    def is_final(self) -> bool:
        return self.status == self.Status.PUBLISHED or self.status in self.EXITS


class RunCardRevision(models.Model):
    """One version of the disclosure document. Append-only; the newest number counts."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="run_cards")
    number = models.PositiveIntegerField()
    document = models.JSONField()
    digest = models.CharField(max_length=64, help_text="SHA-256 of the canonical document.")
    difference = models.JSONField(default=list, help_text="Objects with path, before, after.")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+",
        help_text="Empty where intake read it from the bundle.",
    )  # fmt: skip
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        indexes = [
            # Without those that intake read.
            models.Index(fields=["author"], condition=Q(author__isnull=False), name="run_card_written_by")
        ]
        constraints = [models.UniqueConstraint(fields=["submission", "number"], name="run_card_number_once")]

    def __str__(self) -> str:
        return f"run card {self.number} of {self.submission}"


class Event(models.Model):
    """Something that happened to a submission: who, what, when it took effect and when it was recorded."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=40)
    before = models.CharField(max_length=15, blank=True)
    after = models.CharField(max_length=15, blank=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+",
        help_text="Empty where the system itself did it.",
    )  # fmt: skip
    detail = models.JSONField(default=dict, blank=True)
    effective_at = models.DateTimeField()
    recorded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["recorded_at", "pk"]

    def __str__(self) -> str:
        return f"{self.kind} on {self.submission}"
