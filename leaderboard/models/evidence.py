"""What was read in the logs and code of a submission. Maintainers and the team alone see the lines."""

from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Q

from grading.constraints import only_choices
from submissions.models import Submission


class ReadingState(models.TextChoices):
    QUEUED = "queued", "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed", "given up"


class ReadingQuerySet(models.QuerySet["EvidenceReading"]):
    def claimable(self, now: datetime) -> "ReadingQuerySet":
        """Those a worker may take: waiting and due, or held by a worker whose lease ran out."""
        waiting = Q(state=ReadingState.QUEUED, not_before__lte=now)
        return self.filter(waiting | Q(state=ReadingState.RUNNING, lease_until__lt=now))

    def pending(self) -> "ReadingQuerySet":
        """Those a review waits for."""
        return self.filter(state__in=(ReadingState.QUEUED, ReadingState.RUNNING))


class EvidenceReading(models.Model):
    """One reading of all logs and code of a confirmed submission. A row exists where there is something to read."""

    State = ReadingState

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="evidence_reading")
    state = models.CharField(max_length=10, choices=ReadingState, default=ReadingState.QUEUED)
    not_before = models.DateTimeField()
    rung_at = models.DateTimeField(null=True, blank=True, help_text="When the sweep last rang for it.")
    lease_until = models.DateTimeField(null=True, blank=True)
    fencing_token = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)

    facts = models.JSONField(
        default=dict,
        blank=True,
        help_text="Counts, llms and hours, as checks and findings use them; no lines.",
    )
    created_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True, help_text="When it was done, or given up.")

    objects = ReadingQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["state", "not_before"])]
        constraints = [
            only_choices("state", ReadingState, "evidence_reading_state_known"),
            models.CheckConstraint(
                condition=Q(state__in=["done", "failed"], read_at__isnull=False)
                | ~Q(state__in=["done", "failed"]) & Q(read_at=None),
                name="evidence_reading_ends_once",
            ),
        ]

    def __str__(self) -> str:
        return f"evidence of {self.submission}"

    @property
    def is_over(self) -> bool:
        return self.state in (ReadingState.DONE, ReadingState.FAILED)


class EvidenceMatch(models.Model):
    """One line that a pattern matched, with its neighbours. Private: for maintainers and the owning team.

    Cut and cleaned of what cannot be printed; never shown without escaping.
    """

    reading = models.ForeignKey(EvidenceReading, on_delete=models.CASCADE, related_name="matches")
    code = models.CharField(max_length=40, help_text="Of the pattern: docs/evidence.md.")
    subject = models.CharField(max_length=120, blank=True, help_text="Where it is about one llm, its id.")
    path = models.CharField(max_length=500)
    place = models.CharField(
        max_length=250, blank=True, help_text="Seed/competition; empty: of no single run."
    )
    kind = models.CharField(max_length=4, choices=[("log", "log"), ("code", "code")])
    line = models.PositiveIntegerField()
    text = models.CharField(max_length=400)
    before: Any = models.JSONField(default=list, blank=True)
    after: Any = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.code} in {self.path}:{self.line}"

    @property
    def first_line(self) -> int:
        return self.line - len(self.before)
