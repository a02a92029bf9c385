import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("submissions", "0005_resubmission")]

    operations = [
        migrations.AddField(
            model_name="upload",
            name="storage_version",
            field=models.CharField(
                blank=True, help_text="Of the completed object, where the store keeps versions.", max_length=250
            ),
        ),
        migrations.AddField(
            model_name="upload",
            name="storage_etag",
            field=models.CharField(blank=True, help_text="Of the completed object.", max_length=250),
        ),
        migrations.AlterField(
            model_name="upload",
            name="storage_upload_id",
            field=models.CharField(blank=True, help_text="The store's own name for it.", max_length=1024),
        ),
        migrations.CreateModel(
            name="AnnouncedPart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("sha256", models.CharField(max_length=64)),
                (
                    "upload",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="announced",
                        to="submissions.upload",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("upload", "number"), name="announced_once_per_upload")
                ],
            },
        ),
    ]
