"""Boards that were stored line by line are the same after the migration that stores them by column.

In a file of its own: a test that commits empties the tables behind it, tracks included.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client

from grading.models import Benchmark
from leaderboard.integrity.decide import move_entry
from leaderboard.integrity.masking import mask_competitions
from leaderboard.models import Entry, Snapshot, StoredRow, Track
from leaderboard.stored_boards import Standing
from tests.factories import NOW, make_maintainer
from tests.leaderboard.boards import GROUNDS, make_placed
from tests.leaderboard.medal_boards import make_wide, make_wide_benchmark
from tests.leaderboard.standings import find_standings

LINE_BY_LINE, BY_COLUMN = "0016_audit", "0017_board_columns"


def migrate_to(name: str) -> Any:
    """The models as they are there."""
    target = [("leaderboard", name)]
    MigrationExecutor(connection).migrate(target)
    return MigrationExecutor(connection).loader.project_state(target).apps


@contextmanager
def as_before() -> Iterator[Any]:
    """The models of before; behind it, whatever happens, the tables are today's."""
    newest = [
        key for key in MigrationExecutor(connection).loader.graph.leaf_nodes() if key[0] == "leaderboard"
    ]
    try:
        yield migrate_to(LINE_BY_LINE)
    finally:
        MigrationExecutor(connection).migrate(newest)


def publish_some() -> Benchmark:
    """Entries on every track: one masked, one that ran a part, one imported."""
    benchmark, maintainer = make_wide_benchmark(), make_maintainer()
    make_wide(benchmark, "3" * 12)
    masked = make_wide(benchmark, "321032103210", track="no-private-lb")
    make_wide(benchmark, "1" * 12, scope="low")
    make_wide(benchmark, "2" * 12, track="additional")
    make_placed(benchmark, "no-private-lb", 33.333)
    mask_competitions(masked, ["c00", "c05"], GROUNDS, maintainer, NOW)
    return benchmark


def store_line_by_line(models: Any, snapshot: int, standings: list[Standing]) -> None:
    """As it was done: the first line of a board keeps its parts for all."""
    models.get_model("leaderboard", "Standing").objects.bulk_create(
        models.get_model("leaderboard", "Standing")(
            snapshot_id=snapshot, entry_id=each.entry, track=each.track, split=each.split,
            position=each.position, rank=each.rank,
            row={**each.row, "parts": each.parts} if each.position == 1 else each.row,
        )
        for each in standings
    )  # fmt: skip


@pytest.fixture
def ranking(client: Client) -> Any:
    """What the API says of the rows of a track."""
    return lambda track: client.get(f"/api/v1/rankings/{track}").json()["rows"]


def place(standing: Standing) -> tuple[str, str, int]:
    return standing.track, standing.split, standing.position


@pytest.mark.django_db(transaction=True)
def test_boards_stored_line_by_line_stay_as_they_are(ranking: Any) -> None:
    benchmark, maintainer = publish_some(), make_maintainer()
    shown = sorted(find_standings(benchmark=benchmark.slug), key=place)
    said = {track: ranking(track) for track in ("clean", "no-private-lb", "additional", "all")}
    current = Snapshot.objects.get(benchmark=benchmark, is_current=True)
    assert [len(rows) for rows in said.values()] == [2, 4, 1, 5]

    with as_before() as models:
        store_line_by_line(models, current.pk, shown)
    assert "leaderboard_standing" not in connection.introspection.table_names()
    assert sorted(find_standings(benchmark=benchmark.slug), key=place) == shown
    assert {track: ranking(track) for track in said} == said

    # They have no columns yet: the next build makes every row anew, and shows the same.
    assert set(map(bytes, StoredRow.objects.values_list("medals", flat=True))) == {b""}
    first = said["clean"][0]["entry"]
    move_entry(Entry.objects.get(pk=first), Track.objects.get(slug="additional"), GROUNDS, maintainer, NOW)
    assert [row["entry"] for row in ranking("clean")] == [said["clean"][1]["entry"]]
    assert {row["entry"] for row in ranking("additional")} == {first, said["additional"][0]["entry"]}
    move_entry(Entry.objects.get(pk=first), Track.objects.get(slug="clean"), GROUNDS, maintainer, NOW)
    assert sorted(find_standings(benchmark=benchmark.slug), key=place) == shown
