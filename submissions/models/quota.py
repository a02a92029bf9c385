"""How many submissions of an organisation were graded in a period, and which ones they were."""

from django.db import models
from django.db.models import F, Q

from submissions.models.people import Organisation
from submissions.models.submission import Submission


class QuotaPeriod(models.Model):
    """One organisation's counter for one period. Renaming an agent or opening a team changes nothing of it."""

    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="quota_periods")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(help_text="When the next period begins and the count starts anew.")
    used = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-starts_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["organisation", "starts_at"], name="quota_period_once_per_organisation"
            ),
            models.CheckConstraint(condition=Q(starts_at__lt=F("ends_at")), name="quota_period_has_length"),
        ]

    def __str__(self) -> str:
        return f"{self.organisation}: {self.used} since {self.starts_at:%Y-%m-%d}"


class QuotaUse(models.Model):
    """That a submission was counted. The submission is the key: however often it is asked, it counts once."""

    submission = models.OneToOneField(Submission, on_delete=models.PROTECT, related_name="quota_use")
    period = models.ForeignKey(QuotaPeriod, on_delete=models.PROTECT, related_name="uses")
    taken_at = models.DateTimeField()
    refunded_at = models.DateTimeField(null=True, blank=True, help_text="The fault was ours.")

    def __str__(self) -> str:
        return f"{self.submission} in {self.period}"
