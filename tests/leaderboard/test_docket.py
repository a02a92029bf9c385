"""The docket: who gets in, that no score shows, and that every decision has its grounds and is made once."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from leaderboard.integrity.decide import Grounds, publish
from leaderboard.models import Decision, Entry, Flag, Track
from leaderboard.views import docket
from submissions.models import Submission
from tests.factories import NOW, make_maintainer, make_organisation, make_submission, make_team, make_user
from tests.leaderboard.boards import make_board_benchmark, make_placed, make_published, make_reviewed
from tests.leaderboard.test_board_page import text_of

pytestmark = pytest.mark.django_db
SCORES = {"s1": {"comp-low": 0.91234}, "s2": {"comp-low": 0.61803}, "s3": {"comp-low": None}}
GROUNDS = {"reason": "All claims hold.", "rule": "Tracks and rules", "evidence_url": "https://example.org/e"}


@pytest.fixture
def entry() -> Entry:
    return make_reviewed(make_board_benchmark(), SCORES)


@pytest.fixture
def maintainer(client: Client) -> Any:
    user = make_maintainer()
    client.force_login(user)
    return user


def case_of(entry: Entry) -> str:
    assert entry.submission is not None
    return f"/docket/{entry.submission.public_id}/"


PAGES = [
    "/docket/",
    "/docket/{case}/",
    "/docket/{case}/publish/",
    "/entries/{slug}/move/",
    "/entries/{slug}/withdraw/",
]


@pytest.mark.parametrize("page", PAGES)
def test_only_maintainers_get_in(client: Client, page: str) -> None:
    entry = make_published(make_board_benchmark(), SCORES)
    assert entry.submission is not None
    address = page.format(case=entry.submission.public_id, slug=entry.slug)
    assert client.get(address)["Location"].startswith("/account/login/")
    client.force_login(make_user())
    assert client.get(address).status_code == 404
    assert client.post(address, GROUNDS).status_code in (404, 405)
    client.force_login(entry.submission.team.members.get().user)
    assert client.get(address).status_code == 404


def test_a_maintainer_without_second_factor_is_told_how(client: Client, settings: Any) -> None:
    settings.REQUIRE_MAINTAINER_TOTP = True
    client.force_login(make_maintainer())
    answer = client.get("/docket/")
    assert answer.status_code == 403
    assert "Add a second factor first" in text_of(answer)


def test_lists_what_waits(client: Client, entry: Entry, maintainer: Any) -> None:
    make_team(make_organisation("Newcomers", verified=False))
    page = text_of(client.get("/docket/"))
    assert entry.agent.name in page
    assert "Newcomers" in page


def test_a_case_shows_outcomes_and_no_score_or_medal(client: Client, entry: Entry, maintainer: Any) -> None:
    response = client.get(case_of(entry))
    page = text_of(response)
    assert "Proposed track" in page
    assert "invalid" in page
    for secret in ("0.91234", "0.61803", "gold", "bronze", "66.67", "33.33"):
        assert secret not in response.content.decode()


def test_the_proposed_track_is_chosen_already(client: Client, entry: Entry, maintainer: Any) -> None:
    html = client.get(case_of(entry)).content.decode()
    chosen = [tag for tag in re.findall(r"<input[^>]+>", html) if "checked" in tag]
    assert len(chosen) == 1
    assert 'value="additional"' in chosen[0]


def test_publishing_needs_every_ground(client: Client, entry: Entry, maintainer: Any) -> None:
    answer = client.post(f"{case_of(entry)}publish/", {"track": "clean", "reason": "Because."})
    assert answer.status_code == 422
    assert "Because." in text_of(answer)
    assert answer.content.decode().count("errorlist") == 2
    assert not Decision.objects.exists()


def test_publishing_shows_the_entry_at_once(client: Client, entry: Entry, maintainer: Any) -> None:
    answer = client.post(f"{case_of(entry)}publish/", {"track": "clean", **GROUNDS}, follow=True)
    assert "Published on Clean by decision" in text_of(answer)
    assert entry.agent.name in text_of(client.get("/boards/bench/clean/low/"))
    assert "0.91234" in text_of(client.get(f"/entries/{entry.slug}/"))
    decision = Decision.objects.get()
    assert decision.decided_by == maintainer
    assert decision.reason.startswith(GROUNDS["reason"])


def test_publishing_twice_makes_one_decision(client: Client, entry: Entry, maintainer: Any) -> None:
    for _ in range(2):
        answer = client.post(f"{case_of(entry)}publish/", {"track": "clean", **GROUNDS}, follow=True)
    assert "This was published already" in text_of(answer)
    assert Decision.objects.count() == 1


def test_a_second_maintainer_is_told(client: Client, entry: Entry, maintainer: Any) -> None:
    client.post(f"{case_of(entry)}publish/", {"track": "clean", **GROUNDS})
    client.force_login(make_maintainer())
    other = {**GROUNDS, "reason": "I think otherwise."}
    answer = client.post(f"{case_of(entry)}publish/", {"track": "additional", **other}, follow=True)
    assert "This was published already" in text_of(answer)
    assert Decision.objects.get().track.slug == "clean"  # type: ignore[union-attr]


def test_a_form_that_lost_against_its_twin_says_that_it_is_done(
    client: Client, entry: Entry, maintainer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both looked before either had decided."""
    honest, looks = docket._published, iter([None])
    monkeypatch.setattr(docket, "_published", lambda found: next(looks, honest(found)))
    publish(entry, Track.objects.get(slug="clean"), Grounds(**GROUNDS), maintainer, NOW)
    answer = client.post(f"{case_of(entry)}publish/", {"track": "clean", **GROUNDS}, follow=True)
    assert "This was published already" in text_of(answer)
    assert Decision.objects.count() == 1


