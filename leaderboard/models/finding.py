"""Automatic signals about a submission, for maintainers."""

from django.db import models

from submissions.models import Submission


class Finding(models.Model):
    """What was found when the review opened. Never public: a person may raise a flag because of it."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="findings")
    code = models.CharField(max_length=40, help_text="Of the signal that raised it: docs/findings.md.")
    title = models.CharField(max_length=120)
    severity = models.CharField(max_length=10)
    sentence = models.TextField()
    evidence = models.JSONField(default=dict)
    raised_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.code}: {self.submission}"
