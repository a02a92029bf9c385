"""Validity checks of single files, and the workers that make them."""

import uuid
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from grading.constraints import only_choices
from grading.models import AnswersVersion, Competition


class CheckState(models.TextChoices):
    QUEUED = "queued", "waiting"
    RUNNING = "running"
    DONE = "done"


class CheckOutcome(models.TextChoices):
    """How a check ended. None of these says anything of a score."""

    VALID = "valid"
    INVALID = "invalid"
    TIMED_OUT = "timed_out", "timed out"
    OUT_OF_MEMORY = "out_of_memory", "out of memory"
    FAILED = "failed", "failed on our side"


class CheckQuerySet(models.QuerySet["ValidityCheck"]):
    def of(self, user: Any) -> "CheckQuerySet":
        """Those the user asked for. Nobody else sees them, maintainers included."""
        return self.filter(user=user) if user.is_authenticated else self.none()

    def claimable(self, now: datetime) -> "CheckQuerySet":
        """Those a worker may take: waiting and due, or held by a worker whose lease ran out."""
        waiting = Q(state=CheckState.QUEUED, not_before__lte=now)
        return self.filter(waiting | Q(state=CheckState.RUNNING, lease_until__lt=now))


class ValidityCheck(models.Model):
    """One file, judged by the shape of a competition's answers alone. Kept for a few days, its bytes far shorter."""

    State = CheckState
    Outcome = CheckOutcome

    public_id = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="validity_checks"
    )
    competition = models.ForeignKey(Competition, on_delete=models.CASCADE, related_name="+")
    answers = models.ForeignKey(
        AnswersVersion, on_delete=models.CASCADE, related_name="+", help_text="Whose shape is used."
    )
    filename = models.CharField(max_length=255, help_text="As its sender named it; never used as a path.")
    size = models.PositiveBigIntegerField(help_text="Bytes as sent.")
    key = models.CharField(
        max_length=100, blank=True, help_text="In the store `validity`; empty once deleted."
    )

    state = models.CharField(max_length=10, choices=CheckState, default=CheckState.QUEUED)
    not_before = models.DateTimeField()
    rung_at = models.DateTimeField(null=True, blank=True, help_text="When the sweep last rang for it.")
    lease_until = models.DateTimeField(null=True, blank=True)
    fencing_token = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)

    outcome = models.CharField(max_length=15, choices=CheckOutcome, blank=True)
    reasons = models.JSONField(default=list, blank=True, help_text="Objects with code, message.")
    created_at = models.DateTimeField()
    checked_at = models.DateTimeField(null=True, blank=True)

    objects = CheckQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["state", "not_before"]),
            models.Index(fields=["user", "-created_at"]),
            models.Index(fields=["created_at"]),
        ]
        constraints = [
            only_choices("state", CheckState, "validity_check_state_known"),
            only_choices("outcome", CheckOutcome, "validity_check_outcome_known", blank=True),
            models.CheckConstraint(
                condition=Q(state="done", checked_at__isnull=False) & ~Q(outcome="")
                | ~Q(state="done") & Q(outcome="", checked_at=None),
                name="validity_check_done_has_outcome",
            ),
        ]

    def __str__(self) -> str:
        return f"validity check {self.public_id}"

    @property
    def is_done(self) -> bool:
        return self.state == CheckState.DONE

    @property
    def is_valid(self) -> bool | None:
        """None where it is not known, or not yet."""
        known = {CheckOutcome.VALID: True, CheckOutcome.INVALID: False}
        return known.get(CheckOutcome(self.outcome)) if self.outcome else None


class ValidityHost(models.Model):
    """What the last canary of a checking worker saw. The status page shows it; a red one checks nothing."""

    name = models.CharField(max_length=120, unique=True)
    is_isolated = models.BooleanField()
    mode = models.CharField(max_length=20, blank=True)
    sandbox_version = models.CharField(max_length=60, blank=True)
    probes = models.JSONField(default=list, help_text="Names of the probes that held.")
    reason = models.TextField(blank=True, help_text="Why nothing is checked here, and how to mend it.")
    checked_at = models.DateTimeField()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
