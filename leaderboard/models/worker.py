"""What is known of workers: when each was last heard, and which tasks end badly again and again."""

from datetime import datetime

from django.db import models


class Heartbeat(models.Model):
    """A worker of some kind on some host. It writes here every few seconds as long as it lives."""

    process = models.CharField(max_length=40, help_text="Which kind: intake, grading, …")
    host = models.CharField(max_length=120)
    started_at = models.DateTimeField()
    heard_at = models.DateTimeField()

    class Meta:
        ordering = ["process", "host"]
        constraints = [models.UniqueConstraint(fields=["process", "host"], name="heartbeat_once")]

    def __str__(self) -> str:
        return f"{self.process} on {self.host}"


class FailedTask(models.Model):
    """A task that failed with one argument: tried again later each time, and in the end parked for a person.

    A message that cannot be read has no task; its argument is then the SHA-256 of its bytes.
    """

    task = models.CharField(max_length=100, blank=True)
    argument = models.CharField(max_length=64)
    failures = models.PositiveSmallIntegerField(default=0)
    reason = models.CharField(
        max_length=200, help_text="The kind of failure, without any words of a submission."
    )
    failed_at = models.DateTimeField()
    not_before = models.DateTimeField(help_text="Until then it is not tried again.")
    parked_at = models.DateTimeField(null=True, blank=True, help_text="Since then it is not tried at all.")

    class Meta:
        ordering = ["-failed_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["task", "argument"], name="failed_task_once")]

    def __str__(self) -> str:
        return f"{self.task or 'unreadable message'}({self.argument})"

    def is_barred(self, now: datetime) -> bool:
        """Whether it must not be tried now."""
        return self.parked_at is not None or now < self.not_before
