"""Boards of the past: by when things took effect, with figures of then, and what came later."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from leaderboard import as_of
from leaderboard.as_of import read_as_of
from leaderboard.filters import BadView
from leaderboard.history import import_history, read_history
from leaderboard.integrity.decide import flag_entry, move_entry, withdraw_entry
from leaderboard.integrity.masking import lift_masks, mask_competitions
from leaderboard.integrity.repin import move_pins
from leaderboard.integrity.repin_plan import Target
from leaderboard.models import Decision, Restatement, Track
from leaderboard.standings import rebuild_standings
from tests.factories import NOW, make_answers, make_benchmark, make_maintainer
from tests.leaderboard.boards import GROUNDS, make_board_benchmark, make_placed, make_published
from tests.leaderboard.masking import make_maskable
from tests.leaderboard.repins import add_grading, run_of

pytestmark = pytest.mark.django_db
API = "/api/v1/rankings/"


def slugs(client: Client, address: str) -> list[str]:
    return [row["slug"] for row in client.get(API + address).json()["rows"]]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-01", datetime(2026, 3, 1, 23, 59, 59, 999999, UTC)),
        ("2026-05-01", NOW),
        ("2026-03-01T12:00:00Z", datetime(2026, 3, 1, 12, tzinfo=UTC)),
        ("2026-03-01T12:00:00+02:00", datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ("0001-01-01", datetime(1, 1, 1, 23, 59, 59, 999999, UTC)),
    ],
)
def test_a_day_is_its_end_and_today_is_now(text: str, moment: datetime) -> None:
    assert read_as_of(text, NOW) == moment


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("2026-05-02", "in the future"),
        ("2026-05-01T12:00:01Z", "in the future"),
        ("9999-12-31", "in the future"),
        ("2026-02-30", "neither a day"),
        ("2026-03-01T12:00:00", "neither a day"),
        ("0001-01-01T00:00:00+14:00", "neither a day"),
        ("last week", "neither a day"),
        ("2026-03-01\0", "neither a day"),
    ],
)
def test_nonsense_and_the_future_are_refused(text: str, says: str) -> None:
    with pytest.raises(BadView, match=says):
        read_as_of(text, NOW)


def test_moments_without_a_decision_between_them_share_one_board(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_placed(make_board_benchmark(), "clean", 40.0)
    built, build = [], as_of._build
    monkeypatch.setattr(as_of, "_build", lambda *given: built.append(given) or build(*given))
    for second in range(5):
        assert slugs(client, f"clean?benchmark=bench&split=all&as_of=2026-05-02T00:00:0{second}Z")
    assert not slugs(client, "clean?benchmark=bench&split=all&as_of=2026-04-30T00:00:00Z")
    assert len(built) == 2


def test_the_history_grows_day_by_day(client: Client) -> None:
    make_benchmark("mle-bench-v1", {"a": "low", "b": "medium", "c": "high"})
    import_history(read_history(), NOW)
    assert slugs(client, "no-private-lb?as_of=2024-10-07") == []
    assert len(slugs(client, "no-private-lb?as_of=2024-10-08")) == 6
    before, after = (slugs(client, f"no-private-lb?as_of={day}") for day in ("2026-03-22", "2026-03-23"))
    assert set(before) > set(after)
    moved = set(before) - set(after)
    assert set(slugs(client, "additional?as_of=2026-03-23")) == moved
    assert slugs(client, "additional?as_of=2026-03-22") == []
    answer = client.get(f"{API}no-private-lb?as_of=2024-10-08").json()
    assert answer["as_of"]["recorded_later"] == 6
    assert answer["as_of"]["changed_since"] == 26
    assert answer["view"]["has_statistics"] is False
    page = client.get("/boards/mle-bench-v1/no-private-lb/all/?as_of=2024-10-08").content.decode()
    assert "The board as it stood at the end of 2024-10-08" in page
    assert "6 of the decisions behind it were recorded here only later" in page


def test_ranks_are_those_of_then(client: Client) -> None:
    benchmark = make_board_benchmark()
    make_placed(benchmark, "no-private-lb", 50.0)
    early = client.get(f"{API}all?as_of=2026-05-01T12:00:00Z").json()["rows"]
    now = client.get(f"{API}all").json()["rows"]
    assert [(row["slug"], row["rank"], row["result"]) for row in early] == [
        (row["slug"], row["rank"], row["result"]) for row in now
    ]


def test_moves_withdrawals_and_flags_count_once_they_took_effect(client: Client) -> None:
    benchmark, maintainer = make_board_benchmark(), make_maintainer()
    entry = make_published(benchmark, {"s1": {"comp-low": 0.95}}, track="no-private-lb")
    later = [NOW + timedelta(hours=hour) for hour in (1, 2, 3)]
    flag_entry(entry, GROUNDS, maintainer, later[0])
    move_entry(entry, Track.objects.get(slug="additional"), GROUNDS, maintainer, later[1])
    withdraw_entry(entry, GROUNDS, maintainer, later[2])

    def at(moment: datetime, track: str = "all") -> list[dict[str, Any]]:
        words = {"split": "low", "as_of": moment.isoformat()}
        return client.get(f"{API}{track}", words).json()["rows"]

    assert [(row["track"], row["flags"]) for row in at(NOW)] == [("no-private-lb", [])]
    assert [flag["reason"] for flag in at(later[0])[0]["flags"]] == [GROUNDS.reason]
    assert at(later[1], "no-private-lb") == []
    assert at(later[1])[0]["warning"]["decision"] == Decision.objects.get(kind="move").pk
    assert at(later[2]) == []
    assert slugs(client, "all?split=low") == []


def test_restated_figures_are_put_back(client: Client) -> None:
    benchmark, maintainer = make_board_benchmark(), make_maintainer()
    entry = make_published(benchmark, {"s1": {"comp-low": 0.95}}, track="no-private-lb")
    decision = flag_entry(entry, GROUNDS, maintainer, NOW + timedelta(hours=1))
    Restatement.objects.create(
        decision=decision, split="low", figure="any_medal_mean", before=100.0, after=0.0
    )
    entry.results.filter(split="low").update(any_medal_mean=0.0)
    rebuild_standings(benchmark, NOW + timedelta(hours=1))

    def figure(words: str) -> float:
        return client.get(f"{API}all?split=low{words}").json()["rows"][0]["result"]["any_medal_mean"]

    assert figure("") == 0.0
    assert figure("&as_of=2026-05-01T12:30:00Z") == 100.0
    assert figure("&as_of=2026-05-01T13:30:00Z") == 0.0


def test_filters_and_tables_work_on_the_past_too(client: Client) -> None:
    benchmark = make_board_benchmark()
    make_placed(benchmark, "no-private-lb", 50.0, gpus=1.0)
    make_placed(benchmark, "clean", 60.0, gpus=8.0)
    assert len(slugs(client, "no-private-lb?as_of=2026-05-02&gpus_max=4")) == 1
    assert len(slugs(client, "no-private-lb?as_of=2026-05-02&exact=1")) == 1
    assert client.get(f"{API}no-private-lb?as_of=2026-05-02&format=csv").content.count(b"\r\n") == 3


def test_pages_refuse_nonsense_cleanly(client: Client) -> None:
    make_placed(make_board_benchmark(), "no-private-lb", 50.0)
    for words in ("as_of=nope", "as_of=9999-01-01", "gpus_min=x"):
        answer = client.get(f"/?{words}")
        assert answer.status_code == 400
        assert "Show the board without that" in answer.content.decode()


def test_the_past_is_built_once(client: Client, django_assert_max_num_queries: Any) -> None:
    benchmark = make_board_benchmark()
    for number in range(5):
        make_placed(benchmark, "no-private-lb", 50.0 + number)
    with django_assert_max_num_queries(26):
        client.get(f"{API}all?as_of=2026-05-02")
    with django_assert_max_num_queries(3):
        client.get(f"{API}all?as_of=2026-05-02&sort=-agent")


def test_masks_stand_as_they_stood_then(client: Client) -> None:
    entry, maintainer = make_maskable(), make_maintainer()
    days = [NOW + timedelta(days=day) for day in range(1, 6)]
    mask_competitions(entry, ["low-a"], GROUNDS, maintainer, days[0])
    run = run_of(entry, "s1", "low-b")
    add_grading(run, 0.95, make_answers(run.competition))
    move_pins(entry, Target(), GROUNDS, maintainer, days[1])
    lift_masks(entry, ["low-a"], GROUNDS, maintainer, days[2])
    mask_competitions(entry, ["low-a", "low-b"], GROUNDS, maintainer, days[3])

    def low(at: datetime) -> tuple[object, ...]:
        words = f"clean?benchmark=bench&split=low&as_of={at:%Y-%m-%dT%H:%M:%SZ}"
        (row,) = client.get(API + words).json()["rows"]
        result, counted = row["result"] or {}, row["masked"] or {}
        figures = [
            result.get(name) for name in ("any_medal_mean", "gold_count", "bronze_count", "submitted_mean")
        ]
        return (*figures, counted.get("counted"), row["nothing_counted"])

    assert [low(at) for at in (NOW, *days[:4])] == [
        (75.0, 2, 1, 100.0, None, []),
        (50.0, 0, 1, 100.0, 1, []),
        (50.0, 1, 0, 100.0, 1, []),
        (75.0, 3, 0, 100.0, None, []),
        (None, None, None, None, 0, ["low"]),
    ]
