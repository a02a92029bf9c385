"""What an API token may do, and its name."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("knox", "0009_extend_authtoken_field"),
        ("submissions", "0002_validity_check"),
    ]

    operations = [
        migrations.CreateModel(
            name="TokenGrant",
            fields=[
                (
                    "token",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="grant",
                        serialize=False,
                        to="knox.authtoken",
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        blank=True, help_text="For people, such as the machine it is on.", max_length=60
                    ),
                ),
                ("scopes", models.JSONField(default=list, help_text="Of TokenScope.")),
            ],
        ),
    ]
