"""A maintainer who judges what they decided themselves, by way of another's correction."""

import pytest

from leaderboard.integrity.appeals import Objection, deny_appeal, file_appeal, find_appeal_conflict
from leaderboard.integrity.correcting import supersede
from leaderboard.integrity.decide import DecisionRefused, move_entry
from tests import factories as make
from tests.leaderboard.boards import GROUNDS
from tests.leaderboard.record.people import NOW, Cast, after, grounds, make_cast, track

pytestmark = pytest.mark.django_db
OBJECTION = Objection("It was the sample submission.", "https://example.org/our-side")


@pytest.fixture
def people() -> Cast:
    return make_cast()


def test_who_made_a_decision_does_not_answer_the_appeal_after_another_has_reworded_it(people: Cast) -> None:
    moved = move_entry(people.entry, track("additional"), GROUNDS, people.maintainer, NOW)
    reworded = supersede(moved, grounds("The same, spelt better."), people.second, after(1))
    appeal = file_appeal(reworded, OBJECTION, people.owner, after(2))
    for judge in (people.maintainer, people.second):
        with pytest.raises(DecisionRefused, match="You made the decision that is appealed"):
            deny_appeal(appeal, GROUNDS, judge, after(3))
    assert deny_appeal(appeal, GROUNDS, make.make_maintainer(), after(3))


def test_who_decided_otherwise_before_may_answer(people: Cast) -> None:
    """Or two maintainers could answer no appeal against a correction."""
    moved = move_entry(people.entry, track("additional"), GROUNDS, people.maintainer, NOW)
    placed = supersede(moved, GROUNDS, people.second, after(1), track("no-private-lb"))
    appeal = file_appeal(placed, OBJECTION, people.owner, after(2))
    assert not find_appeal_conflict(people.maintainer, appeal)
    assert find_appeal_conflict(people.second, appeal)
