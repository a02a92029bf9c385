"""The boards of a snapshot as they are stored: what is shown of each entry, once, and the order of every board."""

from django.db import models
from django.db.models import Q

from grading.models import Benchmark
from grading.splits import Split
from leaderboard.models.board import Snapshot
from leaderboard.models.entry import Entry

SPLITS = [(split.value, split.label) for split in Split]


class StoredRow(models.Model):
    """What every board of a split shows of an entry, from one snapshot on until another row took its place.

    Beside it stands what its place among others is reckoned from, so that a decision on one entry reads the runs of
    no other.
    """

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, db_index=False, related_name="+")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="stored_rows")
    split = models.CharField(max_length=10, choices=SPLITS)
    since = models.PositiveBigIntegerField(help_text="The first snapshot that shows it.")
    until = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="The first snapshot that does not any more; empty while it is shown."
    )
    track = models.SlugField(help_text="Where the entry stands.")
    figure = models.FloatField(null=True, blank=True, help_text="Any Medal as it is printed.")
    run_on = models.DateField()
    seeds = models.PositiveSmallIntegerField(default=0, help_text="0 where its runs are not known.")
    medals = models.BinaryField(help_text="By competition how many seeds have a medal; 16 bits each.")
    counted = models.BinaryField(help_text="By competition whether it counts; empty where all do.")
    resampled = models.BinaryField(help_text="Any Medal on each resample; 16 bits each.")
    masked = models.BinaryField(help_text="Any Medal under each usual mask, as printed; 64 bits each.")
    source = models.CharField(max_length=64, help_text="Changes with the columns of entry and agent.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of row and columns.")
    row = models.TextField(help_text="JSON of what all boards of the split show.")

    class Meta:
        ordering = ["entry", "split", "since"]
        indexes = [models.Index(fields=["benchmark", "split", "since"], name="stored_row_by_board")]
        constraints = [
            models.UniqueConstraint(
                fields=["entry", "split"], condition=Q(until=None), name="one_current_row_per_split"
            )
        ]

    def __str__(self) -> str:
        return f"entry {self.entry_id} on {self.split} since snapshot {self.since}"


class StoredBoard(models.Model):
    """One board of a snapshot: which entries in what order, and the figures that depend on who else is there.

    `track` is a track's slug or "all".
    """

    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, db_index=False, related_name="boards")
    track = models.SlugField()
    split = models.CharField(max_length=10, choices=SPLITS)
    count = models.PositiveIntegerField(help_text="The number of its lines.")
    lines = models.TextField(help_text="JSON of its columns.")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["snapshot", "track", "split"], name="board_once_per_snapshot")
        ]

    def __str__(self) -> str:
        return f"{self.track} on {self.split} in snapshot {self.snapshot_id}"
