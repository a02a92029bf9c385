"""Answering findings: dismissed among maintainers, or upheld by a public decision, which alone shows."""

from typing import Any

import pytest
from django.test import Client

from leaderboard.integrity.answer_findings import dismiss_finding, uphold_finding
from leaderboard.integrity.decide import publish
from leaderboard.integrity.deciding import DecisionRefused
from leaderboard.integrity.ledger import Grounds, verify_decisions
from leaderboard.models import Decision, Entry, Finding, Flag, Track
from submissions.models import Submission, User
from tests.factories import NOW, make_user
from tests.leaderboard.boards import make_reviewed
from tests.leaderboard.docket.conftest import FORM, SCORES, each_of, signed_in, someone
from tests.leaderboard.test_board_page import text_of

pytestmark = pytest.mark.django_db
GROUNDS = Grounds(**FORM)
SECRET = "Two files are those of another organisation."
State = Finding.State


@pytest.fixture
def finding(submission: Submission) -> Finding:
    return Finding.objects.create(
        submission=submission,
        code="same-predictions",
        title="Files of another organisation",
        severity="serious",
        sentence=SECRET,
        evidence={"places": ["0/comp-low"]},
        raised_at=NOW,
    )


def test_dismissing_is_no_public_decision(finding: Finding, maintainer: User) -> None:
    dismiss_finding(finding, " The sample submission. ", maintainer, NOW)
    assert (finding.state, finding.note, finding.answered_by) == (
        State.DISMISSED,
        "The sample submission.",
        maintainer,
    )
    assert not Decision.objects.exists()
    with pytest.raises(DecisionRefused, match="answered already"):
        dismiss_finding(finding, "Again.", maintainer, NOW)


def test_upholding_flags_the_entry(finding: Finding, entry: Entry, maintainer: User) -> None:
    decision = uphold_finding(finding, GROUNDS, maintainer, NOW)
    assert (finding.state, finding.decision) == (State.UPHELD, decision)
    assert Flag.objects.get().decision == decision
    with pytest.raises(DecisionRefused, match="upheld already"):
        uphold_finding(finding, GROUNDS, maintainer, NOW)
    assert Decision.objects.count() == 1
    assert verify_decisions() == []


def test_a_dismissed_finding_can_still_be_upheld(finding: Finding, maintainer: User) -> None:
    dismiss_finding(finding, "The sample submission.", maintainer, NOW)
    uphold_finding(finding, GROUNDS, maintainer, NOW)
    assert (finding.state, finding.note) == (State.UPHELD, "")


@pytest.mark.parametrize("note", ["", " ", "x" * 2001])
def test_dismissing_needs_a_reason(finding: Finding, maintainer: User, note: str) -> None:
    with pytest.raises(DecisionRefused, match="Say in at most"):
        dismiss_finding(finding, note, maintainer, NOW)


def test_only_maintainers_without_a_tie_answer(finding: Finding, conflicted: User) -> None:
    for user, says in ((conflicted, "Another maintainer"), (make_user(), "Only a maintainer")):
        with pytest.raises(DecisionRefused, match=says):
            dismiss_finding(finding, "No.", user, NOW)
        with pytest.raises(DecisionRefused, match=says):
            uphold_finding(finding, GROUNDS, user, NOW)
    finding.refresh_from_db()
    assert finding.state == State.OPEN


@pytest.mark.parametrize("said", [{"answer": "dismiss", "note": "Known."}, {"answer": "uphold", **FORM}])
@pytest.mark.parametrize(("who", "status"), each_of(302, 404, 404, 404, 302, 404))
def test_who_may_answer(
    finding: Finding, submission: Submission, who: str, status: int, said: Any, request: pytest.FixtureRequest
) -> None:
    address = f"/docket/{submission.public_id}/findings/{finding.pk}/"
    assert someone(who, request).post(address, said).status_code == status
    finding.refresh_from_db()
    assert (finding.state != State.OPEN) is (who == "maintainer")


def test_upholding_by_the_form_needs_grounds(
    finding: Finding, submission: Submission, maintainer: User
) -> None:
    answer = signed_in(maintainer).post(
        f"/docket/{submission.public_id}/findings/{finding.pk}/", {"answer": "uphold"}
    )
    assert answer.status_code == 422
    assert "needs a reason" in text_of(answer)


def test_a_finding_is_found_in_its_own_case_alone(finding: Finding, maintainer: User) -> None:
    other = make_reviewed(finding.submission.benchmark, SCORES)
    assert other.submission is not None
    address = f"/docket/{other.submission.public_id}/findings/{finding.pk}/"
    assert signed_in(maintainer).get(address).status_code == 404


def test_a_maintainer_of_the_organisation_sees_no_finding_either(
    finding: Finding, submission: Submission, maintainer: User, conflicted: User
) -> None:
    case, api = f"/docket/{submission.public_id}/", f"/api/v1/docket/{submission.public_id}"
    answer, listed = f"{case}findings/{finding.pk}/", "/docket/?severity=notice"
    for user, sees in ((maintainer, True), (conflicted, False)):
        browser = signed_in(user)
        for path in (case, api, answer):
            assert (SECRET in browser.get(path).content.decode()) is sees, path
        assert ("finding: serious" in browser.get(listed).content.decode()) is sees
        assert (case in browser.get(listed).content.decode()) is sees
    assert case in signed_in(conflicted).get("/docket/").content.decode()
    assert "Kept from maintainers" in signed_in(conflicted).get(case).content.decode()


@pytest.mark.parametrize("answer", ["open", "dismissed"])
def test_nobody_outside_sees_a_finding(
    finding: Finding,
    entry: Entry,
    submission: Submission,
    maintainer: User,
    owner: User,
    client: Client,
    answer: str,
) -> None:
    if answer == "dismissed":
        dismiss_finding(finding, "Known and harmless.", maintainer, NOW)
    publish(entry, Track.objects.get(slug="clean"), GROUNDS, maintainer, NOW)
    for browser in (client, signed_in(owner)):
        for path in (
            f"/entries/{entry.slug}/",
            f"/api/v1/entries/{entry.slug}",
            f"/submissions/{submission.public_id}/",
            f"/api/v1/submissions/{submission.public_id}",
            "/decisions/",
            "/feeds/decisions.atom",
        ):
            said = browser.get(path).content.decode()
            assert SECRET not in said
            assert "harmless" not in said
