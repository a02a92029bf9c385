"""Two maintainers at once, on a real database with real threads.

In a file of its own: a test that commits empties the tables behind it, tracks included, so it must come last.
"""

import threading

import pytest
from django.db import connection

from leaderboard.integrity.decide import DecisionRefused, publish
from leaderboard.integrity.ledger import verify_decisions
from leaderboard.models import Decision, Entry, Placement, Snapshot
from submissions.models import User
from tests import factories as make
from tests.leaderboard.test_decide import GROUNDS, NOW, shown_on, track


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
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
