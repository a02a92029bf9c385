"""Writing the standings of a snapshot, and letting go of those of old ones, in few statements."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate

from django.db.models import Sum

from grading.models import Benchmark
from leaderboard.models import Snapshot, StoredBoard, StoredRow

# Snapshots keep their boards while they are among so many, and as long as these have not more lines in all.
KEPT_SNAPSHOTS, KEPT_LINES = 20, 1_000_000
KEPT_AT_LEAST = 2
BATCH = 200


@dataclass(frozen=True)
class Ordered:
    """A board as it is stored. `lines`: the text of `board_lines.Lines`."""

    track: str
    split: str
    count: int
    lines: str


@dataclass(frozen=True)
class Changes:
    """`gone`: stored rows that are not shown any more; `new`: unsaved ones that are."""

    gone: Sequence[int]
    new: Sequence[StoredRow]

    def __bool__(self) -> bool:
        return bool(self.gone or self.new)


def find_changes(benchmark: Benchmark, rows: Sequence[StoredRow], only: Collection[int] | None) -> Changes:
    """What of the rows is not stored so already. `only`: the entries that they are all rows of, if not of all."""
    stored = StoredRow.objects.filter(benchmark=benchmark, until=None)
    if only is not None:
        stored = stored.filter(entry__in=only)
    found = {
        (entry, split): (pk, digest)
        for pk, entry, split, digest in stored.order_by().values_list("pk", "entry", "split", "digest")
    }
    new = [row for row in rows if found.get((row.entry_id, row.split), (0, ""))[1] != row.digest]
    same = {(row.entry_id, row.split) for row in rows} - {(row.entry_id, row.split) for row in new}
    return Changes([pk for key, (pk, _) in found.items() if key not in same], new)


def open_snapshot(benchmark: Benchmark, grader_version: str, now: datetime) -> Snapshot:
    """A snapshot that nobody sees yet."""
    return Snapshot.objects.create(
        benchmark=benchmark, digest="", grader_version=grader_version, built_at=now
    )


def write_changes(snapshot: Snapshot, changes: Changes) -> None:
    """From this snapshot on other rows are shown."""
    for at in range(0, len(changes.gone), BATCH):
        StoredRow.objects.filter(pk__in=changes.gone[at : at + BATCH]).update(until=snapshot.pk)
    for row in changes.new:
        row.since = snapshot.pk
    StoredRow.objects.bulk_create(changes.new, BATCH)


def replace_snapshot(
    current: Snapshot | None, snapshot: Snapshot, digest: str, boards: Sequence[Ordered]
) -> None:
    """Now everybody sees the snapshot, in place of the one that was current."""
    StoredBoard.objects.bulk_create(
        [StoredBoard(snapshot=snapshot, **vars(board)) for board in boards], batch_size=4
    )
    if current:
        Snapshot.objects.filter(pk=current.pk).update(is_current=False)
    snapshot.digest, snapshot.is_current = digest, True
    snapshot.save(update_fields=["digest", "is_current"])


def prune_standings(benchmark: Benchmark) -> None:
    """Boards of old snapshots go, and the rows that only these showed. The snapshots stay as a record."""
    boards = StoredBoard.objects.filter(snapshot__benchmark=benchmark)
    newest = boards.order_by("-snapshot_id").values_list("snapshot_id").annotate(number=Sum("count"))
    kept = choose_kept(list(newest))
    boards.exclude(snapshot__in=kept).delete()
    if kept:
        StoredRow.objects.filter(benchmark=benchmark, until__lte=min(kept)).delete()


def choose_kept(newest: Sequence[tuple[int, int]]) -> list[int]:
    """The snapshots whose boards stay, of snapshots with their numbers of lines; the two newest always."""
    totals = accumulate(number for _, number in newest)
    return [
        snapshot
        for at, ((snapshot, _), total) in enumerate(zip(newest, totals, strict=True))
        if at < KEPT_AT_LEAST or (at < KEPT_SNAPSHOTS and total <= KEPT_LINES)
    ]
