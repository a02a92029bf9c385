"""Whose turn it is: shares, order, no credit for idle time, and what one has asked for never in another's way."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from grading.grade import claim_grading, give_back, record_verdict, request_grading
from grading.lanes import due, join_lane, lost
from grading.models import Blob, Grading, GradingLane
from grading.regrade import request_regrade
from grading.verdict import Verdict, fault_verdict
from tests.factories import NOW, make_competition

pytestmark = pytest.mark.django_db
RING = ("a.task", "x")
Priority = Grading.Priority
_blobs = count(1)


def make_blob() -> Blob:
    number = next(_blobs)
    return Blob.objects.create(realm="r", sha256=f"{number:064}", size=1, key=f"csv/lanes/{number}")


@pytest.fixture
def competition_id() -> str:
    return make_competition().pk


def ask(competition_id: str, word: str, runs: int, priority: int = Priority.TEAM) -> None:
    """So many runs of one lane, asked for at once."""
    lane = join_lane(word, priority)
    for _ in range(runs):
        request_grading(make_blob(), competition_id, RING, NOW, lane)


def serve(runs: int, takes_s: float = 1.0, now: datetime = NOW) -> str:
    """The words of the lanes served, in order, by a worker alone."""
    return "".join(word for word, _ in zip(served(takes_s, now), range(runs), strict=False))


def served(takes_s: float, now: datetime) -> Iterator[str]:
    while claim := claim_grading(now):
        record_verdict(claim, Verdict("scored", 0.5, wall_s=takes_s), now)
        lane = claim.grading.lane
        assert lane is not None
        yield lane.word


@pytest.mark.parametrize(
    ("asked", "order"),
    [
        ([("a", 3)], "aaa"),
        ([("a", 4), ("b", 2)], "ababaa"),
        ([("a", 4), ("b", 2), ("c", 1)], "abcabaa"),
        ([("b", 1), ("a", 5)], "baaaaa"),
    ],
)
def test_lanes_take_turns(competition_id: str, asked: list[tuple[str, int]], order: str) -> None:
    for word, runs in asked:
        ask(competition_id, word, runs)
    assert serve(99) == order


def test_a_latecomer_waits_for_one_turn_and_not_for_the_queue(competition_id: str) -> None:
    ask(competition_id, "a", 50)
    assert serve(10) == "a" * 10
    ask(competition_id, "b", 3)
    assert serve(6) == "ababab"


def test_idle_time_is_no_credit(competition_id: str) -> None:
    ask(competition_id, "b", 1)
    ask(competition_id, "a", 60)
    serve(41)
    ask(competition_id, "b", 20)
    assert Counter(serve(20)) == {"a": 10, "b": 10}


def test_yesterdays_work_is_no_debt(competition_id: str) -> None:
    ask(competition_id, "a", 30)
    serve(30)
    ask(competition_id, "b", 10)
    ask(competition_id, "a", 10)
    assert Counter(serve(10)) == {"a": 5, "b": 5}


def test_what_takes_longer_counts_for_more(competition_id: str) -> None:
    """Runs of ten seconds against runs of one: half of the time each, not half of the turns."""
    for word, runs in (("slow", 20), ("fast", 200)):
        ask(competition_id, word, runs)
    spent: Counter[str] = Counter()
    while spent.total() < 300:
        claim = claim_grading(NOW)
        assert claim is not None
        assert claim.grading.lane is not None
        word = claim.grading.lane.word
        takes_s = {"slow": 10, "fast": 1}[word]
        record_verdict(claim, Verdict("scored", 0.5, wall_s=takes_s), NOW)
        spent[word] += takes_s
    assert abs(spent["slow"] - spent["fast"]) <= 20


def test_regrades_come_behind_and_checkpoints_last(competition_id: str) -> None:
    ask(competition_id, "checkpoint", 2, Priority.CHECKPOINT)
    request_regrade(make_blob(), competition_id, None, NOW)
    ask(competition_id, "team", 2)
    claims = [claim_grading(NOW) for _ in range(6)]
    assert [claim.grading.priority for claim in claims if claim] == [0, 0, 10, 20, 20]
    assert claims[-1] is None


def test_what_waits_far_behind_gives_no_head_start(competition_id: str) -> None:
    """Regrades that are never reached keep their clock; a lane of teams is not put back to where they stand."""
    request_regrade(make_blob(), competition_id, None, NOW)
    ask(competition_id, "a", 20)
    serve(10)
    ask(competition_id, "b", 10)
    assert Counter(serve(10)) == {"a": 5, "b": 5}


def test_a_lost_one_goes_first_in_its_lane(competition_id: str) -> None:
    ask(competition_id, "a", 3)
    lost = claim_grading(NOW)
    later = NOW + settings.GRADING_LEASE + timedelta(seconds=1)
    again = claim_grading(later)
    assert lost is not None
    assert again is not None
    assert again.grading == lost.grading
    assert again.token == lost.token + 1


def test_what_is_taken_is_what_the_querysets_call_lost_and_due(competition_id: str) -> None:
    """In their order, at the very moment on which each of them turns, and nothing beside."""
    ask(competition_id, "a", 8)
    moments = [NOW + timedelta(seconds=by) for by in (-2, -1, 0, 1)]
    queued, running = list(Grading.objects.all()[:4]), list(Grading.objects.all()[4:])
    for grading, held, at in zip(queued, running, reversed(moments), strict=True):
        Grading.objects.filter(pk=grading.pk).update(not_before=at)
        Grading.objects.filter(pk=held.pk).update(state=Grading.State.RUNNING, lease_until=at)
    expected = [grading.pk for grading in (*lost(NOW), *due(NOW))]
    assert set(expected) == set(Grading.objects.claimable(NOW).values_list("pk", flat=True))
    taken = []
    while claim := claim_grading(NOW):
        taken.append(claim.grading.pk)
    assert taken == expected
    assert len(taken) == 2 + 3


def test_one_that_pauses_holds_up_nobody_and_nothing_of_its_own_lane(competition_id: str) -> None:
    ask(competition_id, "a", 2)
    ask(competition_id, "b", 1)
    claim = claim_grading(NOW)
    assert claim is not None
    give_back(claim, fault_verdict("machine_fault"), NOW)
    assert sorted(serve(99)) == ["a", "b"]
    assert serve(99, now=NOW + timedelta(minutes=5)) == "a"


def test_brought_forward_it_stands_in_the_lane_that_asked(competition_id: str) -> None:
    blob, last = make_blob(), join_lane("a", Priority.CHECKPOINT)
    first = request_grading(blob, competition_id, RING, NOW, last)
    request_grading(blob, competition_id, RING, NOW, join_lane("a", Priority.TEAM))
    first.refresh_from_db()
    assert first.lane == GradingLane.objects.get(word="a", priority=Priority.TEAM)
    request_grading(blob, competition_id, RING, NOW, last)
    first.refresh_from_db()
    assert first.priority == Priority.TEAM


@pytest.mark.parametrize("waiting", [5, 300])
def test_a_claim_asks_the_same_however_much_waits(competition_id: str, waiting: int) -> None:
    ask(competition_id, "a", waiting)
    with CaptureQueriesContext(connection) as asked:
        assert claim_grading(NOW) is not None
    assert len([query for query in asked if "SAVEPOINT" not in query["sql"]]) == 4


@dataclass
class Team:
    """Of the simulation: when its runs come and what each takes, in seconds."""

    word: str
    at_s: int
    runs: int
    takes_s: int


# Two slots. The small team comes three minutes after the large ones.
CROWD = [Team("large", 0, 120, 3), Team("slow", 0, 12, 60), Team("small", 180, 25, 2)]


def test_a_crowd_delays_a_small_team_by_its_share_and_not_by_its_length(competition_id: str) -> None:
    ended = simulate(competition_id, CROWD, slots=2)
    alone = simulate(competition_id, [Team("alone", 0, 25, 2)], slots=2)["alone"]
    # A third of the time is its own, and whoever was served when it came is let finish.
    assert ended["small"] - 180 <= 3 * alone + 2 * 60
    assert set(ended) == {"large", "slow", "small"}
    # No slot stands still while something waits.
    assert max(ended.values()) <= (120 * 3 + 12 * 60 + 25 * 2) / 2 + 60


def simulate(competition_id: str, teams: list[Team], slots: int) -> dict[str, int]:
    """Second at which the last run of each team ended, by real claims and a clock of the test's own."""
    busy: list[tuple[int, object, Team]] = []
    ended: dict[str, int] = {}
    for second in range(100_000):
        now = NOW + timedelta(seconds=second)
        for team in teams:
            if team.at_s == second:
                ask(competition_id, team.word, team.runs)
        for until, claim, team in [each for each in busy if each[0] <= second]:
            busy.remove((until, claim, team))
            record_verdict(claim, Verdict("scored", 0.5, wall_s=team.takes_s), now)  # type: ignore[arg-type]
            ended[team.word] = second
        while len(busy) < slots and (claim := claim_grading(NOW)):
            team = next(each for each in teams if each.word == claim.grading.lane.word)  # type: ignore[union-attr]
            busy.append((second + team.takes_s, claim, team))
        if not busy and all(team.at_s < second for team in teams):
            return ended
    raise AssertionError("the queue never emptied")
