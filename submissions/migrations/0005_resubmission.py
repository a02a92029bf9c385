"""What a submission replaces and what changed; when submissions were closed."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

USER = settings.AUTH_USER_MODEL


class Migration(migrations.Migration):
    dependencies = [("submissions", "0004_quotas")]

    operations = [
        migrations.AddField(
            model_name="submission",
            name="what_changed",
            field=models.TextField(
                blank=True,
                help_text="Since the one it replaces, in the team's words. Public with the entry.",
            ),
        ),
        migrations.CreateModel(
            name="Closure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("is_current", models.BooleanField(default=True)),
                ("reason", models.TextField(help_text="Shown in public.")),
                ("closed_at", models.DateTimeField()),
                ("opened_at", models.DateTimeField(blank=True, null=True)),
                ("opened_reason", models.TextField(blank=True, help_text="Shown in public.")),
                (
                    "closed_by",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=USER),
                ),
                (
                    "opened_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=USER,
                    ),
                ),
            ],
            options={
                "ordering": ["-closed_at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=["is_current"], condition=Q(is_current=True), name="one_current_closure"
                    ),
                    models.CheckConstraint(
                        condition=Q(is_current=True, opened_at=None, opened_by=None)
                        | Q(is_current=False, opened_at__isnull=False, opened_by__isnull=False),
                        name="closure_opened_by_someone",
                    ),
                ],
            },
        ),
    ]
