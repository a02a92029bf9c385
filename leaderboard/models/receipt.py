"""Signed receipts, and the public halves of the keys that signed them."""

from django.db import models
from django.db.models import Q

from grading.models import Grading, ThresholdsVersion
from leaderboard.models.entry import EntryRun


class SigningKey(models.Model):
    """The public half of a signing key. The private half lies with housekeeping alone."""

    key_id = models.CharField(max_length=16, unique=True, help_text="From the SHA-256 of the public key.")
    public_key = models.CharField(max_length=44, help_text="Base64 of the 32 bytes of an Ed25519 key.")
    first_used_at = models.DateTimeField()

    class Meta:
        ordering = ["first_used_at"]

    def __str__(self) -> str:
        return self.key_id


class Receipt(models.Model):
    """What the site signed about one published run. A moved pin makes another; the older stays as it was."""

    run = models.ForeignKey(EntryRun, on_delete=models.CASCADE, related_name="receipts")
    grading = models.ForeignKey(Grading, on_delete=models.PROTECT, related_name="+")
    thresholds = models.ForeignKey(ThresholdsVersion, on_delete=models.PROTECT, null=True, related_name="+")
    key = models.ForeignKey(SigningKey, on_delete=models.PROTECT, related_name="receipts")
    document = models.JSONField()
    signature = models.CharField(
        max_length=88, help_text="Base64 of the 64 bytes over the canonical document."
    )
    issued_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["run", "grading", "thresholds"], name="receipt_once_per_pin"),
            models.UniqueConstraint(
                fields=["run", "grading"],
                condition=Q(thresholds=None),
                name="receipt_without_thresholds_once",
            ),
        ]

    def __str__(self) -> str:
        return f"receipt {self.pk} of {self.run}"
