"""When maintainers closed submissions, why, and when they opened them again."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class Closure(models.Model):
    """A time in which bundles arrive and are confirmed, but nothing new is graded. At most one is current."""

    is_current = models.BooleanField(default=True)
    reason = models.TextField(help_text="Shown in public.")
    closed_at = models.DateTimeField()
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    opened_at = models.DateTimeField(null=True, blank=True)
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    opened_reason = models.TextField(blank=True, help_text="Shown in public.")

    class Meta:
        ordering = ["-closed_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["is_current"], condition=Q(is_current=True), name="one_current_closure"
            ),
            models.CheckConstraint(
                condition=Q(is_current=True, opened_at=None, opened_by=None)
                | Q(is_current=False, opened_at__isnull=False, opened_by__isnull=False),
                name="closure_opened_by_someone",
            ),
        ]

    def __str__(self) -> str:
        return f"closed since {self.closed_at:%Y-%m-%d %H:%M}"
