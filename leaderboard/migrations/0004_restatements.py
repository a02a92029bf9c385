"""Decisions that move pins, what they moved, and the figures they restated."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("grading", "0002_regrades"),
        ("leaderboard", "0003_chain_head"),
    ]

    operations = [
        migrations.AddField(
            model_name="decision",
            name="effect",
            field=models.CharField(
                blank=True,
                help_text="SHA-256 over the pins it moved and the figures it restated; empty where it moved none.",
                max_length=64,
            ),
        ),
        migrations.AlterField(
            model_name="decision",
            name="kind",
            field=models.CharField(
                choices=[
                    ("import", "imported with its placement"),
                    ("publish", "published on a track"),
                    ("move", "moved to another track"),
                    ("flag", "flagged"),
                    ("dismiss", "flag dismissed"),
                    ("withdraw", "withdrawn"),
                    ("repin", "pins moved"),
                ],
                max_length=12,
            ),
        ),
        migrations.CreateModel(
            name="PinMove",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("outcome_before", models.CharField(max_length=15)),
                ("outcome_after", models.CharField(max_length=15)),
                ("score_before", models.FloatField(blank=True, null=True)),
                ("score_after", models.FloatField(blank=True, null=True)),
                ("medal_before", models.CharField(max_length=10)),
                ("medal_after", models.CharField(max_length=10)),
                ("above_median_before", models.BooleanField()),
                ("above_median_after", models.BooleanField()),
                (
                    "decision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pin_moves",
                        to="leaderboard.decision",
                    ),
                ),
                (
                    "grading_after",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="grading.grading"
                    ),
                ),
                (
                    "grading_before",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="grading.grading"
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="moves",
                        to="leaderboard.entryrun",
                    ),
                ),
                (
                    "thresholds_after",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="grading.thresholdsversion",
                    ),
                ),
                (
                    "thresholds_before",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="grading.thresholdsversion",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("decision", "run"), name="pin_moved_once_per_decision"),
                    models.CheckConstraint(
                        condition=models.Q(("medal_before__in", ["gold", "silver", "bronze", "none"])),
                        name="pin_move_medal_before_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("medal_after__in", ["gold", "silver", "bronze", "none"])),
                        name="pin_move_medal_after_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Restatement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "split",
                    models.CharField(
                        choices=[
                            ("low", "Low (Lite)"),
                            ("medium", "Medium"),
                            ("high", "High"),
                            ("all", "All"),
                            ("dev", "Dev"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "figure",
                    models.CharField(
                        choices=[
                            ("any_medal_mean", "Any Medal %"),
                            ("any_medal_sem", "SEM of Any Medal"),
                            ("gold_mean", "Gold %"),
                            ("silver_mean", "Silver %"),
                            ("bronze_mean", "Bronze %"),
                            ("above_median_mean", "Above median %"),
                            ("valid_mean", "Valid %"),
                        ],
                        max_length=20,
                    ),
                ),
                ("before", models.FloatField(blank=True, null=True)),
                ("after", models.FloatField(blank=True, null=True)),
                (
                    "decision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="restatements",
                        to="leaderboard.decision",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("decision", "split", "figure"), name="figure_restated_once_per_decision"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("split__in", ["low", "medium", "high", "all", "dev"])),
                        name="restatement_split_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "figure__in",
                                [
                                    "any_medal_mean",
                                    "any_medal_sem",
                                    "gold_mean",
                                    "silver_mean",
                                    "bronze_mean",
                                    "above_median_mean",
                                    "valid_mean",
                                ],
                            )
                        ),
                        name="restatement_figure_known",
                    ),
                ],
            },
        ),
    ]
