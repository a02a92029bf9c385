"""Appeals, who sees a flag until when, and signed checkpoints of the chain of decisions."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leaderboard", "0008_masks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="flag",
            name="evidence_is_private",
            field=models.BooleanField(
                default=False, help_text="The link is shown to maintainers and the team alone."
            ),
        ),
        migrations.AddField(
            model_name="flag",
            name="is_self_reported",
            field=models.BooleanField(default=False, help_text="Raised by the entry's own team."),
        ),
        migrations.AddField(
            model_name="flag",
            name="competitions",
            field=models.JSONField(
                blank=True, default=list, help_text="Ids of those it is about; empty: the entry as a whole."
            ),
        ),
        migrations.AlterField(
            model_name="flag",
            name="raised_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.CreateModel(
            name="FlagReply",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField()),
                ("written_at", models.DateTimeField()),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "flag",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replies",
                        to="leaderboard.flag",
                    ),
                ),
            ],
            options={"ordering": ["pk"], "verbose_name_plural": "flag replies"},
        ),
        migrations.CreateModel(
            name="Appeal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.TextField(help_text="Shown in public.")),
                ("evidence_url", models.URLField(max_length=500)),
                (
                    "evidence_is_private",
                    models.BooleanField(
                        default=False, help_text="The link is shown to maintainers and the team alone."
                    ),
                ),
                ("filed_at", models.DateTimeField()),
                (
                    "answer",
                    models.OneToOneField(
                        blank=True,
                        help_text="The decision that grants or denies it; empty until then.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answers_appeal",
                        to="leaderboard.decision",
                    ),
                ),
                (
                    "decision",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="appeal",
                        to="leaderboard.decision",
                    ),
                ),
                (
                    "filed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["filed_at"]},
        ),
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "count",
                    models.PositiveIntegerField(
                        help_text="Decisions recorded when it was signed.", unique=True
                    ),
                ),
                ("document", models.JSONField()),
                (
                    "signature",
                    models.CharField(
                        help_text="Base64 of the 64 bytes over the canonical document.", max_length=88
                    ),
                ),
                ("signed_at", models.DateTimeField()),
                (
                    "key",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="checkpoints",
                        to="leaderboard.signingkey",
                    ),
                ),
            ],
            options={"ordering": ["count"]},
        ),
    ]
