"""Lanes of the queue, whose turns are fair, with what waits now in the one without a word; slots of grading hosts."""

import django.db.models.deletion
from django.db import migrations, models

PRIORITIES = [(0, "a team's run"), (10, "a regrade"), (20, "a checkpoint")]


def put_into_lanes(apps, editor):
    """What waits or runs joins the lane without a word at its priority."""
    Grading, Lane = apps.get_model("grading", "Grading"), apps.get_model("grading", "GradingLane")
    waiting = Grading.objects.exclude(state="done")
    for priority in waiting.values_list("priority", flat=True).distinct():
        waiting.filter(priority=priority).update(lane=Lane.objects.create(word="", priority=priority))


class Migration(migrations.Migration):
    dependencies = [("grading", "0003_blob_by_digest")]

    operations = [
        migrations.CreateModel(
            name="GradingLane",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("word", models.CharField(blank=True, help_text="The caller's, opaque.", max_length=64)),
                ("priority", models.PositiveSmallIntegerField(choices=PRIORITIES, default=0)),
                ("clock", models.FloatField(default=0, help_text="Seconds of grading it was given, from where it joined.")),
                ("expected_s", models.FloatField(default=1, help_text="What its gradings have lately taken.")),
            ],
            options={
                "indexes": [models.Index(fields=["priority", "clock"], name="grading_gra_priorit_f0a1f0_idx")],
                "constraints": [models.UniqueConstraint(fields=("word", "priority"), name="lane_once")],
            },
        ),
        migrations.AlterField(
            model_name="grading",
            name="priority",
            field=models.PositiveSmallIntegerField(choices=PRIORITIES, default=0),
        ),
        migrations.AddField(
            model_name="grading",
            name="lane",
            field=models.ForeignKey(
                blank=True,
                help_text="Empty only where it never waited in one.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="gradings",
                to="grading.gradinglane",
            ),
        ),
        migrations.RunPython(put_into_lanes, migrations.RunPython.noop),
        migrations.AddField(
            model_name="gradinghost",
            name="slots",
            field=models.PositiveSmallIntegerField(default=0, help_text="Gradings at the same time."),
        ),
        migrations.AddIndex(
            model_name="grading",
            index=models.Index(fields=["lane", "state", "not_before", "id"], name="grading_next_in_lane"),
        ),
        migrations.AddConstraint(
            model_name="grading",
            constraint=models.CheckConstraint(
                condition=models.Q(("state", "done"), ("lane__isnull", False), _connector="OR"),
                name="grading_waits_in_a_lane",
            ),
        ),
    ]
