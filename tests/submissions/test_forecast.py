"""When runs will be graded: turns among organisations, what a host can do at once, and the words for it."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from grading.grade import request_grading
from grading.lanes import join_lane
from grading.models import Blob, Grading, GradingHost
from submissions.forecast import Forecast, forecast_of, foresee
from submissions.models import Submission
from tests.factories import (
    NOW,
    make_competition,
    make_organisation,
    make_run,
    make_submission,
    make_team,
    make_user,
)


@pytest.mark.parametrize(
    ("own_s", "others_s", "slots", "seconds"),
    [
        (10, [], 1, 10),
        (10, [], 2, 5),
        (10, [1000], 1, 20),  # By turns: of much, no more than one's own goes before.
        (10, [4], 1, 14),
        (10, [4, 1000, 1000], 2, 17),
    ],
)
def test_turns(own_s: float, others_s: list[float], slots: int, seconds: float) -> None:
    assert foresee(own_s, others_s, slots) == seconds


@pytest.mark.parametrize(
    ("forecast", "says"),
    [
        (Forecast(0, 1), "Done in about 1 minute."),
        (Forecast(1, 89), "Done in about 89 minutes, taking turns with 1 other organisation."),
        (Forecast(2, 90), "Done in about 2 hours, taking turns with 2 other organisations."),
        (Forecast(2, None), "No grading host is at work now; your runs keep their place."),
    ],
)
def test_words(forecast: Forecast, says: str) -> None:
    assert forecast.sentence == says


@pytest.fixture
def submission(db: None) -> Submission:
    team = make_team(owner=make_user())
    return make_submission(team=team, status=Submission.Status.GRADING)


def wait(word: str, number: int, expected_s: float) -> None:
    """So many gradings of the lane in the queue."""
    lane = join_lane(word, Grading.Priority.TEAM)
    type(lane).objects.filter(pk=lane.pk).update(expected_s=expected_s)
    competition = make_competition()
    for at in range(number):
        digest = f"{word[:8]}{at}".encode().hex().rjust(64, "0")[-64:]
        blob = Blob.objects.create(realm=word[:32], sha256=digest, size=1, key=f"{word}-{at}")
        request_grading(blob, competition.pk, ("a.task", "x"), NOW, lane)


def queue(submission: Submission, number: int, expected_s: float) -> None:
    """So many runs of the submission itself."""
    wait(submission.team.organisation.lane, number, expected_s)
    gradings = Grading.objects.filter(lane__word=submission.team.organisation.lane)
    for at, grading in enumerate(gradings):
        make_run(submission, f"seed-{at}", grading.competition_id, blob=grading.blob, grading=grading)


def host(slots: int, checked_at: Any = NOW) -> None:
    GradingHost.objects.create(
        name=f"host-{slots}", is_isolated=True, slots=slots, checked_at=checked_at, grader_version="1"
    )


def test_what_waits_of_all_organisations_at_every_host(submission: Submission) -> None:
    queue(submission, 6, 50.0)
    wait(make_organisation().lane, 2, 30.0)
    host(2)
    host(7, NOW - timedelta(hours=3))
    assert forecast_of(submission, NOW) == Forecast(1, 3)


def test_nothing_is_foretold_without_work_or_a_host(submission: Submission) -> None:
    assert forecast_of(submission, NOW) is None
    queue(submission, 1, 1.0)
    cache.clear()
    assert forecast_of(submission, NOW) == Forecast(0, None)
    submission.status = Submission.Status.IN_REVIEW
    assert forecast_of(submission, NOW) is None


def test_the_page_says_it(submission: Submission) -> None:
    queue(submission, 1, 1.0)
    client = Client()
    member = submission.team.members.get().user
    client.force_login(member)
    assert (
        "your runs keep their place" in client.get(f"/submissions/{submission.public_id}/").content.decode()
    )


def test_what_waits_of_another_submission_is_not_foretold_for_this_one(submission: Submission) -> None:
    wait(submission.team.organisation.lane, 3, 60.0)
    host(1)
    assert forecast_of(submission, NOW) is None
