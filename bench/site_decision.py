"""Processor time of one decision on a filled site, beside making all its standings from nothing.

    MLEB_VAR=DIR python -m bench.site_decision

Prints one JSON object. Nothing that it writes stays.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Callable
from datetime import timedelta

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
django.setup()

from django.db import transaction

from grading.models import Benchmark
from leaderboard.models import Decision, Entry, Placement, Snapshot, StoredBoard, StoredRow, Track
from leaderboard.standings import rebuild_standings, refresh_standings

from .site_rows import BENCHMARK, NOW

DECISIONS = 3
LATER = NOW + timedelta(days=2)


def measure(build: Callable[[Benchmark], object]) -> float:
    """Seconds of processor time of what is built; nothing of it stays."""
    benchmark = Benchmark.objects.get(slug=BENCHMARK)
    with transaction.atomic():
        before = time.process_time()
        build(benchmark)
        spent = time.process_time() - before
        transaction.set_rollback(True)
    return spent


def decide(benchmark: Benchmark, at: int) -> None:
    """Moves an entry to another track, and shows it."""
    entry = Entry.objects.filter(benchmark=benchmark).order_by("pk")[at]
    track = Track.objects.exclude(placements__entry=entry).order_by("position")[0]
    (decision,) = Decision.objects.bulk_create(
        [
            Decision(
                kind=Decision.Kind.MOVE, entry=entry, track=track, reason="Made up.", rule="None",
                evidence_url="https://example.org/", effective_at=LATER, recorded_at=LATER,
                previous_hash=f"before the move {at}", hash=f"move {at}",
            )
        ]
    )  # fmt: skip
    Placement.objects.create(entry=entry, track=track, decision=decision, effective_at=LATER)
    refresh_standings(benchmark, LATER)


def rebuild(benchmark: Benchmark) -> None:
    """The plain way: as if nothing had been built before."""
    for model in (StoredBoard, StoredRow, Snapshot):
        model.objects.all().delete()
    rebuild_standings(benchmark, LATER)


def main() -> None:
    decisions = [measure(lambda benchmark, at=at: decide(benchmark, at)) for at in range(DECISIONS)]  # type: ignore[misc]
    done = {"decision_s": round(statistics.median(decisions), 2), "rebuild_s": round(measure(rebuild), 2)}
    print(json.dumps(done))


if __name__ == "__main__":
    main()
