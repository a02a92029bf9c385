"""What maintainers asked a team, and what it answered."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q

from leaderboard.models.entry import Entry


class Question(models.Model):
    """Asked by a decision, answered once. Public together with the entry, never before it."""

    decision = models.OneToOneField("leaderboard.Decision", on_delete=models.PROTECT, related_name="question")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="questions")
    text = models.TextField()
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField(help_text="An answer is taken later too; the docket shows that it is late.")
    answer = models.TextField(blank=True)
    answer_url = models.URLField(max_length=500, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["pk"]
        # The docket, by their clocks.
        indexes = [models.Index(fields=["answered_at", "due_at", "asked_at", "id"], name="question_by_clock")]
        constraints = [
            models.CheckConstraint(
                condition=Q(answered_at=None, answered_by=None, answer="")
                | Q(answered_at__isnull=False, answered_by__isnull=False) & ~Q(answer=""),
                name="question_answered_by_someone",
            )
        ]

    def __str__(self) -> str:
        return f"question {self.decision_id} on {self.entry}"

    @property
    def is_answered(self) -> bool:
        return self.answered_at is not None

    def is_late(self, now: datetime) -> bool:
        return self.answered_at is None and self.due_at <= now
