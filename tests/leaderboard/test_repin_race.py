"""Two maintainers move pins at once, on a real database with real threads.

In a file of its own: a test that commits empties the tables behind it, tracks included, so it must come last.
"""

import pytest

from leaderboard.integrity.decide import flag_entry
from leaderboard.integrity.ledger import verify_decisions
from leaderboard.integrity.repin import move_pins
from leaderboard.integrity.repin_plan import Target, plan_repin
from leaderboard.models import Decision, PinMove
from tests import factories as make
from tests.leaderboard.boards import GROUNDS
from tests.leaderboard.repins import make_regradable, regrade_with_new_answers, run_of
from tests.leaderboard.test_decide_race import at_once

NOW, TARGET = make.NOW, Target()


@pytest.mark.django_db(transaction=True)
def test_of_two_maintainers_at_once_one_moves_the_pins() -> None:
    entry, maintainers = make_regradable(), [make.make_maintainer() for _ in range(2)]
    regrade_with_new_answers(entry, "low-a", {"s1": 0.85})
    seen, effect = entry.decisions.latest("pk").pk, plan_repin(entry, TARGET).effect
    first, second = (
        lambda by=by: move_pins(entry, TARGET, GROUNDS, by, NOW, seen, effect) for by in maintainers
    )
    assert at_once(first, second) == ["made", "refused"]
    assert PinMove.objects.count() == Decision.objects.filter(kind="repin").count() == 1
    assert run_of(entry, "s1", "low-a").score == 0.85
    assert verify_decisions() == []


@pytest.mark.django_db(transaction=True)
def test_without_a_preview_too_pins_move_once() -> None:
    entry, maintainers = make_regradable(), [make.make_maintainer() for _ in range(2)]
    regrade_with_new_answers(entry, "low-a", {"s1": 0.85})
    first, second = (lambda by=by: move_pins(entry, TARGET, GROUNDS, by, NOW) for by in maintainers)
    assert at_once(first, second) == ["made", "refused"]
    assert PinMove.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_beside_another_decision_only_one_is_made_in_view_of_the_same() -> None:
    entry, maintainer, another = make_regradable(), make.make_maintainer(), make.make_maintainer()
    regrade_with_new_answers(entry, "low-a", {"s1": 0.85})
    seen = entry.decisions.latest("pk").pk
    ends = at_once(
        lambda: move_pins(entry, TARGET, GROUNDS, maintainer, NOW, seen),
        lambda: flag_entry(entry, GROUNDS, another, NOW, seen),
    )
    assert ends == ["made", "refused"]
    assert verify_decisions() == []
