"""Asking a team: by decision, with a clock, answered once, and public with the entry."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from leaderboard.integrity.decide import publish
from leaderboard.integrity.deciding import DecidedAlready, DecisionRefused
from leaderboard.integrity.ledger import Grounds, verify_decisions
from leaderboard.integrity.questions import ANSWER_WITHIN, AnswerRefused, answer_question, ask_team
from leaderboard.models import Decision, Entry, Question, Track
from submissions.models import Submission, User
from tests.factories import NOW, make_entry, make_maintainer, make_user
from tests.leaderboard.docket.conftest import FORM, each_of, signed_in, someone
from tests.leaderboard.test_board_page import text_of

pytestmark = pytest.mark.django_db
GROUNDS = Grounds(**FORM)
TEXT = "Which seed ran first?"


@pytest.fixture
def question(entry: Entry, maintainer: User) -> Question:
    return ask_team(entry, TEXT, GROUNDS, maintainer, NOW)


def asked(submission: Submission) -> bool:
    submission.refresh_from_db()
    return submission.question_open_at is not None


def test_asking_is_a_decision_with_a_clock(
    question: Question, submission: Submission, maintainer: User
) -> None:
    decision = question.decision
    assert (decision.kind, decision.decided_by, decision.track) == (Decision.Kind.ASK, maintainer, None)
    assert decision.details["question"] == TEXT
    assert question.due_at == NOW + ANSWER_WITHIN
    assert asked(submission)
    assert submission.events.get(kind="decision").detail["number"] == decision.pk
    assert verify_decisions() == []


def test_the_same_question_sent_again_is_asked_once(
    entry: Entry, maintainer: User, question: Question
) -> None:
    with pytest.raises(DecidedAlready):
        ask_team(entry, TEXT, GROUNDS, maintainer, NOW, seen=0)
    with pytest.raises(DecisionRefused, match="was made since"):
        ask_team(entry, "Another?", GROUNDS, maintainer, NOW, seen=0)
    assert Question.objects.count() == 1


@pytest.mark.parametrize("text", ["", "  ", "x" * 5001])
def test_something_must_be_asked(entry: Entry, maintainer: User, text: str) -> None:
    with pytest.raises(DecisionRefused, match="Write what the team should answer"):
        ask_team(entry, text, GROUNDS, maintainer, NOW)
    assert not Decision.objects.exists()


def test_an_imported_entry_has_nobody_to_ask(maintainer: User) -> None:
    with pytest.raises(DecisionRefused, match="no team here"):
        ask_team(make_entry(), TEXT, GROUNDS, maintainer, NOW)


def test_a_conflicted_maintainer_does_not_ask(entry: Entry, conflicted: User) -> None:
    with pytest.raises(DecisionRefused, match="Another maintainer must decide"):
        ask_team(entry, TEXT, GROUNDS, conflicted, NOW)


@pytest.mark.parametrize("who", ["owner", "teammate"])
def test_the_team_answers_once(
    question: Question, submission: Submission, who: str, request: pytest.FixtureRequest
) -> None:
    member = request.getfixturevalue(who)
    answer_question(
        question, " Seed 0. ", "", member, NOW + timedelta(days=20)
    )  # Late, and taken all the same.
    assert (question.answer, question.answered_by) == ("Seed 0.", member)
    assert not asked(submission)
    with pytest.raises(AnswerRefused, match="answered this already"):
        answer_question(question, "Seed 1.", "", member, NOW)
    question.refresh_from_db()
    assert question.answer == "Seed 0."
    assert submission.events.get(kind="answered").actor == member


def test_one_answer_leaves_the_other_question_open(
    entry: Entry, submission: Submission, question: Question, maintainer: User, owner: User
) -> None:
    other = ask_team(entry, "And then?", GROUNDS, maintainer, NOW)
    answer_question(question, "Seed 0.", "", owner, NOW)
    assert asked(submission)
    answer_question(other, "Seed 1.", "", owner, NOW)
    assert not asked(submission)


@pytest.mark.parametrize(
    ("text", "url", "says"),
    [
        ("", "", "at most 5,000 characters"),
        ("x" * 5001, "", "at most 5,000 characters"),
        ("Yes.", "ftp://example.org", "must start with https://"),
    ],
)
def test_an_answer_is_refused_with_a_reason(
    question: Question, owner: User, text: str, url: str, says: str
) -> None:
    with pytest.raises(AnswerRefused, match=says):
        answer_question(question, text, url, owner, NOW)


def test_strangers_cannot_answer(question: Question, maintainer: User) -> None:
    for user in (make_user(), maintainer):
        with pytest.raises(AnswerRefused, match="Only a member"):
            answer_question(question, "Yes.", "", user, NOW)


# The pages.


@pytest.mark.parametrize(("who", "status"), each_of(302, 404, 404, 404, 302, 422))
def test_who_may_ask(
    entry: Entry, submission: Submission, who: str, status: int, request: pytest.FixtureRequest
) -> None:
    answer = someone(who, request).post(f"/docket/{submission.public_id}/ask/", {**FORM, "question": TEXT})
    assert answer.status_code == status
    assert Question.objects.exists() is (who == "maintainer")


@pytest.mark.parametrize(("who", "status"), each_of(302, 404, 302, 302, 404, 404))
def test_who_may_answer(question: Question, who: str, status: int, request: pytest.FixtureRequest) -> None:
    answer = someone(who, request).post(f"/questions/{question.decision_id}/", {"answer": "Seed 0."})
    assert answer.status_code == status
    question.refresh_from_db()
    assert question.is_answered is (who in ("owner", "teammate"))


def test_the_team_finds_the_question_on_its_submission(
    question: Question, submission: Submission, owner: User
) -> None:
    page = text_of(signed_in(owner).get(f"/submissions/{submission.public_id}/"))
    assert "A maintainer asks your team" in page
    assert TEXT in page
    assert TEXT in text_of(signed_in(owner).get(f"/questions/{question.decision_id}/"))


def test_the_form_shows_why_an_answer_is_not_taken(question: Question, owner: User) -> None:
    browser = signed_in(owner)
    address = f"/questions/{question.decision_id}/"
    assert browser.post(address, {"answer": ""}).status_code == 422
    browser.post(address, {"answer": "Seed 0."})
    twice = browser.post(address, {"answer": "Seed 1."})
    assert twice.status_code == 422
    assert "answered this already" in text_of(twice)


# The API.


def post_answer(client: Client, question: Question, body: Any) -> Any:
    return client.post(
        f"/api/v1/questions/{question.decision_id}/answer",
        json.dumps(body),
        content_type="application/json",
    )


def test_a_program_reads_and_answers(question: Question, submission: Submission, owner: User) -> None:
    client = signed_in(owner)
    line = client.get("/api/v1/questions/").json()["results"][0]
    assert (line["text"], line["submission"], line["answered_at"]) == (TEXT, str(submission.public_id), None)
    assert client.get(f"/api/v1/submissions/{submission.public_id}").json()["question_open"] is True
    assert post_answer(client, question, {"answer": "Seed 0."}).json()["answer"] == "Seed 0."
    assert client.get(f"/api/v1/submissions/{submission.public_id}").json()["question_open"] is False
    again = post_answer(client, question, {"answer": "Seed 0."})
    assert (again.status_code, again["Content-Type"]) == (409, "application/problem+json")


@pytest.mark.parametrize(("who", "status"), each_of(401, 404, 200, 200, 404, 404))
def test_who_answers_by_program(
    question: Question, who: str, status: int, request: pytest.FixtureRequest
) -> None:
    client = someone(who, request)
    assert post_answer(client, question, {"answer": "Seed 0."}).status_code == status
    if status == 404:
        assert client.get("/api/v1/questions/").json()["results"] == []


def test_both_are_public_once_the_entry_is(
    question: Question, entry: Entry, owner: User, client: Client
) -> None:
    answer_question(question, "Seed 0.", "https://example.org/log", owner, NOW)
    assert client.get(f"/entries/{entry.slug}/").status_code == 404
    publish(entry, Track.objects.get(slug="clean"), GROUNDS, make_maintainer(), NOW)
    page = text_of(client.get(f"/entries/{entry.slug}/"))
    assert TEXT in page
    assert "Seed 0." in page
    public = client.get(f"/api/v1/entries/{entry.slug}").json()["record"]["questions"]
    assert public == [
        {
            "decision": question.decision_id,
            "text": TEXT,
            "asked_at": "2026-05-01T12:00:00.000000Z",
            "due_at": "2026-05-15T12:00:00.000000Z",
            "answer": "Seed 0.",
            "answer_url": "https://example.org/log",
            "answered_at": "2026-05-01T12:00:00.000000Z",
        }
    ]
    assert owner.email not in page


def test_publishing_over_an_open_question_is_asked_about_and_said(
    question: Question, entry: Entry, submission: Submission, maintainer: User
) -> None:
    browser, form = signed_in(maintainer), {**FORM, "track": "clean", "reason": "All is disclosed."}
    case = f"/docket/{submission.public_id}/"
    assert "The team was asked and has not answered yet" in text_of(browser.get(case))
    refused = browser.post(f"{case}publish/", form)
    assert refused.status_code == 422
    submission.refresh_from_db()
    assert submission.status == Submission.Status.IN_REVIEW
    assert browser.post(f"{case}publish/", {**form, "without_answer": "on"}).status_code == 302
    for page in (browser.get(case), Client().get(f"/entries/{entry.slug}/")):
        assert "published without an answer" in text_of(page)
        assert "waits for the team" not in text_of(page)


def test_without_an_open_question_nothing_more_is_asked(
    question: Question, submission: Submission, owner: User, maintainer: User
) -> None:
    answer_question(question, "Seed 0.", "", owner, NOW)
    browser, case = signed_in(maintainer), f"/docket/{submission.public_id}/"
    assert "has not answered yet" not in text_of(browser.get(case))
    assert browser.post(f"{case}publish/", {**FORM, "track": "clean"}).status_code == 302
    submission.refresh_from_db()
    assert submission.status == Submission.Status.PUBLISHED
