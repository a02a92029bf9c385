"""The pages of a submission, without JavaScript: upload, run card, confirmation, following."""

import io
import re
import uuid
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from submissions.life import Happening, events_of
from submissions.models import Submission, Team, User
from submissions.states import move, record_event
from submissions.uploads import part_store
from tests.factories import (
    NOW,
    make_benchmark,
    make_entry,
    make_grading,
    make_organisation,
    make_run,
    make_submission,
    make_team,
)
from tests.submissions.run_cards import complete
from tests.submissions.uploading import PART, make_upload, put_part

pytestmark = pytest.mark.django_db
Status = Submission.Status


@pytest.fixture
def browser(owner: User, client: Client) -> Client:
    client.force_login(owner)
    return client


def page_of(browser: Client, submission: Submission, **headers: str) -> str:
    answer = browser.get(reverse("submission", args=[submission.public_id]), headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


# Upload


def bundle(content: bytes = b"archive") -> SimpleUploadedFile:
    return SimpleUploadedFile("bundle.zip", content, content_type="application/zip")


def test_uploading_needs_an_account_and_a_team(browser: Client) -> None:
    assert Client().get("/submit/")["Location"] == "/account/login/?next=/submit/"
    assert "Create a team" in browser.get("/submit/").content.decode()


def test_the_form_states_its_terms(browser: Client, team: Team, settings: Any) -> None:
    page = browser.get("/submit/").content.decode()
    assert f"kept for {settings.BUNDLE_RETENTION.days} days" in page
    assert "20.0" in page, "the limit"
    assert "style=" not in page
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)


