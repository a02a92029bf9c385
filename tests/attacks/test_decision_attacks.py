"""Maintainers against their own rules: scores before publication, decisions on themselves, decisions undone."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from grading.lanes import join_lane
from grading.models import Grading
from grading.tasks import sweep
from leaderboard.integrity.decide import DecisionRefused, Grounds, flag_entry, publish
from leaderboard.integrity.ledger import verify_decisions
from leaderboard.models import Track
from submissions.models import Organisation
from tests.factories import (
    NOW,
    make_maintainer,
    make_organisation,
    make_placed,
    make_run,
    make_submission,
    make_team,
)
from tests.leaderboard.boards import make_board_benchmark, make_reviewed

pytestmark = pytest.mark.django_db
SCORES = {"s1": {"comp-low": 0.73448}}
GROUNDS = Grounds("Mine.", "A rule.", "https://example.org/e")


def test_the_admin_does_not_answer_questions_about_scores(client: Client) -> None:
    """Twenty filters on a column that is not shown find a score to five decimals."""
    make_reviewed(make_board_benchmark(), SCORES)
    client.force_login(make_maintainer())
    grading = Grading.objects.get()
    change = f"/admin/grading/grading/{grading.pk}/change/"
    answers = [
        change in client.get(f"/admin/grading/grading/?score__gte={bound}").content.decode()
        for bound in (0.5, 0.9)
    ]
    assert answers[0] == answers[1]


def test_who_confirmed_a_submission_does_not_publish_it_after_leaving_the_team() -> None:
    maintainer = make_maintainer()
    entry = make_reviewed(make_board_benchmark(), SCORES, team=make_team(owner=maintainer))
    assert entry.submission is not None
    assert entry.submission.confirmed_by == maintainer
    entry.submission.team.members.all().delete()
    with pytest.raises(DecisionRefused):
        publish(entry, Track.objects.get(slug="clean"), GROUNDS, maintainer, NOW)


def test_a_maintainer_does_not_verify_an_organisation_of_their_own(client: Client) -> None:
    maintainer = make_maintainer()
    organisation = make_organisation(verified=False)
    make_team(organisation, owner=maintainer)
    client.force_login(maintainer)
    client.post(f"/organisations/{organisation.slug}/verify/")
    assert not Organisation.objects.get(pk=organisation.pk).is_verified


def test_the_newest_decision_on_an_imported_entry_cannot_vanish_unseen() -> None:
    entry = make_placed()
    decision = flag_entry(entry, GROUNDS, make_maintainer(), NOW)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM leaderboard_flag WHERE decision_id = %s", [decision.pk])
        cursor.execute("DELETE FROM leaderboard_decision WHERE id = %s", [decision.pk])
    assert verify_decisions()


def test_the_sweep_does_not_ring_the_whole_queue_again_and_again(
    rings: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    """Each sweep of a long queue adds a message per waiting grading, faster than they are graded."""
    submission = make_submission(benchmark=make_board_benchmark())
    for number in range(20):
        run = make_run(submission, f"s{number}", "comp-low")
        Grading.objects.create(
            blob=run.blob, competition=run.competition, grader_version="1", not_before=timezone.now(),
            lane=join_lane("", 0),
        )  # fmt: skip
    assert Grading.objects.claimable(timezone.now()).count() == 20
    for _ in range(3):
        with django_capture_on_commit_callbacks(execute=True):
            sweep()
    assert len(rings) <= 20


def test_a_large_form_of_an_anonymous_visitor_is_refused_before_it_is_stored() -> None:
    """Django writes any file of a form to /tmp, memory in the web process's namespace, before it asks for the token."""
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = "a" * 32
    body = (
        b'--XX\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
        + b"a" * 20_000_000
        + b"\r\n--XX--\r\n"
    )
    answer = client.post("/account/login/", body, content_type="multipart/form-data; boundary=XX")
    assert answer.status_code == 413
