"""Questions to teams, promises of source, what a maintainer has verified, and what became of findings."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

USER = settings.AUTH_USER_MODEL
DECISION = "leaderboard.decision"


def someone(related_name: str = "+") -> models.ForeignKey:
    return models.ForeignKey(
        blank=True,
        null=True,
        on_delete=django.db.models.deletion.PROTECT,
        related_name=related_name,
        to=USER,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("leaderboard", "0009_appeals"),
        migrations.swappable_dependency(USER),
    ]

    operations = [
        migrations.CreateModel(
            name="Question",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField()),
                ("asked_at", models.DateTimeField()),
                (
                    "due_at",
                    models.DateTimeField(
                        help_text="An answer is taken later too; the docket shows that it is late."
                    ),
                ),
                ("answer", models.TextField(blank=True)),
                ("answer_url", models.URLField(blank=True, max_length=500)),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                ("answered_by", someone()),
                (
                    "decision",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="question", to=DECISION
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="questions",
                        to="leaderboard.entry",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(answered_at=None, answered_by=None, answer="")
                        | Q(answered_at__isnull=False, answered_by__isnull=False) & ~Q(answer=""),
                        name="question_answered_by_someone",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SourcePromise",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("due_on", models.DateField()),
                ("expired_at", models.DateTimeField(blank=True, null=True)),
                ("url", models.URLField(blank=True, max_length=500)),
                (
                    "shown_at",
                    models.DateTimeField(blank=True, help_text="When the team gave the link.", null=True),
                ),
                ("shown_by", someone()),
                (
                    "submission",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="source_promise",
                        to="submissions.submission",
                    ),
                ),
            ],
            options={
                "ordering": ["due_on", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(url="", shown_at=None, shown_by=None)
                        | ~Q(url="") & Q(shown_at__isnull=False, shown_by__isnull=False),
                        name="promise_shown_by_someone",
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="claim",
            name="decision",
            field=models.ForeignKey(
                blank=True,
                help_text="The one by which a maintainer verified it, or found that it does not hold.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="claims",
                to=DECISION,
            ),
        ),
        migrations.AddField(
            model_name="finding",
            name="state",
            field=models.CharField(
                choices=[("open", "Open"), ("dismissed", "Dismissed"), ("upheld", "Upheld")],
                default="open",
                max_length=10,
            ),
        ),
        migrations.AddField(model_name="finding", name="answered_by", field=someone()),
        migrations.AddField(
            model_name="finding", name="answered_at", field=models.DateTimeField(blank=True, null=True)
        ),
        migrations.AddField(
            model_name="finding",
            name="note",
            field=models.TextField(blank=True, help_text="Why it was dismissed; for maintainers alone."),
        ),
        migrations.AddField(
            model_name="finding",
            name="decision",
            field=models.ForeignKey(
                blank=True,
                help_text="The public one that upholds it.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="findings",
                to=DECISION,
            ),
        ),
        migrations.AddConstraint(
            model_name="finding",
            constraint=models.CheckConstraint(
                condition=Q(state__in=["open", "dismissed", "upheld"]), name="finding_state_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="finding",
            constraint=models.CheckConstraint(
                condition=Q(state="open", answered_by=None, answered_at=None, decision=None)
                | Q(state="dismissed", decision=None, answered_by__isnull=False, answered_at__isnull=False)
                | Q(
                    state="upheld",
                    decision__isnull=False,
                    answered_by__isnull=False,
                    answered_at__isnull=False,
                ),
                name="finding_answered_by_someone",
            ),
        ),
    ]
