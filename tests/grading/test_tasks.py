"""One message wakes a worker, which takes what is next until nothing waits, its worker ends, or its turn is over."""

from collections.abc import Iterator

import pytest
from django.utils import timezone

from grading import stopping, tasks
from grading.grade import request_grading
from grading.lease import RINGS_AT_ONCE
from grading.models import Blob, Grading
from grading.rings import ring_graders
from grading.verdict import Verdict
from tests.factories import make_answers, make_competition

pytestmark = pytest.mark.django_db
GRADE, ADVANCE = "grading.tasks.grade", "submissions.tasks.advance"


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    sent: list[tuple[object, ...]] = []
    for module in ("grading.tasks", "grading.rings"):
        monkeypatch.setattr(f"{module}.ring", lambda *words: sent.append(words))
    monkeypatch.setattr(tasks, "isolated_pool", lambda now, slot: None)
    monkeypatch.setattr(tasks, "execute", lambda grading, pool: Verdict("scored", 0.5, wall_s=0.1))
    return sent


@pytest.fixture
def three(rung: list[tuple[object, ...]]) -> list[Grading]:
    """Two of one submission and one of another."""
    competition = make_competition()
    make_answers(competition)
    return [_ask(competition.pk, number, word) for number, word in enumerate(("one", "one", "other"))]


def _ask(competition_id: str, number: int, word: str) -> Grading:
    blob = Blob.objects.create(realm="r", sha256=f"{number:064}", size=1, key=f"csv/tasks/{number}")
    return request_grading(blob, competition_id, (ADVANCE, word), timezone.now())


@pytest.fixture
def ending() -> Iterator[None]:
    stopping.announce_end()
    yield
    stopping._ending[0] = 0


def _done() -> int:
    return Grading.objects.filter(state=Grading.State.DONE).count()


def test_one_message_is_enough_for_all_that_waits(
    three: list[Grading], rung: list[tuple[object, ...]]
) -> None:
    tasks.grade(three[0].pk)
    assert _done() == 3
    assert rung == [(ADVANCE, "one"), (ADVANCE, "other")]


def test_who_waits_for_several_is_told_with_the_last(
    three: list[Grading], rung: list[tuple[object, ...]]
) -> None:
    told = []
    while tasks._grade_next():
        told.append([argument for _, argument in rung])
    assert told == [[], ["one"], ["one", "other"]]


def test_a_worker_that_ends_takes_nothing_new(ending: None, three: list[Grading]) -> None:
    tasks.grade(three[0].pk)
    assert _done() == 0


def test_a_turn_ends_and_the_next_message_goes_on(
    three: list[Grading], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "TURN_S", 0.0)
    for done in (1, 2, 3):
        tasks.grade(three[0].pk)
        assert _done() == done


def test_a_fault_of_one_holds_up_none_behind_it(
    three: list[Grading], rung: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def execute(grading: Grading, pool: object) -> Verdict:
        if grading == three[0]:
            raise OSError("no store")
        return Verdict("scored", 0.5, wall_s=0.1)

    monkeypatch.setattr(tasks, "execute", execute)
    tasks.grade(three[0].pk)
    assert _done() == 2
    # Its submission waits for it still, and is not told.
    assert rung == [(ADVANCE, "other")]


def test_what_each_part_cost_is_logged(three: list[Grading], caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "grading.tasks"):
        tasks.grade(three[0].pk)
    assert [line.getMessage().count(" ms") for line in caplog.records] == [3, 3, 3]


def test_so_many_workers_are_woken_and_no_more(rung: list[tuple[object, ...]]) -> None:
    ring_graders(range(3 * RINGS_AT_ONCE))
    assert rung == [(GRADE, number) for number in range(RINGS_AT_ONCE)]
