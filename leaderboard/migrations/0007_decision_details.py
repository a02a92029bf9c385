"""What a decision is about beside its entry, whether its evidence is private, and who reported it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leaderboard", "0006_findings"),
    ]

    operations = [
        migrations.AddField(
            model_name="decision",
            name="details",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="What it is about beside the entry, such as the competitions it masks. Public.",
            ),
        ),
        migrations.AddField(
            model_name="decision",
            name="evidence_is_private",
            field=models.BooleanField(
                default=False, help_text="The link is shown to maintainers and the team alone."
            ),
        ),
        migrations.AddField(
            model_name="decision",
            name="is_self_reported",
            field=models.BooleanField(default=False, help_text="The team itself reported what it decides."),
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
                    ("mask", "competitions masked"),
                    ("unmask", "competitions counted again"),
                    ("verify", "claim verified"),
                    ("ask", "team asked"),
                    ("annotate", "annotated"),
                    ("grant", "appeal granted"),
                    ("deny", "appeal denied"),
                ],
                max_length=12,
            ),
        ),
    ]
