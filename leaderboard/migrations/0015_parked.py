from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0014_notices")]

    operations = [
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("process", models.CharField(help_text="Which kind: intake, grading, …", max_length=40)),
                ("host", models.CharField(max_length=120)),
                ("started_at", models.DateTimeField()),
                ("heard_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["process", "host"],
                "constraints": [models.UniqueConstraint(fields=("process", "host"), name="heartbeat_once")],
            },
        ),
        migrations.CreateModel(
            name="FailedTask",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("task", models.CharField(blank=True, max_length=100)),
                ("argument", models.CharField(max_length=64)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                (
                    "reason",
                    models.CharField(
                        help_text="The kind of failure, without any words of a submission.", max_length=200
                    ),
                ),
                ("failed_at", models.DateTimeField()),
                ("not_before", models.DateTimeField(help_text="Until then it is not tried again.")),
                (
                    "parked_at",
                    models.DateTimeField(
                        blank=True, help_text="Since then it is not tried at all.", null=True
                    ),
                ),
            ],
            options={
                "ordering": ["-failed_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("task", "argument"), name="failed_task_once")
                ],
            },
        ),
    ]
