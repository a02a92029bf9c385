"""Competitions that a decision takes out of the count of an entry."""

import django.db.models.deletion
from django.db import migrations, models


FIGURES = {
    "any_medal_mean": "Any Medal %",
    "any_medal_sem": "SEM of Any Medal",
    "gold_mean": "Gold %",
    "silver_mean": "Silver %",
    "bronze_mean": "Bronze %",
    "above_median_mean": "Above median %",
    "valid_mean": "Valid %",
    "submitted_mean": "Submitted %",
}


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0007_decision_details")]

    operations = [
        migrations.AddField(
            model_name="entryrun",
            name="masked_by",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                help_text="The decision by which the competition is shown, but not counted, for this entry.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="masked_runs",
                to="leaderboard.decision",
            ),
        ),
        migrations.AddIndex(
            model_name="entryrun",
            index=models.Index(
                condition=models.Q(("masked_by__isnull", False)), fields=["entry"], name="entry_run_masked"
            ),
        ),
        migrations.RemoveConstraint(model_name="restatement", name="restatement_figure_known"),
        migrations.AlterField(
            model_name="restatement",
            name="figure",
            field=models.CharField(choices=list(FIGURES.items()), max_length=20),
        ),
        migrations.AddConstraint(
            model_name="restatement",
            constraint=models.CheckConstraint(
                condition=models.Q(("figure__in", list(FIGURES))), name="restatement_figure_known"
            ),
        ),
    ]
