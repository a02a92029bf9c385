"""What all rows of a benchmark rest on, and which entries may show something else than when its boards were built."""

import hashlib
from collections.abc import Mapping
from datetime import datetime

from django.db.models import Max, Q

from grading.graders.version import GRADER_VERSION
from grading.models import Benchmark, Membership
from leaderboard.models import Decision, Snapshot, StoredRow, Track

# Changes with what is stored of an entry, or how it is reckoned: then every row is made anew.
FORMAT = 1
COMPETITION = ("known_issues", "closed_on", "category")


def read_basis(benchmark: Benchmark) -> str:
    """SHA-256 over competitions, tracks and versions. Where it is another, every row may be."""
    facts = [f"competition__{name}" for name in COMPETITION]
    members = Membership.objects.filter(benchmark=benchmark).order_by("competition")
    tracks = Track.objects.order_by("position", "pk").values_list(
        "slug", "title", "is_ranked", "is_warned", "position"
    )
    shown = Track.shows_also.through.objects.order_by("from_track", "to_track")
    said = (
        FORMAT,
        GRADER_VERSION,
        benchmark.answers_public,
        list(members.values_list("competition", "split", *facts)),
        list(tracks),
        list(shown.values_list("from_track", "to_track")),
    )
    return hashlib.sha256(repr(said).encode()).hexdigest()


def newest_decision() -> int:
    """The number of the newest decision there is. Each continues the one before, so that none of before comes later."""
    return Decision.objects.aggregate(newest=Max("pk"))["newest"] or 0


def find_touched(snapshot: Snapshot, now: datetime, sources: Mapping[int, str]) -> set[int]:
    """The entries decided on since the snapshot looked, or by decisions that took effect since; and those that changed.

    Every change of a published entry's runs, figures, flags or masks is a decision on it.
    """
    benchmark, until = snapshot.benchmark_id, snapshot.seen_until
    since = Q(pk__gt=snapshot.seen_decision) | Q(effective_at__gt=until, effective_at__lte=now)
    decided = Decision.objects.filter(since, entry__benchmark=benchmark).order_by()
    stored = StoredRow.objects.filter(benchmark=benchmark, until=None).order_by()
    changed = {
        entry
        for entry, source in stored.values_list("entry", "source").distinct()
        if sources.get(entry) != source
    }
    return changed | set(decided.values_list("entry", flat=True))
