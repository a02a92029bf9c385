"""Fingerprints of predictions and run cards, how far they were compared, and the public counts of what was kept."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("grading", "0003_blob_by_digest"),
        ("leaderboard", "0012_similarity"),
        ("submissions", "0005_resubmission"),
    ]

    operations = [
        migrations.CreateModel(
            name="FingerprintBlock",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveSmallIntegerField()),
                ("count", models.PositiveIntegerField()),
                (
                    "numbers",
                    models.BinaryField(help_text="Of the fingerprints: little-endian int64, in order."),
                ),
                ("owners", models.BinaryField(help_text="Of the organisations, in the same order and form.")),
                ("sketches", models.BinaryField(help_text="One after the other, in the same order.")),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="grading.competition",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Fingerprint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "version",
                    models.PositiveSmallIntegerField(
                        help_text="Of the rules that made it: only equal ones compare."
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("made", "Made"),
                            ("constant", "every row alike"),
                            ("unreadable", "Unreadable"),
                        ],
                        max_length=10,
                    ),
                ),
                ("rows", models.PositiveBigIntegerField(default=0)),
                (
                    "content",
                    models.CharField(
                        blank=True, help_text="Equal exactly where the predictions are.", max_length=64
                    ),
                ),
                ("sketch", models.BinaryField(default=b"")),
                ("made_at", models.DateTimeField()),
                (
                    "blob",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="fingerprints",
                        to="grading.blob",
                    ),
                ),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="grading.competition",
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="submissions.organisation",
                    ),
                ),
                (
                    "block",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="fingerprints",
                        to="leaderboard.fingerprintblock",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Likeness",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("due", "waiting to be read"),
                            ("reading", "Reading"),
                            ("read", "waiting to be compared"),
                            ("done", "compared"),
                            ("failed", "failed on our side"),
                        ],
                        default="due",
                        max_length=10,
                    ),
                ),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("fencing_token", models.PositiveIntegerField(default=0)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("rung_at", models.DateTimeField(blank=True, null=True)),
                ("compared_at", models.DateTimeField(blank=True, null=True)),
                (
                    "left_out",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="Runs that were not compared, by the word for why.",
                    ),
                ),
                (
                    "submission",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="likeness",
                        to="submissions.submission",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "likenesses",
            },
        ),
        migrations.CreateModel(
            name="RunComparison",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("unchanged", models.PositiveIntegerField()),
                ("changed", models.PositiveIntegerField()),
                (
                    "earlier",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="submissions.submission",
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="compared",
                        to="submissions.submission",
                    ),
                ),
            ],
            options={
                "ordering": ["earlier__confirmed_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="SampleFingerprint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveSmallIntegerField()),
                ("content", models.CharField(max_length=64)),
                ("sketch", models.BinaryField()),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="grading.competition",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CardTrait",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("field", models.CharField(help_text="Its path on the run card.", max_length=80)),
                ("digest", models.CharField(db_index=True, max_length=64)),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="submissions.organisation",
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="card_traits",
                        to="submissions.submission",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("submission", "field"), name="card_trait_once")
                ],
            },
        ),
        migrations.AddIndex(
            model_name="fingerprintblock",
            index=models.Index(fields=["competition", "version"], name="leaderboard_competi_f634db_idx"),
        ),
        migrations.AddIndex(
            model_name="fingerprint",
            index=models.Index(
                condition=models.Q(("block", None), ("state", "made")),
                fields=["competition", "version"],
                name="fingerprint_loose",
            ),
        ),
        migrations.AddConstraint(
            model_name="fingerprint",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["made", "constant", "unreadable"])),
                name="fingerprint_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="fingerprint",
            constraint=models.UniqueConstraint(
                fields=("blob", "competition", "version"), name="fingerprint_once"
            ),
        ),
        migrations.AddIndex(
            model_name="likeness",
            index=models.Index(fields=["state", "lease_until"], name="leaderboard_state_97e9a9_idx"),
        ),
        migrations.AddConstraint(
            model_name="likeness",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["due", "reading", "read", "done", "failed"])),
                name="likeness_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="runcomparison",
            constraint=models.UniqueConstraint(
                fields=("submission", "earlier"), name="submissions_compared_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="samplefingerprint",
            constraint=models.UniqueConstraint(
                fields=("competition", "version"), name="sample_fingerprint_once"
            ),
        ),
    ]
