"""A line of the audit log."""

from typing import Any

from django.conf import settings
from django.db import models

from leaderboard.integrity.models import Permanent, PermanentQuerySet


class AuditQuerySet(PermanentQuerySet, models.QuerySet["AuditRecord"]):
    def forget(self) -> int:
        """Deletes these lines: for what has been kept long enough, and for nothing else. How many they were."""
        deleted, _ = models.QuerySet(self.model, self.query, self.db).delete()
        return int(deleted)


def person(**more: Any) -> models.ForeignKey[Any, Any]:
    """A number that outlives the account, so that deleting an account changes no line."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, db_constraint=False, null=True, blank=True,
        related_name="+", **more,
    )  # fmt: skip


class AuditRecord(Permanent):
    """Written once, with what it is about and from where. The database refuses to change it; retention deletes it."""

    at = models.DateTimeField(db_index=True)
    act = models.CharField(max_length=30, db_index=True, help_text="Of leaderboard.audit.acts.Act.")
    actor = person(help_text="Who did it; empty for a visitor who is not signed in, a command or a worker.")
    account = person(help_text="Whose account, rights or membership it is about.")
    what = models.CharField(max_length=200, blank=True)
    address = models.GenericIPAddressField(null=True, blank=True)
    detail = models.JSONField(default=dict, blank=True)

    objects = AuditQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.act} at {self.at:%Y-%m-%d %H:%M}"
