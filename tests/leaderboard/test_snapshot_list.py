"""Every state of the boards is found again, of every benchmark."""

import pytest
from django.test import Client

from leaderboard.models import Snapshot, StoredBoard
from leaderboard.standings import rebuild_standings
from tests.factories import NOW, make_benchmark
from tests.leaderboard.boards import make_board_benchmark, make_placed

pytestmark = pytest.mark.django_db


def test_all_are_there_newest_first_and_lead_to_their_pages(client: Client) -> None:
    one = make_board_benchmark()
    other = make_benchmark("other", {"comp-other": "low"})
    for benchmark in (one, other, one):
        make_placed(benchmark, "additional", 40.0)
        rebuild_standings(benchmark, NOW)
    known = list(Snapshot.objects.all())
    page = client.get("/snapshots/").content.decode()
    links = [page.index(f'href="/snapshots/{snapshot.pk}/"') for snapshot in known]
    assert links == sorted(links)
    assert {snapshot.benchmark for snapshot in known} == {one, other}
    assert all(client.get(f"/snapshots/{snapshot.pk}/").status_code == 200 for snapshot in known)


def test_of_one_benchmark_alone(client: Client) -> None:
    one = make_board_benchmark()
    other = make_benchmark("other", {"comp-other": "low"})
    for benchmark in (one, other):
        make_placed(benchmark, "additional", 40.0)
        rebuild_standings(benchmark, NOW)
    page = client.get("/snapshots/?benchmark=other").content.decode()
    shown = [snapshot for snapshot in Snapshot.objects.all() if f'href="/snapshots/{snapshot.pk}/"' in page]
    assert {snapshot.benchmark for snapshot in shown} == {other}
    assert client.get("/snapshots/?benchmark=none").status_code == 404


def test_it_says_whose_rows_are_kept(client: Client) -> None:
    make_placed(benchmark := make_board_benchmark(), "additional", 40.0)
    rebuild_standings(benchmark, NOW)
    assert "the boards of now" in client.get("/snapshots/").content.decode()
    Snapshot.objects.update(is_current=False)
    assert "<td>kept</td>" in client.get("/snapshots/").content.decode()
    StoredBoard.objects.all().delete()
    assert "not kept" in client.get("/snapshots/").content.decode()


def test_before_there_is_one_it_says_so(client: Client) -> None:
    make_board_benchmark()
    assert "No snapshots yet" in client.get("/snapshots/").content.decode()
