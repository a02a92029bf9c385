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
from functools import partial

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
django.setup()

from django.db import transaction

from grading.models import Benchmark
from leaderboard.integrity.decide import move_entry
from leaderboard.models import Entry, Snapshot, StoredBoard, StoredRow, Track
from leaderboard.standings import rebuild_standings
from submissions.models import User

from .site_move import GROUNDS, LATER, make_judge
from .site_rows import BENCHMARK

DECISIONS = 3


def measure(build: Callable[[Benchmark, User], object]) -> float:
    """Seconds of processor time of what is built; nothing of it stays."""
    benchmark = Benchmark.objects.get(slug=BENCHMARK)
    with transaction.atomic():
        judge = make_judge()
        before = time.process_time()
        build(benchmark, judge)
        spent = time.process_time() - before
        transaction.set_rollback(True)
    return spent


def decide(benchmark: Benchmark, judge: User, at: int) -> None:
    """Moves an entry to another track, as a maintainer does, and shows it."""
    entry = Entry.objects.filter(benchmark=benchmark).order_by("pk")[at]
    track = Track.objects.exclude(placements__entry=entry).order_by("position")[0]
    move_entry(entry, track, GROUNDS, judge, LATER)


def rebuild(benchmark: Benchmark, _: User) -> None:
    """The plain way: as if nothing had been built before."""
    for model in (StoredBoard, StoredRow, Snapshot):
        model.objects.all().delete()
    rebuild_standings(benchmark, LATER)


def main() -> None:
    decisions = [measure(partial(decide, at=at)) for at in range(DECISIONS)]
    done = {"decision_s": round(statistics.median(decisions), 2), "rebuild_s": round(measure(rebuild), 2)}
    print(json.dumps(done))


if __name__ == "__main__":
    main()
