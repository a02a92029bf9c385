"""Closing submissions: what is confirmed then is held, and goes on in order when they open."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from grading.models import Grading
from grading.splits import Split
from submissions.closing import (
    ClosingRefused,
    close_submissions,
    current_closure,
    open_submissions,
    release_held,
)
from submissions.confirm import Confirmation, confirm, find_unfinished, start_grading
from submissions.life import next_step
from submissions.models import Closure, Submission, Team, User
from submissions.tasks import advance, sweep
from tests.factories import (
    NOW,
    make_benchmark,
    make_maintainer,
    make_run,
    make_submission,
    make_team,
    make_user,
)
from tests.leaderboard.docket.conftest import signed_in
from tests.leaderboard.test_board_page import text_of

pytestmark = pytest.mark.django_db
WHY = "The graders are being replaced."
HOUR = timedelta(hours=1)


@pytest.fixture
def team(owner: User) -> Team:
    return make_team(owner=owner)


def make_waiting(team: Team) -> Submission:
    benchmark = make_benchmark()
    submission = make_submission(team, benchmark)
    make_run(submission, "0", f"{benchmark.slug}-a")
    return submission


def make_confirmed(team: Team, now: Any = NOW) -> Submission:
    submission = make_waiting(team)
    confirm(submission, submission.created_by, Confirmation(Split.LOW, "Ada", 1), now)
    submission.refresh_from_db()
    return submission


def test_what_was_confirmed_before_goes_on(team: Team, maintainer: User) -> None:
    before = make_confirmed(team)
    close_submissions(maintainer, WHY, NOW)
    assert before.held_at is None
    assert len(start_grading(before, NOW)) == 1


def test_what_is_confirmed_while_closed_is_held(team: Team, maintainer: User) -> None:
    close_submissions(maintainer, WHY, NOW)
    held = make_confirmed(team)
    assert (held.held_at, held.status) == (NOW, "queued")
    assert list(start_grading(held, NOW)) == []
    assert find_unfinished() == []
    assert not Grading.objects.exists()
    assert held.events.filter(kind="held").count() == 1
    assert next_step(held).title == "Received while closed"


def test_opening_lets_them_go_in_the_order_of_confirmation(team: Team, maintainer: User) -> None:
    close_submissions(maintainer, WHY, NOW)
    later = make_confirmed(team, NOW + 2 * HOUR)
    sooner = make_confirmed(team, NOW + HOUR)
    in_order = [sooner.public_id, later.public_id]
    assert open_submissions(maintainer, "Replaced.", NOW + 3 * HOUR) == in_order
    assert find_unfinished() == in_order
    sooner.refresh_from_db()
    assert sooner.held_at is None
    assert sooner.events.filter(kind="released").count() == 1
    assert len(start_grading(sooner, NOW)) == 1


def test_whoever_confirmed_in_the_very_moment_is_not_forgotten(
    team: Team, maintainer: User, rings: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    held = make_confirmed(team)
    Submission.objects.filter(pk=held.pk).update(held_at=NOW)
    close_submissions(maintainer, WHY, NOW)
    assert release_held(NOW) == []
    open_submissions(maintainer, "Replaced.", NOW)
    Submission.objects.filter(pk=held.pk).update(held_at=NOW)
    with django_capture_on_commit_callbacks(execute=True):
        sweep()
    assert ("submissions.tasks.advance", (str(held.public_id),)) in rings


def test_a_held_one_can_be_taken_back(team: Team, owner: User, maintainer: User) -> None:
    close_submissions(maintainer, WHY, NOW)
    held = make_confirmed(team)
    signed_in(owner).post(f"/submissions/{held.public_id}/withdraw/")
    assert open_submissions(maintainer, "Replaced.", NOW) == []
    advance(str(held.public_id))
    held.refresh_from_db()
    assert held.status == "withdrawn"


def test_closed_is_closed_once(maintainer: User) -> None:
    first = close_submissions(maintainer, WHY, NOW)
    with pytest.raises(ClosingRefused, match="closed already"):
        close_submissions(make_maintainer(), WHY, NOW)
    assert current_closure() == first
    open_submissions(maintainer, "Replaced.", NOW)
    with pytest.raises(ClosingRefused, match="open already"):
        open_submissions(maintainer, "Replaced.", NOW)
    assert current_closure() is None


@pytest.mark.parametrize("reason", ["", " ", "x" * 2001])
def test_a_reason_is_needed(maintainer: User, reason: str) -> None:
    with pytest.raises(ClosingRefused, match="Give a reason"):
        close_submissions(maintainer, reason, NOW)


def test_only_maintainers_close(settings: Any, maintainer: User) -> None:
    with pytest.raises(ClosingRefused, match="Only a maintainer"):
        close_submissions(make_user(), WHY, NOW)
    settings.REQUIRE_MAINTAINER_TOTP = True
    with pytest.raises(ClosingRefused, match="second factor"):
        close_submissions(make_maintainer(), WHY, NOW)


# The pages.


@pytest.mark.parametrize(("who", "status"), [("anonymous", 302), ("owner", 404), ("maintainer", 302)])
def test_who_may_close(who: str, status: int, owner: User, maintainer: User) -> None:
    browser = signed_in({"owner": owner, "maintainer": maintainer}.get(who))
    answer = browser.post("/docket/closing/", {"action": "close", "reason": WHY})
    assert answer.status_code == status
    assert Closure.objects.exists() is (who == "maintainer")


def test_closing_and_opening_by_the_form(
    team: Team, maintainer: User, rings: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    browser = signed_in(maintainer)
    assert browser.post("/docket/closing/", {"action": "open", "reason": WHY}).status_code == 422
    browser.post("/docket/closing/", {"action": "close", "reason": WHY})
    held = make_confirmed(team)
    assert "1 held" in text_of(browser.get("/docket/"))
    with django_capture_on_commit_callbacks(execute=True):
        browser.post("/docket/closing/", {"action": "open", "reason": "Replaced."})
    assert ("submissions.tasks.advance", (str(held.public_id),)) in rings
    page = text_of(browser.get("/docket/closing/"))
    assert "Submissions are open" in page
    assert "Replaced." in page


def test_everybody_is_told(team: Team, owner: User, maintainer: User, client: Client) -> None:
    assert client.get("/api/v1/intake").json() == {
        "open": True, "reason": "", "closed_at": None, "closed_by": None,
    }  # fmt: skip
    close_submissions(maintainer, WHY, NOW)
    waiting, held = make_waiting(team), make_confirmed(team)
    browser = signed_in(owner)
    for path in ("/submit/", f"/submissions/{waiting.public_id}/confirm/", "/status/"):
        assert WHY in text_of(browser.get(path))
    assert WHY in text_of(client.get("/status/"))
    assert client.get("/api/v1/intake").json() == {
        "open": False,
        "reason": WHY,
        "closed_at": "2026-05-01T12:00:00.000000Z",
        "closed_by": maintainer.public_name,
    }
    assert browser.get(f"/api/v1/submissions/{held.public_id}").json()["held"] is True
    assert "Received while closed" in text_of(browser.get(f"/submissions/{held.public_id}/"))
