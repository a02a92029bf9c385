"""Signed statements of how long the chain of decisions was, and where it ended."""

from django.db import models

from leaderboard.integrity.models import Permanent, PermanentQuerySet
from leaderboard.models.receipt import SigningKey


class Checkpoint(Permanent):
    """What housekeeping signed about the head of the chain. One for each length it was seen at, never changed."""

    count = models.PositiveIntegerField(unique=True, help_text="Decisions recorded when it was signed.")
    key = models.ForeignKey(SigningKey, on_delete=models.PROTECT, related_name="checkpoints")
    document = models.JSONField()
    signature = models.CharField(
        max_length=88, help_text="Base64 of the 64 bytes over the canonical document."
    )
    signed_at = models.DateTimeField()

    objects = PermanentQuerySet.as_manager()

    class Meta:
        ordering = ["count"]

    def __str__(self) -> str:
        return f"checkpoint after {self.count} decisions"
