"""Two maintainers at once, on a real database with real threads.

In a file of its own: a test that commits empties the tables behind it, tracks included, so it must come last.
"""

import threading
from collections.abc import Callable

import pytest
from django.db import connection

from leaderboard.integrity.decide import DecidedAlready, DecisionRefused, flag_entry, move_entry, publish
from leaderboard.integrity.ledger import verify_decisions
from leaderboard.models import Decision, Entry, Placement, Snapshot
from submissions.models import User
from tests import factories as make
from tests.leaderboard.test_decide import GROUNDS, NOW, OTHER, shown_on, track


@pytest.mark.django_db(transaction=True)
def test_of_two_maintainers_publishing_at_once_one_wins_and_the_other_is_told() -> None:
    benchmark = make.make_benchmark("mle", splits={"easy": "low"})
    entry = make.make_reviewed(make.make_graded_submission({"0": {"easy": 0.95}}, benchmark=benchmark))
    maintainers = [make.make_maintainer() for _ in range(2)]
    start, said = threading.Barrier(2), []

    def decide(maintainer: User, slug: str) -> None:
        start.wait()
        try:
            said.append(
                str(publish(Entry.objects.get(pk=entry.pk), track(slug), GROUNDS, maintainer, NOW).track)
            )
        except DecisionRefused as refused:
            said.append(str(refused))
        finally:
            connection.close()

    slugs = ("clean", "additional")
    threads = [threading.Thread(target=decide, args=pair) for pair in zip(maintainers, slugs, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    placed = Placement.objects.get().track
    assert sorted(said, key=len) == [
        placed.title,
        "The submission is published now. Look at it again before you decide.",
    ]
    assert Decision.objects.count() == Snapshot.objects.filter(is_current=True).count() == 1
    assert placed.slug in shown_on(entry)
    assert verify_decisions() == []


def at_once(*decisions: Callable[[], Decision]) -> list[str]:
    """How each ended, sorted: made, already or refused."""
    start, ends = threading.Barrier(len(decisions)), []

    def run(decide: Callable[[], Decision]) -> None:
        start.wait()
        try:
            decide()
            ends.append("made")
        except DecidedAlready:
            ends.append("already")
        except DecisionRefused:
            ends.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(decide,)) for decide in decisions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(ends)


def published() -> tuple[Entry, User, int]:
    benchmark, maintainer = make.make_benchmark("mle", splits={"easy": "low"}), make.make_maintainer()
    entry = make.make_reviewed(make.make_graded_submission({"0": {"easy": 0.95}}, benchmark=benchmark))
    return entry, maintainer, publish(entry, track("no-private-lb"), GROUNDS, maintainer, NOW).pk


@pytest.mark.django_db(transaction=True)
def test_a_form_sent_three_times_at_once_decides_once() -> None:
    entry, maintainer, seen = published()
    ends = at_once(*[lambda: flag_entry(entry, OTHER, maintainer, NOW, seen)] * 3)
    assert ends == ["already", "already", "made"]
    assert Decision.objects.filter(kind="flag").count() == entry.flags.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_opposite_moves_in_view_of_the_same_decision_one_is_made() -> None:
    entry, maintainer, seen = published()
    another = make.make_maintainer()
    ends = at_once(
        lambda: move_entry(entry, track("clean"), GROUNDS, maintainer, NOW, seen),
        lambda: move_entry(entry, track("additional"), OTHER, another, NOW, seen),
    )
    assert ends == ["made", "refused"]
    assert Decision.objects.filter(kind="move").count() == 1
    assert verify_decisions() == []
