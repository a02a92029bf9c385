"""A promise on the run card that the source will be public by a day."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from submissions.models import Submission


class SourcePromise(models.Model):
    """What became of it: the link the team gave, or that the day passed without one.

    There is a row only once something happened. Whether the source is what it should be is a maintainer's to verify.
    """

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="source_promise")
    due_on = models.DateField()
    expired_at = models.DateTimeField(null=True, blank=True)
    url = models.URLField(max_length=500, blank=True)
    shown_at = models.DateTimeField(null=True, blank=True, help_text="When the team gave the link.")
    shown_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["due_on", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(url="", shown_at=None, shown_by=None)
                | ~Q(url="") & Q(shown_at__isnull=False, shown_by__isnull=False),
                name="promise_shown_by_someone",
            )
        ]

    def __str__(self) -> str:
        return f"source of {self.submission} by {self.due_on}"
