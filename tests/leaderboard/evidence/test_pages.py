"""Who sees the lines: maintainers and the team, the same page, and nobody else."""

import pytest
from django.test import Client
from django.urls import reverse

from leaderboard.evidence import tasks
from leaderboard.review import open_review
from submissions.models import Submission, TeamMember, User
from tests import factories as make
from tests.leaderboard.evidence.submitted import COMPETITION, submitted
from tests.submissions.run_cards import having

pytestmark = pytest.mark.django_db
LOG = (
    b"[2026-03-01 10:00:00] using gpt-5-2025-08-07\n"
    b"before <script>alert(1)</script>\n"
    b"$ mlebench grade-sample submission.csv spaceship-titanic\n"
    b"after\n"
)
PRIVATE = b"$ head -2 /private/data/private/test.csv\n0013_01,SECRET-LABEL\n"
FILES = {f"0/{COMPETITION}/logs/a.log": LOG, f"1/{COMPETITION}/logs/a.log": PRIVATE}


def person(user: User | None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client


@pytest.fixture
def submission(db: None) -> Submission:
    found = submitted(FILES, document=having({"compute.overrides": None}))
    tasks.read(str(found.public_id))
    assert open_review(found, make.NOW)
    return found


def page(submission: Submission) -> str:
    return reverse("submission-evidence", args=[submission.public_id])


def test_the_team_and_maintainers_see_the_same_lines(submission: Submission) -> None:
    mate = make.make_user()
    TeamMember.objects.create(team=submission.team, user=mate)
    for user in (submission.created_by, mate, make.make_maintainer()):
        answer = person(user).get(page(submission))
        text = answer.content.decode()
        assert answer.status_code == 200
        assert answer["Cache-Control"].startswith("max-age=0")
        assert "$ mlebench grade-sample submission.csv spaceship-titanic" in text
        assert "before &lt;script&gt;alert(1)&lt;/script&gt;" in text
        assert "<script>alert" not in text
        assert "Declared: none at all. Yet logs speak of" in text
        assert "SECRET-LABEL" not in text
        assert "gpt-5-2025-08-07" in text


@pytest.mark.parametrize("status", [Submission.Status.IN_REVIEW, Submission.Status.PUBLISHED])
def test_strangers_and_visitors_do_not(submission: Submission, status: str) -> None:
    Submission.objects.filter(pk=submission.pk).update(status=status)
    for user in (None, make.make_user(), make.make_team().members.get().user):
        assert person(user).get(page(submission)).status_code == 404


def test_before_the_review_the_team_sees_nothing_that_it_could_still_take_back() -> None:
    submission = submitted(FILES, status=Submission.Status.GRADING)
    maintainer = person(make.make_maintainer())
    assert "still to be read" in maintainer.get(page(submission)).content.decode()
    tasks.read(str(submission.public_id))
    assert person(submission.created_by).get(page(submission)).status_code == 404
    assert "grade-sample" in maintainer.get(page(submission)).content.decode()
    tied = make.make_maintainer()
    make.make_team(submission.team.organisation, members=[tied])
    assert person(tied).get(page(submission)).status_code == 404
    assert "grade-sample" not in person(tied).get(f"/docket/{submission.public_id}/").content.decode()


def test_other_pages_and_the_api_show_no_line(submission: Submission) -> None:
    Submission.objects.filter(pk=submission.pk).update(status=Submission.Status.PUBLISHED)
    member = person(submission.created_by)
    for client in (member, person(None)):
        for path in (
            f"/submissions/{submission.public_id}/",
            f"/api/v1/submissions/{submission.public_id}",
            f"/entries/{submission.entry.slug}/",
            f"/api/v1/entries/{submission.entry.slug}",
        ):
            assert "grade-sample" not in client.get(path).content.decode(), path
    assert page(submission) in member.get(f"/submissions/{submission.public_id}/").content.decode()
    assert page(submission) not in person(None).get(f"/submissions/{submission.public_id}/").content.decode()


def test_the_case_shows_the_lines_beside_claims_and_findings(submission: Submission) -> None:
    text = person(make.make_maintainer()).get(f"/docket/{submission.public_id}/").content.decode()
    assert "$ mlebench grade-sample submission.csv spaceship-titanic" in text
    assert page(submission) in text
    assert "SECRET-LABEL" not in text


def test_pages_without_logs_and_with_a_failed_reading_say_so(submission: Submission) -> None:
    maintainer = person(make.make_maintainer())
    bare = submitted({})
    assert "The bundle holds neither logs nor code" in maintainer.get(page(bare)).content.decode()
    submission.evidence_reading.state = "failed"
    submission.evidence_reading.save()
    assert "failed every time" in maintainer.get(page(submission)).content.decode()


def test_lines_of_a_pattern_that_was_switched_off_are_still_shown(
    submission: Submission, settings: object
) -> None:
    reading = submission.evidence_reading
    reading.facts["seen"]["gone"] = {"runs": {f"0/{COMPETITION}": 1}, "elsewhere": 0, "in_code": 0}
    reading.save()
    text = person(make.make_maintainer()).get(page(submission)).content.decode()
    assert "A pattern that is no longer looked for" in text


def test_the_page_costs_as_many_queries_however_many_lines(
    submission: Submission, django_assert_max_num_queries: object
) -> None:
    client = person(make.make_maintainer())
    with django_assert_max_num_queries(16):  # type: ignore[operator]
        client.get(page(submission))
