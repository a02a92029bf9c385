"""The head of the chain of decisions, set to where the chain ends now."""

from django.db import migrations, models


def set_head(apps, schema_editor):
    decisions = apps.get_model("leaderboard", "Decision").objects.order_by("-pk")
    if newest := decisions.first():
        apps.get_model("leaderboard", "ChainHead").objects.create(
            pk=1, count=decisions.count(), number=newest.pk, hash=newest.hash
        )


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0002_tracks")]

    operations = [
        migrations.CreateModel(
            name="ChainHead",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("count", models.PositiveIntegerField(default=0)),
                (
                    "number",
                    models.PositiveBigIntegerField(
                        default=0, help_text="Of the newest decision; 0 before the first."
                    ),
                ),
                ("hash", models.CharField(blank=True, max_length=64)),
            ],
        ),
        migrations.RunPython(set_head, migrations.RunPython.noop),
    ]
