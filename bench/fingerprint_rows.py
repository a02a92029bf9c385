"""Fills the database of DATABASE_URL with made-up fingerprints, and measures between: `python -m bench.fingerprint_rows
SIZE …`. One JSON object a line. First all on one competition, then the last number once more, over 75 others.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
import django

django.setup()

import numpy as np
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from grading.models import Benchmark, Blob, Competition, Membership
from leaderboard.fingerprints.comparing import search_all
from leaderboard.fingerprints.near import Stock, distances, near_strangers, unpack
from leaderboard.fingerprints.sketch import BUCKETS, HALVES, VERSION
from leaderboard.fingerprints.stock import pack_loose
from leaderboard.models import Fingerprint
from submissions.cards import add_revision
from submissions.models import Organisation, Run, Submission, Team, User

REPEATS, BATCH, ORGANISATIONS, SEEDS, OTHERS = 9, 2_000, 200, 100, 75
RNG = np.random.default_rng(1)
PLANTED = "0" * 64


def main() -> None:
    call_command("migrate", verbosity=0)
    sizes = [int(word) for word in sys.argv[1:]]
    teams, benchmark = _teams(), Benchmark.objects.create(slug="made-up", title="Made up")
    one = _competition("made-up-one", benchmark)
    new = _plant(teams, benchmark, one)
    stored = 2
    for size in sizes:
        _fill(teams, benchmark, [one], size - stored)
        stored = size
        _say(size, 1, one, new)
    others = [_competition(f"made-up-{at}", benchmark) for at in range(OTHERS)]
    new = _plant(teams, benchmark, others[0])
    _fill(teams, benchmark, others, sizes[-1] - 2)
    _say(sizes[-1], OTHERS, others[0], new)


def _say(stored: int, competitions: int, competition: Competition, new: Submission) -> None:
    pack_loose(competition.pk)
    ours, cpu = _timed(lambda: search_all(new))
    rows, _ = _timed(lambda: _row_by_row(new))
    found = any(each.of == "stranger" for each in search_all(new).alike)
    line = {"stored": stored, "competitions": competitions, "ours_s": ours, "cpu_s": cpu, "rows_s": rows}
    print(json.dumps({**line, "found": found}), flush=True)


def _timed(do: Callable[[], object]) -> tuple[float, float]:
    """Median seconds on the clock, and of the processor."""
    do()
    wall, cpu = [], []
    for _ in range(REPEATS):
        start, used = time.perf_counter(), time.process_time()
        do()
        wall.append(time.perf_counter() - start)
        cpu.append(time.process_time() - used)
    return round(statistics.median(wall), 4), round(statistics.median(cpu), 4)


def _row_by_row(new: Submission) -> None:
    """The yardstick: the same sketches as single rows, by one plain query, and the same arithmetic."""
    run = new.runs.get()
    own = Fingerprint.objects.get(blob=run.blob)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, organisation_id, sketch FROM leaderboard_fingerprint "
            "WHERE competition_id = %s AND version = %s AND state = 'made'",
            [run.competition_id, VERSION],
        )
        rows = cursor.fetchall()
    stock = Stock(
        np.array([row[0] for row in rows]),
        np.array([row[1] for row in rows]),
        unpack([bytes(row[2]) for row in rows]),
    )
    found = distances(stock.sketches, unpack([bytes(own.sketch)])[0])
    near_strangers(stock, found, own.organisation_id, None, 5)


def _teams() -> list[Team]:
    names = [f"made-up-{at}" for at in range(ORGANISATIONS)]
    Organisation.objects.bulk_create(Organisation(name=name, slug=name) for name in names)
    found = Organisation.objects.filter(slug__startswith="made-up-").order_by("pk")
    Team.objects.bulk_create(Team(organisation=each, name="team") for each in found)
    return list(Team.objects.order_by("pk"))


def _competition(name: str, benchmark: Benchmark) -> Competition:
    made = Competition.objects.create(
        id=name, title=name, category="made up", metric="accuracy", metric_family="accuracy",
        lower_is_better=False, file_digest=PLANTED,
    )  # fmt: skip
    Membership.objects.create(benchmark=benchmark, competition=made, split="low")
    return made


def _sketches(number: int) -> Iterator[bytes]:
    drawn = RNG.integers(-127, 128, (number, HALVES * BUCKETS), dtype=np.int8)
    return (row.tobytes() for row in drawn)


def _plant(teams: list[Team], benchmark: Benchmark, competition: Competition) -> Submission:
    """The new submission with one run, and the run of another organisation that it was copied from."""
    (sketch,) = _sketches(1)
    noisy = np.frombuffer(sketch, dtype=np.int8) // 2 + RNG.integers(-1, 2, HALVES * BUCKETS)
    _store([_submission(teams[0], benchmark)], [competition], [sketch])
    new = _submission(teams[1], benchmark)
    _store([new], [competition], [noisy.astype(np.int8).tobytes()])
    return new


def _submission(team: Team, benchmark: Benchmark) -> Submission:
    user, _ = User.objects.get_or_create(username="made-up", email="made-up@example.org")
    made = Submission.objects.create(team=team, benchmark=benchmark, created_by=user)
    made.scope, made.confirmed_at, made.confirmed_revision = (
        "low",
        timezone.now(),
        add_revision(made, {}, None),
    )
    made.save()
    return made


@transaction.atomic
def _fill(teams: list[Team], benchmark: Benchmark, competitions: list[Competition], number: int) -> None:
    runs = SEEDS * len(competitions)
    for start in range(0, number, runs):
        submission = _submission(teams[2 + start // runs % (ORGANISATIONS - 2)], benchmark)
        _store([submission], competitions, list(_sketches(min(runs, number - start))))


def _store(submissions: list[Submission], competitions: list[Competition], sketches: list[bytes]) -> None:
    (submission,) = submissions
    key = f"{submission.pk:x}"
    Blob.objects.bulk_create(
        (
            Blob(realm=submission.team.realm, sha256=f"{key}-{at}", size=1, key=f"csv/{key}/{at}")
            for at in range(len(sketches))
        ),
        batch_size=BATCH,
    )
    blobs = list(Blob.objects.filter(key__startswith=f"csv/{key}/").order_by("pk"))
    places = [
        (competitions[at % len(competitions)], str(at // len(competitions))) for at in range(len(sketches))
    ]
    Run.objects.bulk_create(
        (
            Run(submission=submission, folder=seed, seed=seed, competition=competition, blob=blob)
            for (competition, seed), blob in zip(places, blobs, strict=True)
        ),
        batch_size=BATCH,
    )
    Fingerprint.objects.bulk_create(
        (
            Fingerprint(
                blob=blob, competition=competition, organisation_id=submission.team.organisation_id,
                version=VERSION, state="made", rows=1, content=PLANTED, sketch=sketch, made_at=timezone.now(),
            )
            for (competition, _), blob, sketch in zip(places, blobs, sketches, strict=True)
        ),
        batch_size=BATCH,
    )  # fmt: skip


if __name__ == "__main__":
    main()
