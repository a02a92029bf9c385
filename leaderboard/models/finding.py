"""Automatic signals about a submission, for maintainers."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from grading.constraints import only_choices
from submissions.models import Submission


class FindingState(models.TextChoices):
    OPEN = "open"
    DISMISSED = "dismissed"
    UPHELD = "upheld"


class Finding(models.Model):
    """What was found when the review opened. Never public: only the decision that upholds it is."""

    State = FindingState

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="findings")
    code = models.CharField(max_length=40, help_text="Of the signal that raised it: docs/findings.md.")
    title = models.CharField(max_length=120)
    severity = models.CharField(max_length=10)
    sentence = models.TextField()
    evidence = models.JSONField(default=dict)
    raised_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=FindingState, default=FindingState.OPEN)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    answered_at = models.DateTimeField(null=True, blank=True)
    note = models.TextField(blank=True, help_text="Why it was dismissed; for maintainers alone.")
    decision = models.ForeignKey(
        "leaderboard.Decision", on_delete=models.PROTECT, null=True, blank=True, related_name="findings",
        help_text="The public one that upholds it.",
    )  # fmt: skip

    class Meta:
        ordering = ["pk"]
        constraints = [
            only_choices("state", FindingState, "finding_state_known"),
            models.CheckConstraint(
                condition=Q(state="open", answered_by=None, answered_at=None, decision=None)
                | Q(state="dismissed", decision=None, answered_by__isnull=False, answered_at__isnull=False)
                | Q(
                    state="upheld",
                    decision__isnull=False,
                    answered_by__isnull=False,
                    answered_at__isnull=False,
                ),
                name="finding_answered_by_someone",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code}: {self.submission}"
