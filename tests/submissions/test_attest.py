"""Confirming by name: once, however often and by however many it is said."""

import pytest

from grading.splits import Split
from submissions.attest import attest_and_confirm
from submissions.confirm import Confirmation, NotConfirmed
from submissions.models import Submission
from tests.factories import NOW, make_benchmark, make_run, make_submission

SAID = Confirmation(Split.LOW, "Ada", 1)


def awaiting() -> Submission:
    submission = make_submission(benchmark=make_benchmark(splits={"one": "low"}))
    make_run(submission, "s0", "one")
    return submission


@pytest.mark.django_db
def test_who_loses_the_race_finds_it_done() -> None:
    submission = awaiting()
    stale = Submission.objects.get(pk=submission.pk)
    attest_and_confirm(submission, submission.created_by, SAID, NOW)
    attest_and_confirm(stale, submission.created_by, SAID, NOW)
    assert (stale.status, stale.confirmed_revision) == ("queued", submission.confirmed_revision)
    assert submission.run_cards.count() == 2
    assert submission.events.filter(after="queued").count() == 1


@pytest.mark.django_db
def test_a_card_changed_meanwhile_is_still_refused() -> None:
    submission = awaiting()
    with pytest.raises(NotConfirmed, match="changed meanwhile"):
        attest_and_confirm(submission, submission.created_by, Confirmation(Split.LOW, "Ada", 7), NOW)
    assert submission.run_cards.count() == 1
