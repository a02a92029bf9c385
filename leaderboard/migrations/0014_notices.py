"""Notices to people and webhooks."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leaderboard", "0013_fingerprints"),
        ("submissions", "0005_resubmission"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="NewsTold",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("source", models.CharField(max_length=20)),
                ("number", models.PositiveBigIntegerField(help_text="The primary key of the row.")),
                ("told_at", models.DateTimeField()),
            ],
            options={
                "verbose_name_plural": "news told",
                "constraints": [models.UniqueConstraint(fields=("source", "number"), name="news_told_once")],
            },
        ),
        migrations.CreateModel(
            name="NoticeSetting",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(help_text="Of leaderboard.notices.kinds.Kind.", max_length=30)),
                (
                    "often",
                    models.CharField(
                        choices=[("now", "now"), ("daily", "daily"), ("never", "never")], max_length=10
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notice_settings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("url", models.CharField(max_length=500)),
                ("kinds", models.JSONField(default=list, help_text="Of leaderboard.notices.kinds.Kind.")),
                ("created_at", models.DateTimeField()),
                (
                    "secret_number",
                    models.PositiveIntegerField(default=1, help_text="Counted up when the secret changes."),
                ),
                ("rotated_at", models.DateTimeField(blank=True, null=True)),
                ("is_on", models.BooleanField(default=True)),
                ("off_since", models.DateTimeField(blank=True, null=True)),
                ("off_because", models.CharField(blank=True, max_length=200)),
                ("failures", models.PositiveIntegerField(default=0, help_text="Tries in a row that failed.")),
                (
                    "resume_at",
                    models.DateTimeField(
                        blank=True, help_text="Nothing is sent before, after a failure.", null=True
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty: the site's own, which hears what maintainers hear.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to="submissions.team",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("kind", models.CharField(help_text="Of leaderboard.notices.kinds.Kind.", max_length=30)),
                (
                    "key",
                    models.CharField(
                        help_text="Of the news: the same for everybody who hears of it.", max_length=80
                    ),
                ),
                ("group", models.CharField(help_text="As what the person hears of it.", max_length=12)),
                (
                    "facts",
                    models.JSONField(
                        default=dict, help_text="Ids and words that the text is made of; never a score."
                    ),
                ),
                ("path", models.CharField(help_text="Of the page where one reads on.", max_length=300)),
                ("happened_at", models.DateTimeField()),
                ("created_at", models.DateTimeField()),
                (
                    "is_digest",
                    models.BooleanField(
                        default=False, help_text="Goes out with others of the day in one mail."
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("sent", "Sent"),
                            ("failed", "given up"),
                            ("dropped", "no longer wanted"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("next_try_at", models.DateTimeField()),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("tried_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "answered",
                    models.PositiveSmallIntegerField(
                        blank=True, help_text="HTTP status of the last try.", null=True
                    ),
                ),
                ("took_ms", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "fault",
                    models.CharField(
                        blank=True, help_text="Of the last try. Never an address.", max_length=200
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        blank=True,
                        help_text="Whose members may hear of it, where it is told to a team.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="submissions.team",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="leaderboard.webhook",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddConstraint(
            model_name="noticesetting",
            constraint=models.UniqueConstraint(fields=("user", "kind"), name="notice_setting_once"),
        ),
        migrations.AddConstraint(
            model_name="noticesetting",
            constraint=models.CheckConstraint(
                condition=models.Q(("often__in", ["now", "daily", "never"])),
                name="notice_setting_often_known",
            ),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(fields=["state", "next_try_at"], name="leaderboard_state_0b4c8a_idx"),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(fields=["created_at"], name="leaderboard_created_d61931_idx"),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["waiting", "sent", "failed", "dropped"])),
                name="notice_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("user", None), ("webhook__isnull", False)),
                    models.Q(("user__isnull", False), ("webhook", None)),
                    _connector="OR",
                ),
                name="notice_has_one_recipient",
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.UniqueConstraint(fields=("kind", "key", "user"), name="notice_once_per_person"),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.UniqueConstraint(
                fields=("kind", "key", "webhook"), name="notice_once_per_webhook"
            ),
        ),
    ]
