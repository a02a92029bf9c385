"""What stands now as it stood at a moment of the past: stored rows of entries on which nothing was decided since."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Q

from grading.splits import Split
from leaderboard.models import Decision, Snapshot
from leaderboard.stored_boards import read_rows

Json = dict[str, Any]


def changed_since(snapshot: Snapshot, at: datetime) -> set[int] | None:
    """The entries decided on with effect after the moment, or after the snapshot looked. None: it could be any."""
    if snapshot.seen_until is None:
        return None
    since = Q(pk__gt=snapshot.seen_decision) | Q(effective_at__gt=min(at, snapshot.seen_until))
    decided = Decision.objects.filter(since, entry__benchmark=snapshot.benchmark_id).order_by()
    return set(decided.values_list("entry", flat=True))


def split_rows(
    snapshot: Snapshot | None, split: Split, at: datetime
) -> tuple[Mapping[int, Json], set[int] | None]:
    """By entry the rows that were the same then, and the entries of which none is: None where it could be any."""
    changed = changed_since(snapshot, at) if snapshot else None
    if snapshot is None or changed is None:
        return {}, None
    stored = read_rows(snapshot.pk, snapshot.digest, split.value)
    # A flag on a board of the past is told by its decision.
    changed |= {entry for entry, row in stored.items() if row["flags"]}
    return {entry: row for entry, row in stored.items() if entry not in changed}, changed
