"""What decisions leave of the boards equals what is made from nothing, whatever was decided in whatever order."""

from collections.abc import Callable
from contextlib import suppress
from datetime import date, timedelta
from random import Random
from typing import Any

import numpy as np
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from grading.models import Benchmark, Competition
from leaderboard.integrity.decide import DecisionRefused, flag_entry, move_entry, withdraw_entry
from leaderboard.integrity.masking import lift_masks, mask_competitions
from leaderboard.models import Entry, Snapshot, StoredBoard, StoredRow, Track
from leaderboard.ranking import Line, rank_lines
from leaderboard.standings import rebuild_standings, refresh_standings
from leaderboard.statistics.board import order_lines
from leaderboard.statistics.columns import Columns
from submissions.models import Organisation, User
from tests.factories import NOW, make_maintainer, place_entry
from tests.leaderboard.boards import GROUNDS, make_placed
from tests.leaderboard.medal_boards import make_wide, make_wide_benchmark
from tests.leaderboard.standings import find_standings

Shown = list[tuple[Any, ...]]
TRACKS = ("clean", "no-private-lb", "additional")
DAYS = (date(2026, 1, 1), date(2026, 1, 2))
STEPS = 8


@pytest.fixture
def benchmark(db: None) -> Benchmark:
    return make_wide_benchmark()


@pytest.fixture
def maintainer(db: None) -> User:
    return make_maintainer()


def medals(random: Random) -> str:
    return "".join(random.choice("0123") for _ in range(12))


def publish_one(random: Random, benchmark: Benchmark) -> None:
    make_wide(benchmark, medals(random), track=random.choice(TRACKS), seeds=random.choice((1, 3, 4)))


def import_one(random: Random, benchmark: Benchmark) -> None:
    make_placed(benchmark, random.choice(TRACKS[1:]), random.choice((0.0, 25.0, 33.333, 50.0)))


def rename(random: Random, benchmark: Benchmark) -> None:
    """Not a decision: the next one shows it too."""
    organisation = random.choice(list(Organisation.objects.filter(agents__entries__benchmark=benchmark)))
    Organisation.objects.filter(pk=organisation.pk).update(name=f"Renamed {random.random()}")


def place_later(random: Random, benchmark: Benchmark) -> None:
    """A decision that takes effect only later."""
    place_entry(
        any_entry(random, benchmark), random.choice(TRACKS), NOW + timedelta(days=random.choice((1, 9)))
    )


def any_entry(random: Random, benchmark: Benchmark) -> Entry:
    return random.choice(list(Entry.objects.filter(benchmark=benchmark).order_by("pk")))


def decide(random: Random, benchmark: Benchmark, by: User, now: Any) -> None:
    entry = any_entry(random, benchmark)
    some = random.sample([f"c{at:02}" for at in range(12)], random.choice((1, 5, 12)))
    track = Track.objects.get(slug=random.choice(TRACKS))
    what: list[Callable[[], object]] = [
        lambda: move_entry(entry, track, GROUNDS, by, now),
        lambda: mask_competitions(entry, some, GROUNDS, by, now),
        lambda: lift_masks(entry, some, GROUNDS, by, now),
        lambda: flag_entry(entry, GROUNDS, by, now),
        lambda: withdraw_entry(entry, GROUNDS, by, now),
    ]
    # Some cannot be made as things are; nothing is written then.
    with suppress(DecisionRefused):
        random.choices(what, weights=(4, 4, 2, 2, 1))[0]()


def shown(benchmark: Benchmark) -> Shown:
    return [
        (each.track, each.split, each.position, each.rank, each.row)
        for each in find_standings(benchmark=benchmark.slug)
    ]


