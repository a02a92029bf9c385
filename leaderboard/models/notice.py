"""What people and programs are told: the outbox, what each person wants to hear of, and webhooks."""

import uuid
from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q

from grading.constraints import only_choices
from leaderboard.notices.backoff import ATTEMPTS
from leaderboard.notices.kinds import Often
from submissions.models import Team


class NewsTold(models.Model):
    """That a row of the site (an event, a decision, …) was turned into notices. It is so once, whoever was told."""

    source = models.CharField(max_length=20)
    number = models.PositiveBigIntegerField(help_text="The primary key of the row.")
    told_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "news told"
        constraints = [models.UniqueConstraint(fields=["source", "number"], name="news_told_once")]

    def __str__(self) -> str:
        return f"{self.source} {self.number}"


class NoticeSetting(models.Model):
    """How often a person wants mail of one kind, where it is not the usual."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notice_settings"
    )
    kind = models.CharField(max_length=30, help_text="Of leaderboard.notices.kinds.Kind.")
    often = models.CharField(max_length=10, choices=[(o.value, o.value) for o in Often])

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "kind"], name="notice_setting_once"),
            only_choices("often", Often, "notice_setting_often_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.often}"


class Webhook(models.Model):
    """An address that a team's owners, or the maintainers for the site, want told. Its secret is derived, not kept."""

    public_id = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    team = models.ForeignKey(
        Team, on_delete=models.CASCADE, null=True, blank=True, related_name="webhooks",
        help_text="Empty: the site's own, which hears what maintainers hear.",
    )  # fmt: skip
    url = models.CharField(max_length=500)
    kinds = models.JSONField(default=list, help_text="Of leaderboard.notices.kinds.Kind.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    secret_number = models.PositiveIntegerField(default=1, help_text="Counted up when the secret changes.")
    rotated_at = models.DateTimeField(null=True, blank=True)
    is_on = models.BooleanField(default=True)
    off_since = models.DateTimeField(null=True, blank=True)
    off_because = models.CharField(max_length=200, blank=True)
    failures = models.PositiveIntegerField(default=0, help_text="Tries in a row that failed.")
    resume_at = models.DateTimeField(
        null=True, blank=True, help_text="Nothing is sent before, after a failure."
    )

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"webhook {self.public_id}"


class NoticeQuerySet(models.QuerySet["Notice"]):
    def due(self, now: datetime) -> "NoticeQuerySet":
        """Those to send now. A claim pushes them into the future, so one that is being sent is not due."""
        return self.filter(state=NoticeState.WAITING, next_try_at__lte=now, attempts__lt=ATTEMPTS)


class NoticeState(models.TextChoices):
    WAITING = "waiting"
    SENT = "sent"
    FAILED = "failed", "given up"
    DROPPED = "dropped", "no longer wanted"


class Notice(models.Model):
    """One piece of news for one person or webhook. The public id stays the same however often it is sent."""

    State = NoticeState

    public_id = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=30, help_text="Of leaderboard.notices.kinds.Kind.")
    key = models.CharField(max_length=80, help_text="Of the news: the same for everybody who hears of it.")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="notices"
    )
    webhook = models.ForeignKey(
        Webhook, on_delete=models.CASCADE, null=True, blank=True, related_name="notices"
    )
    group = models.CharField(max_length=12, help_text="As what the person hears of it.")
    team = models.ForeignKey(
        Team, on_delete=models.CASCADE, null=True, blank=True, related_name="+",
        help_text="Whose members may hear of it, where it is told to a team.",
    )  # fmt: skip
    facts = models.JSONField(default=dict, help_text="Ids and words that the text is made of; never a score.")
    path = models.CharField(max_length=300, help_text="Of the page where one reads on.")
    happened_at = models.DateTimeField()
    created_at = models.DateTimeField()
    is_digest = models.BooleanField(default=False, help_text="Goes out with others of the day in one mail.")

    state = models.CharField(max_length=10, choices=NoticeState, default=NoticeState.WAITING)
    next_try_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    answered = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="HTTP status of the last try."
    )
    took_ms = models.PositiveIntegerField(null=True, blank=True)
    fault = models.CharField(max_length=200, blank=True, help_text="Of the last try. Never an address.")

    objects = NoticeQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["state", "next_try_at"]),
            models.Index(fields=["created_at"]),
        ]
        constraints = [
            only_choices("state", NoticeState, "notice_state_known"),
            models.CheckConstraint(
                condition=Q(user=None, webhook__isnull=False) | Q(user__isnull=False, webhook=None),
                name="notice_has_one_recipient",
            ),
            models.UniqueConstraint(fields=["kind", "key", "user"], name="notice_once_per_person"),
            models.UniqueConstraint(fields=["kind", "key", "webhook"], name="notice_once_per_webhook"),
        ]

    def __str__(self) -> str:
        return f"notice {self.public_id}"
