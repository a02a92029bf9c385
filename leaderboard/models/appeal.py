"""What a team says against a flag or a decision on its entry."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models

from leaderboard.integrity.models import Decision, Flag, Permanent, PermanentQuerySet


class FlagReply(Permanent):
    """The team's word on a flag, shown beside it. Never changed; another may follow."""

    flag = models.ForeignKey(Flag, on_delete=models.PROTECT, related_name="replies")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    written_at = models.DateTimeField()

    objects = PermanentQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "flag replies"

    def __str__(self) -> str:
        return f"reply to {self.flag}"


class Appeal(models.Model):
    """The team's objection to a decision on its entry: one per decision, answered by another maintainer's decision."""

    # From the decision to the last moment for appealing, and from there to when an answer is due.
    OPEN_FOR = timedelta(days=14)
    ANSWER_WITHIN = timedelta(days=14)

    class State(models.TextChoices):
        OPEN = "open"
        GRANTED = "granted"
        DENIED = "denied"

    decision = models.OneToOneField(Decision, on_delete=models.PROTECT, related_name="appeal")
    filed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField(help_text="Shown in public.")
    evidence_url = models.URLField(max_length=500)
    evidence_is_private = models.BooleanField(
        default=False, help_text="The link is shown to maintainers and the team alone."
    )
    filed_at = models.DateTimeField()
    answer = models.OneToOneField(
        Decision, on_delete=models.PROTECT, null=True, blank=True, related_name="answers_appeal",
        help_text="The decision that grants or denies it; empty until then.",
    )  # fmt: skip

    class Meta:
        ordering = ["filed_at"]

    def __str__(self) -> str:
        return f"appeal against decision {self.decision_id}"

    @property
    def state(self) -> State:
        if self.answer is None:
            return self.State.OPEN
        return self.State.GRANTED if self.answer.kind == Decision.Kind.GRANT else self.State.DENIED

    @property
    def due_at(self) -> datetime:
        """When it should be answered. Nothing happens by itself when it is not; the docket shows it as overdue."""
        return self.filed_at + self.ANSWER_WITHIN
