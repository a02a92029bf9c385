"""What is shown of an entry is stored once, and not again for every board and snapshot."""

import hashlib
import json

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

SPLITS = [
    ("low", "Low (Lite)"),
    ("medium", "Medium"),
    ("high", "High"),
    ("all", "All"),
    ("dev", "Dev"),
]
OF_LINES = ("rank_low", "rank_high", "differing", "p_value", "p_adjusted")
NOT_OWN = (*OF_LINES, "applies", "is_leader", "tied_with_leader")


def keep_current(apps, schema_editor):
    """The boards that are current stay what they are. Those of before are let go, as they would be in time."""
    Snapshot = apps.get_model("leaderboard", "Snapshot")
    for snapshot in Snapshot.objects.filter(is_current=True):
        places = snapshot.standings.order_by("track", "split").values_list("track", "split").distinct()
        for track, split in list(places):
            keep_board(apps, snapshot, track, split)


def keep_board(apps, snapshot, track, split):
    StoredBoard = apps.get_model("leaderboard", "StoredBoard")
    found = list(snapshot.standings.filter(track=track, split=split).order_by("position"))
    keep_rows(apps, snapshot, found)
    lines = json.dumps(read_lines(found), separators=(",", ":"))
    StoredBoard.objects.create(snapshot=snapshot, track=track, split=split, count=len(found), lines=lines)


def read_lines(standings):
    statistics = [each.row.get("statistics") or {} for each in standings]
    masks = [each.row.get("masks") or {} for each in standings]
    names = list(dict.fromkeys(name for each in masks for name in each))
    leaders = [each.entry_id for each in standings if (each.row.get("statistics") or {}).get("is_leader")]
    return {
        "entry": [each.entry_id for each in standings],
        "rank": [each.rank for each in standings],
        **{name: [each.get(name) for each in statistics] for name in OF_LINES},
        "mask_ranks": {name: [each.get(name, {}).get("rank") for each in masks] for name in names},
        "leader": leaders[0] if leaders else None,
        "parts": standings[0].row.get("parts") or {},
    }


def keep_rows(apps, snapshot, standings):
    """Those not kept yet. They lack the columns, so that the next decision makes all anew."""
    StoredRow = apps.get_model("leaderboard", "StoredRow")
    split = standings[0].split
    known = set(StoredRow.objects.filter(until=None, split=split).values_list("entry", flat=True))
    StoredRow.objects.bulk_create(
        [keep_row(StoredRow, snapshot, each) for each in standings if each.entry_id not in known], 200
    )


def keep_row(StoredRow, snapshot, standing):
    row = {name: value for name, value in standing.row.items() if name != "parts"}
    statistics = row.get("statistics")
    if statistics:
        own = {name: value for name, value in statistics.items() if name not in NOT_OWN}
        # Whether it is ranked depends on the board.
        is_here = own.get("why_not") == "This row is not ranked here."
        row["statistics"] = {**own, "why_not": None if is_here else own.get("why_not")}
    else:
        row["statistics"] = None
    row["masks"] = {
        name: {key: value for key, value in mask.items() if key != "rank"}
        for name, mask in (row.get("masks") or {}).items()
    }
    text = json.dumps(row, separators=(",", ":"))
    return StoredRow(
        benchmark_id=snapshot.benchmark_id, entry_id=standing.entry_id, split=standing.split, since=snapshot.pk,
        track=row["track"], run_on=row["run_on"], row=text, digest=hashlib.sha256(text.encode()).hexdigest(),
    )  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0016_audit")]

    operations = [
        migrations.AddField("snapshot", "basis", models.CharField(
            blank=True, default="", max_length=64,
            help_text="SHA-256 of what all its rows rest on; empty: every row may be another.",
        )),
        migrations.AddField("snapshot", "seen_decision", models.PositiveBigIntegerField(
            default=0, help_text="The newest decision it knows.",
        )),
        migrations.AddField("snapshot", "seen_until", models.DateTimeField(
            blank=True, null=True, help_text="Its clock when it was looked after last.",
        )),
        migrations.CreateModel(
            name="StoredRow",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("split", models.CharField(choices=SPLITS, max_length=10)),
                ("since", models.PositiveBigIntegerField(help_text="The first snapshot that shows it.")),
                ("until", models.PositiveBigIntegerField(
                    blank=True, null=True,
                    help_text="The first snapshot that does not any more; empty while it is shown.",
                )),
                ("track", models.SlugField(help_text="Where the entry stands.")),
                ("figure", models.FloatField(blank=True, help_text="Any Medal as it is printed.", null=True)),
                ("run_on", models.DateField()),
                ("seeds", models.PositiveSmallIntegerField(default=0, help_text="0 where its runs are not known.")),
                ("medals", models.BinaryField(
                    help_text="By competition how many seeds have a medal; 16 bits each.",
                )),
                ("counted", models.BinaryField(help_text="By competition whether it counts; empty where all do.")),
                ("resampled", models.BinaryField(help_text="Any Medal on each resample; 16 bits each.")),
                ("masked", models.BinaryField(
                    help_text="Any Medal under each usual mask, as printed; 64 bits each.",
                )),
                ("source", models.CharField(
                    help_text="Changes with the columns of entry and agent.", max_length=64,
                )),
                ("digest", models.CharField(help_text="SHA-256 of row and columns.", max_length=64)),
                ("row", models.TextField(help_text="JSON of what all boards of the split show.")),
                ("benchmark", models.ForeignKey(
                    db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+",
                    to="grading.benchmark",
                )),
                ("entry", models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE, related_name="stored_rows", to="leaderboard.entry",
                )),
            ],
            options={"ordering": ["entry", "split", "since"]},
        ),
        migrations.AddIndex("storedrow", models.Index(
            fields=["benchmark", "split", "since"], name="stored_row_by_board",
        )),
        migrations.AddConstraint("storedrow", models.UniqueConstraint(
            condition=Q(until=None), fields=("entry", "split"), name="one_current_row_per_split",
        )),
        migrations.CreateModel(
            name="StoredBoard",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("track", models.SlugField()),
                ("split", models.CharField(choices=SPLITS, max_length=10)),
                ("count", models.PositiveIntegerField(help_text="The number of its lines.")),
                ("lines", models.TextField(help_text="JSON of its columns.")),
                ("snapshot", models.ForeignKey(
                    db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="boards",
                    to="leaderboard.snapshot",
                )),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.AddConstraint("storedboard", models.UniqueConstraint(
            fields=("snapshot", "track", "split"), name="board_once_per_snapshot",
        )),
        migrations.RunPython(keep_current, migrations.RunPython.noop, elidable=True),
        migrations.DeleteModel("standing"),
    ]  # fmt: skip
