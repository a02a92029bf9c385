"""Two second maintainers at once, and a team that sends its appeal twice. In a file of its own: it commits."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from leaderboard.integrity.appeals import deny_appeal, file_appeal, grant_appeal
from leaderboard.integrity.decide import DecisionRefused
from leaderboard.integrity.ledger import verify_decisions
from leaderboard.models import Appeal, Decision
from tests.leaderboard.record.people import NOW, Cast, grounds, make_cast
from tests.leaderboard.record.test_appeals import OBJECTION, move_it

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people(transactional_db: None) -> Cast:
    return make_cast()


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """What each gave, or the words of its refusal."""
    start, ends = threading.Barrier(len(acts)), []

    def run(act: Callable[[], Any]) -> None:
        start.wait()
        try:
            ends.append(act())
        except DecisionRefused as refused:
            ends.append(str(refused))
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return ends


def test_of_two_second_maintainers_at_once_one_answers(people: Cast) -> None:
    appeal = file_appeal(move_it(people), OBJECTION, people.owner, NOW)
    third = people.conflicted
    third.team_memberships.all().delete()

    def own(act: Callable[..., Decision], by: Any) -> Callable[[], Decision]:
        return lambda: act(Appeal.objects.get(pk=appeal.pk), grounds(f"By {by.pk}."), by, NOW)

    ends = at_once(own(grant_appeal, people.second), own(deny_appeal, third))
    made = [end for end in ends if isinstance(end, Decision)]
    said = [end for end in ends if isinstance(end, str)]
    assert len(made) == len(said) == 1
    assert "answered this appeal" in said[0]
    assert Decision.objects.filter(kind__in=("grant", "deny")).count() == 1
    assert Appeal.objects.get().answer == made[0]
    assert verify_decisions() == []


def test_an_appeal_sent_twice_at_once_is_one(people: Cast) -> None:
    decision = move_it(people)
    ends = at_once(*[lambda: file_appeal(decision, OBJECTION, people.owner, NOW)] * 2)
    assert [end.pk for end in ends] == [Appeal.objects.get().pk] * 2
