"""Fifty submissions confirmed at once where three may pass, on a real database with real threads.

In a file of its own: a test that commits empties the tables behind it, so it must come last.
"""

import threading
from collections import Counter
from typing import Any

import pytest
from django.db import connection

from grading.splits import Split
from submissions.attest import attest_and_confirm
from submissions.confirm import Confirmation, NotConfirmed
from submissions.models import QuotaPeriod, Submission
from submissions.quotas import allowance_of
from tests.factories import NOW, make_organisation
from tests.submissions.test_quotas import WEEK, awaiting

ATTEMPTS, LIMIT = 50, 3


@pytest.mark.django_db(transaction=True)
def test_exactly_as_many_pass_as_are_left(settings: Any) -> None:
    settings.QUOTA_SUBMISSIONS, settings.QUOTA_PERIOD = LIMIT, WEEK
    organisation = make_organisation()
    submissions = [awaiting(organisation) for _ in range(ATTEMPTS)]
    assert confirm_all(submissions, NOW) == {"queued": LIMIT, "quota_spent": ATTEMPTS - LIMIT}
    assert allowance_of(organisation, NOW).left == 0
    waiting = [each for each in submissions if each.status == Submission.Status.AWAITING_TEAM]
    assert confirm_all(waiting, NOW + WEEK) == {"queued": LIMIT, "quota_spent": ATTEMPTS - 2 * LIMIT}
    assert list(QuotaPeriod.objects.values_list("used", flat=True)) == [LIMIT, LIMIT]


def confirm_all(submissions: list[Submission], now: Any) -> Counter[str]:
    """What became of each, all confirmed at the same moment."""
    start, ended = threading.Barrier(len(submissions)), Counter[str]()

    def confirm(submission: Submission) -> None:
        start.wait()
        try:
            attest_and_confirm(submission, submission.created_by, Confirmation(Split.LOW, "Ada", 1), now)
            ended[submission.status] += 1
        except NotConfirmed as refused:
            ended.update(problem["code"] for problem in refused.problems)
        finally:
            connection.close()

    threads = [threading.Thread(target=confirm, args=(each,)) for each in submissions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return ended