def made_from_nothing(benchmark: Benchmark) -> tuple[str, Shown]:
    """Its digest and rows; nothing of it stays."""
    at = Snapshot.objects.get(benchmark=benchmark, is_current=True).seen_until
    assert at is not None
    with transaction.atomic():
        StoredRow.objects.all().delete()
        StoredBoard.objects.all().delete()
        Snapshot.objects.all().delete()
        found = rebuild_standings(benchmark, at).digest, shown(benchmark)
        transaction.set_rollback(True)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_random_decisions_leave_what_is_made_from_nothing(
    benchmark: Benchmark, maintainer: User, seed: int
) -> None:
    random, steps = Random(seed), [publish_one, import_one, rename, place_later]
    for _ in range(3):
        publish_one(random, benchmark)
    for at in range(STEPS):
        if random.random() < 0.4:
            random.choice(steps)(random, benchmark)
        decide(random, benchmark, maintainer, NOW + timedelta(hours=at * 6))
        if at % 4 == 3:
            refresh_standings(benchmark, NOW + timedelta(hours=at * 6 + 1))
            digest = Snapshot.objects.get(benchmark=benchmark, is_current=True).digest
            assert (digest, shown(benchmark)) == made_from_nothing(benchmark)


def test_only_what_was_decided_on_is_stored_anew(benchmark: Benchmark, maintainer: User) -> None:
    one, other = make_wide(benchmark, "3" * 12), make_wide(benchmark, "2" * 12)
    kept = set(StoredRow.objects.filter(entry=other, until=None).values_list("pk", flat=True))
    move_entry(one, Track.objects.get(slug="additional"), GROUNDS, maintainer, NOW)
    assert set(StoredRow.objects.filter(entry=other, until=None).values_list("pk", flat=True)) == kept
    assert {row.track for row in StoredRow.objects.filter(entry=one, until=None)} == {"additional"}


@pytest.mark.parametrize("entries", [2, 12])
def test_a_decision_asks_as_much_however_many_stand_there(
    benchmark: Benchmark, maintainer: User, entries: int
) -> None:
    moved = [make_wide(benchmark, "3" * 12) for _ in range(entries)][-1]
    with CaptureQueriesContext(connection) as queries:
        place_entry(moved, "additional")
        refresh_standings(benchmark, NOW)
    assert len(queries) == 49


def test_what_is_known_of_a_competition_makes_every_row_anew(benchmark: Benchmark) -> None:
    make_wide(benchmark, "3" * 12)
    before = Snapshot.objects.get(benchmark=benchmark, is_current=True)
    Competition.objects.filter(pk="c07").update(known_issues=[{"kind": "leak", "summary": "", "source": ""}])
    assert refresh_standings(benchmark, NOW) != before
    row = find_standings(track="clean", split="all")[0].row
    assert row["masks"]["known-leaks"]["competitions"] == 10


def test_columns_are_put_in_the_order_of_lines() -> None:
    """The board of a few lines, worked out one by one, and of all at once."""
    for seed in range(30):
        random = Random(seed)
        lines = [
            Line(entry, random.choice((None, 0.0, 50.0, 50.001)), random.random() < 0.7, random.choice(DAYS))
            for entry in sorted(random.sample(range(100), 12))
        ]  # fmt: skip
        here = np.array(sorted(random.sample(range(12), 9)))
        order, ranks = order_lines(columns_of(lines), here, {"ranked"})
        placed = rank_lines([lines[at] for at in here])
        assert [lines[at].entry for at in order] == [each.entry for each in placed]
        assert ranks.tolist() == [each.rank for each in placed if each.rank is not None]


def columns_of(lines: list[Line]) -> Columns:
    empty = np.zeros((len(lines), 0))
    return Columns(
        entries=np.array([line.entry for line in lines]),
        tracks=np.array(["ranked" if line.is_ranked else "not" for line in lines]),
        figures=np.array([np.nan if line.figure is None else line.figure for line in lines]),
        days=np.array([line.run_on.toordinal() for line in lines]),
        seeds=np.zeros(len(lines), dtype=np.int64),
        medals=empty.astype(np.int16), counted=empty.astype(np.bool_), moving=np.zeros(0, dtype=np.int64),
        resampled=empty.astype(np.int16), masked=empty,
    )  # fmt: skip
