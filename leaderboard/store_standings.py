"""Writing the standings of a snapshot, and letting go of those of old ones, in few statements."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Any

from django.db import connection
from django.db.models import Count

from grading.models import Benchmark
from leaderboard.models import Snapshot, Standing

# Snapshots keep their rows while they are among so many, and as long as these rows are not more in all.
KEPT_SNAPSHOTS, KEPT_ROWS = 20, 300_000
KEPT_AT_LEAST = 2
BATCH = 500
COLUMNS = ("snapshot_id", "track", "split", "position", "rank", "entry_id", "row")


@dataclass(frozen=True)
class Stored:
    """A standing as it is written. `text`: its row as JSON."""

    track: str
    split: str
    position: int
    rank: int | None
    entry: int
    text: str


def write_standings(snapshot: Snapshot, standings: Iterable[Stored]) -> None:
    """Straight to the database, since the texts are JSON already: models of them would be half of a build."""
    names = ", ".join(map(connection.ops.quote_name, COLUMNS))
    into = f"INSERT INTO {connection.ops.quote_name(Standing._meta.db_table)} ({names}) VALUES "  # noqa: S608
    one = f"({', '.join(['%s'] * len(COLUMNS))})"
    with connection.cursor() as cursor:
        for batch in _batches(standings):
            values: list[Any] = []
            for each in batch:
                values += (
                    snapshot.pk, each.track, each.split, each.position, each.rank, each.entry, each.text,
                )  # fmt: skip
            cursor.execute(into + ", ".join([one] * len(batch)), values)


def _batches(standings: Iterable[Stored]) -> Iterator[list[Stored]]:
    left = iter(standings)
    while batch := list(islice(left, BATCH)):
        yield batch


def prune_standings(benchmark: Benchmark) -> None:
    """Rows of old snapshots go; the snapshots stay as a record of what was shown when."""
    rows = Standing.objects.filter(snapshot__benchmark=benchmark)
    newest = rows.order_by("-snapshot_id").values_list("snapshot_id").annotate(number=Count("pk"))
    rows.exclude(snapshot__in=choose_kept(list(newest))).delete()


def choose_kept(newest: Sequence[tuple[int, int]]) -> list[int]:
    """The snapshots whose rows stay, of snapshots with their numbers of rows. The one before the newest always does."""
    totals = accumulate(number for _, number in newest)
    return [
        snapshot
        for at, ((snapshot, _), total) in enumerate(zip(newest, totals, strict=True))
        if at < KEPT_AT_LEAST or (at < KEPT_SNAPSHOTS and total <= KEPT_ROWS)
    ]
