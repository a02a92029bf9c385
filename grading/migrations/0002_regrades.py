"""Regrades behind teams' runs and again with the same grader; cut-offs that follow from a human leaderboard."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("grading", "0001_first"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="grading",
            name="grading_once",
        ),
        migrations.RemoveConstraint(
            model_name="grading",
            name="grading_without_answers_once",
        ),
        migrations.AddField(
            model_name="grading",
            name="priority",
            field=models.PositiveSmallIntegerField(
                choices=[(0, "a team's run"), (10, "a regrade")], default=0
            ),
        ),
        migrations.AddField(
            model_name="grading",
            name="repeat",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="Counts gradings asked for again with the same answers and grader."
            ),
        ),
        migrations.AddField(
            model_name="thresholdsversion",
            name="leaderboard_sha256",
            field=models.CharField(
                blank=True,
                help_text="Of the human leaderboard they follow from; empty where they come from the competition's file.",
                max_length=64,
            ),
        ),
        migrations.AddConstraint(
            model_name="grading",
            constraint=models.UniqueConstraint(
                fields=("blob", "competition", "answers", "grader_version", "repeat"), name="grading_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="grading",
            constraint=models.UniqueConstraint(
                condition=models.Q(("answers", None)),
                fields=("blob", "competition", "grader_version", "repeat"),
                name="grading_without_answers_once",
            ),
        ),
    ]