def test_nobody_decides_on_their_own_organisation(client: Client) -> None:
    maintainer = make_maintainer()
    entry = make_reviewed(make_board_benchmark(), SCORES, team=make_team(owner=maintainer))
    client.force_login(maintainer)
    assert "Conflict of interest" in text_of(client.get(case_of(entry)))
    answer = client.post(f"{case_of(entry)}publish/", {"track": "clean", **GROUNDS})
    assert "Another maintainer must decide" in text_of(answer)
    assert not Decision.objects.exists()


def test_a_submission_that_is_not_graded_cannot_be_published(client: Client, maintainer: Any) -> None:
    submission = make_submission()
    answer = client.post(f"/docket/{submission.public_id}/publish/", {"track": "clean", **GROUNDS})
    assert answer.status_code == 422
    assert Submission.objects.get().status == "awaiting_team"


def test_moving(client: Client, maintainer: Any) -> None:
    entry = make_published(make_board_benchmark(), SCORES)
    answer = client.post(f"/entries/{entry.slug}/move/", {"track": "additional", **GROUNDS}, follow=True)
    assert "Moved to Additional by decision" in text_of(answer)
    assert entry.agent.name in text_of(client.get("/boards/bench/additional/low/"))
    assert entry.agent.name not in text_of(client.get("/boards/bench/clean/low/"))


def test_a_form_sent_twice_decides_once(client: Client, maintainer: Any) -> None:
    entry = make_published(make_board_benchmark(), SCORES)
    seen = client.get(f"/entries/{entry.slug}/flag/").context["form"].initial["seen"]
    for _ in range(2):
        answer = client.post(f"/entries/{entry.slug}/flag/", {**GROUNDS, "seen": seen}, follow=True)
    assert "This was decided already" in text_of(answer)
    assert Decision.objects.filter(kind="flag").count() == 1


def test_a_form_drawn_before_another_decision_is_refused(client: Client, maintainer: Any) -> None:
    entry = make_published(make_board_benchmark(), SCORES)
    seen = client.get(f"/entries/{entry.slug}/move/").context["form"].initial["seen"]
    client.post(f"/entries/{entry.slug}/flag/", GROUNDS)
    later = {"track": "additional", **GROUNDS, "reason": "Something else.", "seen": seen}
    answer = client.post(f"/entries/{entry.slug}/move/", later)
    assert answer.status_code == 422
    assert "was made since you opened this form" in text_of(answer)


def test_anybody_signed_in_can_raise_a_flag_once(client: Client) -> None:
    entry = make_placed(make_board_benchmark(), "no-private-lb", 40.0)
    address = f"/entries/{entry.slug}/flag/"
    assert client.get(address)["Location"].startswith("/account/login/")
    client.force_login(make_user())
    for _ in range(2):
        client.post(address, GROUNDS)
    assert Flag.objects.get().state == "open"
    assert GROUNDS["reason"] not in text_of(client.get(f"/entries/{entry.slug}/"))


@pytest.mark.parametrize(
    ("answer", "state", "shows"), [("uphold", "upheld", True), ("dismiss", "dismissed", False)]
)
def test_answering_a_flag(client: Client, maintainer: Any, answer: str, state: str, shows: bool) -> None:
    entry = make_placed(make_board_benchmark(), "no-private-lb", 40.0)
    flag = Flag.objects.create(
        entry=entry, raised_by=make_user(), reason="Doubt.", rule="Rule", evidence_url="https://example.org"
    )
    client.post(reverse("flag-answer", args=[flag.pk]), {"answer": answer, **GROUNDS})
    flag.refresh_from_db()
    assert flag.state == state
    assert ("A flag was upheld" in text_of(client.get(f"/entries/{entry.slug}/"))) is shows


def test_withdrawing(client: Client, maintainer: Any) -> None:
    entry = make_published(make_board_benchmark(), SCORES)
    client.post(f"/entries/{entry.slug}/withdraw/", GROUNDS)
    assert entry.agent.name not in text_of(client.get("/boards/bench/clean/low/"))


def test_verifying_an_organisation_rings_what_waits(
    client: Client, maintainer: Any, rings: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    organisation = make_organisation(verified=False)
    waiting = make_submission(make_team(organisation), make_board_benchmark(), "queued", "low")
    with django_capture_on_commit_callbacks(execute=True):
        client.post(f"/organisations/{organisation.slug}/verify/")
    organisation.refresh_from_db()
    assert organisation.verified_by == maintainer
    assert ("submissions.tasks.advance", (str(waiting.public_id),)) in rings


@pytest.mark.parametrize("page", ["/admin/", "/admin/leaderboard/decision/", "/admin/grading/grading/"])
def test_admin_is_for_maintainers(client: Client, page: str) -> None:
    client.force_login(make_user(is_staff=True, is_superuser=True))
    assert client.get(page).status_code != 200
    client.force_login(make_maintainer())
    assert client.get(page).status_code == 200


def test_admin_changes_no_record_and_shows_no_score(client: Client, entry: Entry, maintainer: Any) -> None:
    run = entry.runs.exclude(grading=None).first()
    assert run is not None
    page = client.get(f"/admin/grading/grading/{run.grading_id}/change/").content.decode()
    assert "0.91234" not in page
    assert "0.61803" not in page
    assert client.get("/admin/leaderboard/decision/add/").status_code == 403
    assert client.post(f"/admin/grading/grading/{run.grading_id}/delete/", {"post": "yes"}).status_code == 403
