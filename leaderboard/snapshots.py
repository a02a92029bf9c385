"""Snapshots as anybody can look them up: what is known of each, and its rows while they are kept."""

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from grading.splits import Split
from leaderboard.models import Snapshot, StoredBoard
from leaderboard.shown import Row, show_rows
from leaderboard.stored_boards import read_board


def known_snapshots() -> QuerySet[Any]:
    """Every snapshot, with whether its rows are kept."""
    boards = StoredBoard.objects.filter(snapshot=OuterRef("pk"))
    return Snapshot.objects.annotate(has_rows=Exists(boards)).select_related("benchmark")


def rows_kept(snapshot: Any, track: str, split: Split) -> list[Row] | None:
    """The rows of one of its boards in order; None where they are not kept any more."""
    if not snapshot.has_rows:
        return None
    rows = show_rows(read_board(snapshot.pk, snapshot.digest, track, split.value))
    return [{**row, "view_position": row["position"]} for row in rows]