def test_one_piece_goes_through_the_same_steps(
    browser: Client, team: Team, settings: Any, rings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    settings.UPLOAD_PART_BYTES = PART
    content = bytes(range(256)) * 700
    make_benchmark("demo")
    form = {"team": str(team.public_id), "benchmark": "demo", "creation_key": str(uuid.uuid4())}
    with django_capture_on_commit_callbacks(execute=True):
        answers = [browser.post("/submit/", {**form, "bundle": bundle(content)}) for _ in range(2)]
    submission = Submission.objects.get()
    assert {answer["Location"] for answer in answers} == {reverse("submission", args=[submission.public_id])}
    assert submission.status == Status.RECEIVED
    assert rings == [("submissions.tasks.check", (str(submission.public_id),))]
    assert submission.upload.parts.count() == 3
    with part_store().open(submission.upload.key, 3) as stored:
        assert stored.read() == content


def test_an_empty_or_too_large_file(browser: Client, team: Team, settings: Any) -> None:
    settings.UPLOAD_MAX_BYTES = 5
    make_benchmark("demo")
    form = {"team": str(team.public_id), "benchmark": "demo", "creation_key": str(uuid.uuid4())}
    empty = browser.post("/submit/", {**form, "bundle": bundle(b"")})
    large = browser.post("/submit/", {**form, "bundle": bundle(b"123456")})
    assert "The file is empty." in empty.content.decode()
    assert "The file has 6 bytes; a bundle may have 5." in large.content.decode()
    assert not Submission.objects.exists()


def test_another_team_cannot_be_chosen(browser: Client, team: Team) -> None:
    make_benchmark("demo")
    form = {"team": str(make_team().public_id), "benchmark": "demo", "creation_key": str(uuid.uuid4())}
    assert browser.post("/submit/", {**form, "bundle": bundle()}).status_code == 200
    assert not Submission.objects.exists()


def test_going_on_in_one_piece(browser: Client, team: Team, settings: Any) -> None:
    settings.UPLOAD_PART_BYTES = PART
    content = b"a" * PART + b"b" * 10
    submission = make_upload(content, team)
    put_part(browser, submission, 2, content[PART:])
    assert 'data-resume="/api/v1/submissions/' in page_of(browser, submission)
    path = reverse("submission-upload", args=[submission.public_id])
    other = browser.post(path, {"bundle": bundle(b"a" * PART + b"c" * 10)}).content.decode()
    assert "Is it still the same file?" in other
    assert submission.upload.parts.count() == 1, "nothing of the wrong file is kept"
    assert "the upload was begun for one of" in browser.post(path, {"bundle": bundle()}).content.decode()
    assert browser.post(path, {"bundle": bundle(content)}).status_code == 302
    submission.refresh_from_db()
    assert submission.status == Status.RECEIVED


# Following


@pytest.mark.parametrize(
    ("status", "poll"),
    [
        (Status.RECEIVED, "every 2s"),
        (Status.CHECKING, "every 2s"),
        (Status.AWAITING_TEAM, ""),
        (Status.QUEUED, "every 2s"),
        (Status.GRADING, "every 2s"),
        (Status.GRADED, "every 2s"),
        (Status.IN_REVIEW, "every 30s"),
        (Status.REJECTED, ""),
        (Status.WITHDRAWN, ""),
        (Status.ABANDONED, ""),
        (Status.GRADING_FAILED, ""),
    ],
)
def test_it_asks_again_only_while_there_is_something_to_wait_for(
    browser: Client, team: Team, status: str, poll: str
) -> None:
    scope = "low" if status in (Status.QUEUED, Status.GRADING, Status.GRADED, Status.IN_REVIEW) else ""
    page = page_of(browser, make_submission(team=team, status=status, scope=scope))
    found = re.search(r'hx-trigger="([^"]*)"', page)
    assert (found[1] if found else "") == poll
    assert ("Refresh" in page) == bool(poll), "without JavaScript there is a link"


def test_the_live_part_comes_alone_and_only_when_it_changed(browser: Client, team: Team) -> None:
    submission = make_submission(team=team, status=Status.GRADING, scope="low")
    competition = submission.benchmark.competitions.first().pk
    run = make_run(submission, "s1", competition)
    part = page_of(browser, submission, **{"HX-Request": "true"})
    assert "<html" not in part
    seen = re.search(r'hx-get="([^"]*)"', part)
    assert seen
    assert browser.get(seen[1], headers={"HX-Request": "true"}).status_code == 204
    make_grading(run, 0.5)
    again = browser.get(seen[1], headers={"HX-Request": "true"}).content.decode()
    assert "1 of 1 runs are done" in again


def test_an_unverified_organisation_is_told_plainly(browser: Client, owner: User) -> None:
    team = make_team(make_organisation(verified=False), owner)
    queued = make_submission(team=team, status=Status.QUEUED, scope="low")
    for submission in (queued, make_submission(team=team)):
        assert "maintainer must verify" in page_of(browser, submission)


def test_every_problem_at_once(browser: Client, team: Team) -> None:
    problems = [
        {"code": "symlink", "where": "a/<b>", "message": "Links are not taken."},
        {"code": "bad_seed", "where": "x", "message": "Rename the folder."},
    ]
    page = page_of(browser, make_submission(team=team, status=Status.REJECTED, problems=problems))
    assert "Links are not taken." in page
    assert "Rename the folder." in page
    assert "a/&lt;b&gt;" in page
    assert "Upload a new bundle" in page


def test_a_page_says_one_thing_even_if_a_worker_ends_meanwhile(
    browser: Client, team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    submission = make_submission(team=team, status=Status.CHECKING)

    def while_the_worker_ends(shown: Submission) -> list[Happening]:
        if shown.status == Status.CHECKING:
            move(shown, Status.REJECTED, at=NOW, problems=[], detail={"problems": 1})
            shown.status = Status.CHECKING  # What was read before.
        return events_of(shown)

    monkeypatch.setattr("submissions.views.submission.events_of", while_the_worker_ends)
    page = page_of(browser, submission)
    assert "Bundle rejected" in page
    assert "The bundle was rejected" in page
    assert "Checking the bundle" not in page
    assert "1 problem<" in page, "one problem is no problems"


def test_outcomes_without_scores(browser: Client, team: Team) -> None:
    submission = make_submission(team=team, status=Status.IN_REVIEW, scope="low")
    first, second = submission.benchmark.competitions.values_list("pk", flat=True)
    make_grading(make_run(submission, "s1", first), 0.98765)
    make_grading(make_run(submission, "s1", second), code="wrong_ids", message="The ids differ.")
    page = page_of(browser, submission)
    assert "wrong_ids" in page
    assert "The ids differ." in page
    assert "0.98765" not in page
    assert "gold" not in page
    assert "/entries/" not in page


def test_a_published_one_leads_to_its_entry(team: Team) -> None:
    submission = make_submission(team=team, status=Status.PUBLISHED, scope="low")
    make_entry(submission=submission, slug="ours-1", benchmark=submission.benchmark)
    assert reverse("entry", args=["ours-1"]) in page_of(Client(), submission)


def test_what_happened(browser: Client, team: Team, owner: User) -> None:
    submission = make_submission(team=team, status=Status.WITHDRAWN)
    detail = {"scope": "low", "run_card": 2}
    record_event(
        submission, "status", at=NOW, actor=owner, before="awaiting_team", after="queued", detail=detail
    )
    record_event(submission, "status", at=NOW, before="queued", after="withdrawn")
    page = page_of(browser, submission)
    assert "scope low, run card revision 2" in page
    assert owner.email in page
    assert page.count("is-done") == 5, "up to the stage it left from"


def test_the_list_asks_the_database_a_fixed_number_of_times(
    browser: Client, team: Team, django_assert_max_num_queries: Any
) -> None:
    for _ in range(5):
        make_upload(b"x", team)
    with django_assert_max_num_queries(7):
        page = browser.get("/submissions/").content.decode()
    assert page.count("bundle.tar.gz") == 5


def test_withdrawing_asks_first(browser: Client, team: Team) -> None:
    submission = make_submission(team=team)
    path = reverse("submission-withdraw", args=[submission.public_id])
    assert "cannot be undone" in browser.get(path).content.decode()
    for _ in range(2):
        assert browser.post(path).status_code == 302
    submission.refresh_from_db()
    assert submission.status == Status.WITHDRAWN


# Run card


def card_path(submission: Submission) -> str:
    return reverse("submission-run-card", args=[submission.public_id])


def test_the_card_as_a_form(browser: Client, team: Team) -> None:
    submission = make_submission(team=team, document={"scaffold": {"name": "Ours", "closed": False}})
    page = browser.get(card_path(submission)).content.decode()
    assert 'name="scaffold.name" value="Ours"' in page
    assert "undisclosed, needed for Clean" in page
    assert 'name="llms.0.role"' in page
    assert 'name="based_on" value="1"' in page
    assert '<details class="section-nav" open>' in page, "its parts are led to without a click"
    assert 'href="#section-compute"' in page


def test_saving_shows_what_changed(browser: Client, team: Team) -> None:
    submission = make_submission(team=team)
    form = {"based_on": "1", "scaffold.name": "Ours", "scaffold.closed": "false"}
    page = browser.post(card_path(submission), form, follow=True).content.decode()
    assert "Saved as revision 2." in page
    assert "<td>no answer</td><td>Ours</td>" in page
    card = submission.run_cards.last()
    assert card.document["scaffold"] == {"name": "Ours", "closed": False}
    again = browser.post(card_path(submission), {**form, "based_on": "2"}, follow=True).content.decode()
    assert "Nothing changed" in again


def test_errors_stand_at_their_fields(browser: Client, team: Team) -> None:
    submission = make_submission(team=team)
    form = {"based_on": "1", "scaffold.commit": "not-hex", "compute.default.vcpus": "many"}
    answer = browser.post(card_path(submission), form)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'id="scaffold.commit-error"' in page
    assert 'id="compute.default.vcpus-error"' in page
    assert 'value="not-hex"' in page, "no answer is lost"
    assert submission.run_cards.count() == 1


def test_what_was_not_saved_is_not_called_complete(browser: Client, team: Team) -> None:
    submission = make_submission(team=team, document=complete())
    assert (
        "Every question of the Clean track is answered" in browser.get(card_path(submission)).content.decode()
    )
    form = {"based_on": "1", "llms.0.date": "soonish", "compute.default.ram_gb": "much"}
    page = " ".join(browser.post(card_path(submission), form).content.decode().split())
    assert "Not saved: 2 problems" in page, "one for each answer"
    assert "Every question of the Clean track is answered" not in page
    assert "answered for Clean" not in page
    listed = page.split("Not saved:")[1].split("</ol>")[0]
    assert ">LLM 1: " in listed
    assert "<code>" not in listed
    assert ">llms.0.date<" not in listed
    assert "quotes" not in page, "a form has no quotes"


def test_somebody_else_saved_meanwhile(browser: Client, team: Team) -> None:
    submission = make_submission(team=team)
    browser.post(card_path(submission), {"based_on": "1", "scaffold.name": "Theirs"})
    answer = browser.post(card_path(submission), {"based_on": "1", "scaffold.name": "Mine"})
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Somebody else saved meanwhile" in page
    assert 'value="Mine"' in page
    assert 'name="based_on" value="2"' in page
    assert submission.run_cards.count() == 2


def test_a_confirmed_card_is_closed(browser: Client, team: Team) -> None:
    submission = make_submission(
        team=team, status=Status.QUEUED, scope="low", document={"scaffold": {"name": "Ours"}}
    )
    page = browser.post(card_path(submission), {"based_on": "1"}, follow=True).content.decode()
    assert "The run card is closed" in page
    assert "<form" not in page.split("<main")[1]
    assert "Ours" in page


# Confirmation


def confirm_path(submission: Submission) -> str:
    return reverse("submission-confirm", args=[submission.public_id])


def test_what_is_confirmed_is_shown(browser: Client, team: Team) -> None:
    benchmark = make_benchmark("b", {"first": "low", "second": "low", "third": "high"})
    submission = make_upload(b"x", team, benchmark)
    Submission.objects.update(status=Status.AWAITING_TEAM)
    for seed, competition in (("s1", "first"), ("s2", "first"), ("s2", "second")):
        make_run(submission, seed, competition)
    page = browser.get(confirm_path(submission)).content.decode()
    assert "Low (Lite): 2 competitions, 3 of 4 runs found" in page
    assert "High: 1 competition, 0 of 2 runs found" in page
    assert "s1/second" in page
    assert "even if withdrawn" in page


def test_confirming(browser: Client, team: Team) -> None:
    submission = make_submission(team=team)
    make_run(submission, "s1", submission.benchmark.competitions.first().pk)
    form = {"scope": "low", "attested_name": "Ada Example", "revision": "1"}
    assert "Tick the box" in browser.post(confirm_path(submission), form).content.decode()
    stale = browser.post(confirm_path(submission), {**form, "revision": "9", "accept": "on"})
    assert "The run card was changed meanwhile" in stale.content.decode()
    for _ in range(2):
        assert browser.post(confirm_path(submission), {**form, "accept": "on"}).status_code == 302
    submission.refresh_from_db()
    assert (submission.status, submission.scope) == (Status.QUEUED, "low")
    assert submission.attested_name == "Ada Example"


def test_the_whole_file_is_never_in_memory(team: Team, owner: User, settings: Any) -> None:
    from submissions.slicing import store_whole

    class Counted(io.BytesIO):
        largest = 0

        def read(self, size: int | None = -1) -> bytes:
            assert size is not None
            assert size >= 0
            self.largest = max(self.largest, size)
            return super().read(size)

    settings.UPLOAD_PART_BYTES = PART
    source = Counted(b"a" * (5 * PART + 1))
    store_whole(make_upload(source.getvalue(), team).upload, source, owner, NOW)
    assert source.largest == PART
