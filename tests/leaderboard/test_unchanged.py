"""A board of the past made of what is stored is the one that is built anew, whatever was decided since."""

from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.test import Client

from grading.models import Benchmark
from leaderboard import as_of, unchanged
from leaderboard.integrity.decide import flag_entry, move_entry
from leaderboard.models import Snapshot, Track
from tests.factories import NOW, make_maintainer, place_entry
from tests.leaderboard.boards import GROUNDS
from tests.leaderboard.medal_boards import make_wide, make_wide_benchmark
from tests.leaderboard.test_refreshed import decide, import_one, place_later, publish_one

pytestmark = pytest.mark.django_db
HOURS = (-1, 0, 3, 9, 15, 21, 40)


@pytest.fixture
def benchmark() -> Benchmark:
    return make_wide_benchmark()


def then(client: Client, at: datetime, split: str, track: str = "all") -> Any:
    """What the API says of a moment, made anew."""
    as_of._kept.clear()
    as_of._shown.clear()
    words = {"benchmark": "wide", "split": split, "as_of": at.isoformat()}
    return client.get(f"/api/v1/rankings/{track}", words).json()["rows"]


@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_one_built_anew(
    client: Client, benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    random, maintainer = Random(seed), make_maintainer()
    for step in (publish_one, publish_one, publish_one, import_one, place_later):
        step(random, benchmark)
    for at in range(6):
        decide(random, benchmark, maintainer, NOW + timedelta(hours=at * 4))
    places = [(NOW + timedelta(hours=hour), split) for hour in HOURS for split in ("all", "low")]
    found = [then(client, *place) for place in places]
    monkeypatch.setattr(as_of, "split_rows", lambda *given: ({}, None))
    assert found == [then(client, *place) for place in places]
    assert any(found)


def test_only_what_was_decided_on_since_is_made_anew(
    client: Client, benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved, flagged, other = (make_wide(benchmark, medals * 12) for medals in "321")
    maintainer, later = make_maintainer(), NOW + timedelta(hours=2)
    flag_entry(flagged, GROUNDS, maintainer, NOW)
    move_entry(moved, Track.objects.get(slug="additional"), GROUNDS, maintainer, later)
    built: list[int] = []
    build = as_of.build_row
    monkeypatch.setattr(
        as_of, "build_row", lambda each, *more: built.append(each.entry.pk) or build(each, *more)
    )
    hour = timedelta(hours=1)
    assert [row["entry"] for row in then(client, later - hour, "all")] == [moved.pk, flagged.pk, other.pk]
    # What is said of a flag then is said by its decision.
    assert sorted(built) == sorted([moved.pk, flagged.pk])
    built.clear()
    assert [row["entry"] for row in then(client, later + hour, "all")] == [flagged.pk, other.pk, moved.pk]
    assert built == [flagged.pk]


def test_a_decision_that_no_snapshot_has_seen_counts(client: Client, benchmark: Benchmark) -> None:
    entry = make_wide(benchmark, "3" * 12)
    place_entry(entry, "additional", NOW + timedelta(hours=1))
    assert not then(client, NOW + timedelta(hours=2), "all", "clean")
    assert then(client, NOW + timedelta(hours=2), "all", "additional")
    assert then(client, NOW + timedelta(minutes=30), "all", "clean")


def test_a_snapshot_that_does_not_say_when_it_looked_is_not_believed(benchmark: Benchmark) -> None:
    make_wide(benchmark, "3" * 12)
    current = Snapshot.objects.get(benchmark=benchmark, is_current=True)
    assert unchanged.changed_since(current, NOW) == set()
    current.seen_until = None
    assert unchanged.changed_since(current, NOW) is None
