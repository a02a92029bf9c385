"""Ruling on claims: verified, contradicted, lifted; the proposal follows, and edits by SQL show."""

from typing import Any

import pytest
from django.db import connection

from leaderboard.integrity.claims import proposal_for
from leaderboard.integrity.decide import publish
from leaderboard.integrity.deciding import DecidedAlready, DecisionRefused
from leaderboard.integrity.ledger import Grounds, verify_decisions
from leaderboard.integrity.rulings import say_of
from leaderboard.integrity.verifying import Ruling, lift_ruling, verify_claim
from leaderboard.models import Claim, Decision, Entry, Track
from submissions.models import Submission, User
from tests.factories import NOW, make_maintainer
from tests.leaderboard.docket.conftest import FORM, each_of, make_case, signed_in, someone
from tests.leaderboard.test_board_page import text_of

pytestmark = pytest.mark.django_db
GROUNDS = Grounds(**FORM)
HOLDS = Ruling(True, "", "The logs of every seed were read.")
State = Claim.State


def claim_of(entry: Entry, code: str) -> Claim:
    return Claim.objects.get(submission=entry.submission, code=code)


def test_a_verified_claim_says_so_with_its_decision(entry: Entry, maintainer: User) -> None:
    claim = claim_of(entry, "web-search")
    decision = verify_claim(claim, HOLDS, GROUNDS, maintainer, NOW)
    assert (claim.state, claim.sentence, claim.decision) == (
        State.MAINTAINER_VERIFIED,
        HOLDS.sentence,
        decision,
    )
    assert (decision.kind, decision.details["claim"], decision.track) == ("verify", "web-search", None)
    assert decision.details["before"]["state"] == "declared"
    assert verify_decisions() == []


@pytest.mark.parametrize(
    ("code", "ruling", "state", "holds", "proposed"),
    [
        ("test-set-signal", Ruling(True, "none", "Read."), "maintainer_verified", True, "clean"),
        ("test-set-signal", Ruling(True, "score", "Read."), "maintainer_verified", False, "additional"),
        ("test-set-signal", Ruling(False, "none", "Scores reached it."), "contradicted", False, "additional"),
        ("scaffold", Ruling(False, "open", "The link is empty."), "contradicted", False, "no-private-lb"),
    ],
)
def test_the_proposal_follows_the_ruling(
    maintainer: User, code: str, ruling: Ruling, state: str, holds: bool, proposed: str
) -> None:
    entry = make_case({"compute.overrides": None})
    assert entry.submission is not None
    # What the made-up bundle does not hold of the example's run card is beside the point here.
    Claim.objects.filter(submission=entry.submission).exclude(code=code).update(state="declared", holds=True)
    assert proposal_for(entry.submission).track == "clean"
    verify_claim(claim_of(entry, code), ruling, GROUNDS, maintainer, NOW)
    claim = claim_of(entry, code)
    assert (claim.state, claim.holds) == (state, holds)
    assert proposal_for(entry.submission).track == proposed


def test_lifting_brings_back_what_was_said_first(entry: Entry, maintainer: User) -> None:
    claim = claim_of(entry, "web-search")
    before = say_of(claim)
    first = verify_claim(claim, HOLDS, GROUNDS, maintainer, NOW)
    second = verify_claim(claim, Ruling(False, "", "It searched after all."), GROUNDS, maintainer, NOW)
    third = lift_ruling(claim, GROUNDS, maintainer, NOW)
    assert say_of(claim_of(entry, "web-search")) == before
    assert (first.supersedes, second.supersedes, third.supersedes) == (None, first, second)
    with pytest.raises(DecisionRefused, match="nothing to lift"):
        lift_ruling(claim, GROUNDS, maintainer, NOW)
    verify_claim(claim, HOLDS, GROUNDS, maintainer, NOW)
    assert verify_decisions() == []


def test_the_same_ruling_sent_again_is_made_once(entry: Entry, maintainer: User) -> None:
    claim = claim_of(entry, "web-search")
    verify_claim(claim, HOLDS, GROUNDS, maintainer, NOW, seen=0)
    with pytest.raises(DecidedAlready):
        verify_claim(claim_of(entry, "web-search"), HOLDS, GROUNDS, maintainer, NOW, seen=0)
    with pytest.raises(DecisionRefused, match="was made since"):
        verify_claim(claim_of(entry, "prompt"), HOLDS, GROUNDS, maintainer, NOW, seen=0)
    assert Decision.objects.count() == 1


def test_of_two_who_looked_at_the_same_claim_one_rules(entry: Entry, maintainer: User) -> None:
    mine, other = claim_of(entry, "web-search"), claim_of(entry, "web-search")
    verify_claim(mine, HOLDS, GROUNDS, maintainer, NOW)
    with pytest.raises(DecisionRefused, match="Somebody ruled on this claim"):
        verify_claim(other, Ruling(False, "", "No."), GROUNDS, make_maintainer(), NOW)
    assert claim_of(entry, "web-search").state == State.MAINTAINER_VERIFIED
    assert Decision.objects.count() == 1


@pytest.mark.parametrize("sentence", ["", " ", "x" * 501])
def test_a_ruling_says_what_is_true(entry: Entry, maintainer: User, sentence: str) -> None:
    with pytest.raises(DecisionRefused, match="Say in one sentence"):
        verify_claim(claim_of(entry, "web-search"), Ruling(True, "", sentence), GROUNDS, maintainer, NOW)


def test_a_conflicted_maintainer_does_not_rule(entry: Entry, conflicted: User) -> None:
    with pytest.raises(DecisionRefused, match="Another maintainer must decide"):
        verify_claim(claim_of(entry, "web-search"), HOLDS, GROUNDS, conflicted, NOW)


def edit(sql: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("UPDATE leaderboard_claim SET sentence = 'Mine.' WHERE code = 'web-search'", "something else of the claim"),
        ("UPDATE leaderboard_claim SET state = 'declared' WHERE code = 'web-search'", "something else of the claim"),
        (
            "UPDATE leaderboard_claim SET state = 'maintainer_verified' WHERE code = 'prompt'",
            "verified the claim prompt",
        ),
    ],
)  # fmt: skip
def test_a_claim_edited_by_sql_shows(entry: Entry, maintainer: User, sql: str, says: str) -> None:
    verify_claim(claim_of(entry, "web-search"), HOLDS, GROUNDS, maintainer, NOW)
    assert verify_decisions() == []
    edit(sql)
    assert [says in each.sentence for each in verify_decisions()] == [True]


# The pages.

VERIFY = {**FORM, "holds": "yes", "sentence": "It was looked at."}


@pytest.mark.parametrize(("who", "status"), each_of(302, 404, 404, 404, 302, 422))
def test_who_may_verify(
    entry: Entry, submission: Submission, who: str, status: int, request: pytest.FixtureRequest
) -> None:
    address = f"/docket/{submission.public_id}/claims/web-search/"
    answer = someone(who, request).post(address, VERIFY)
    assert answer.status_code == status
    verified = claim_of(entry, "web-search").state == State.MAINTAINER_VERIFIED
    assert verified is (who == "maintainer")
    if verified:
        assert someone(who, request).post(f"{address}lift/", FORM).status_code == 302
        assert claim_of(entry, "web-search").state == State.DECLARED


def test_the_case_leads_to_every_claim(entry: Entry, submission: Submission, maintainer: User) -> None:
    page = signed_in(maintainer).get(f"/docket/{submission.public_id}/").content.decode()
    for claim in submission.claims.all():
        assert f"/docket/{submission.public_id}/claims/{claim.code}/" in page
    assert signed_in(maintainer).get(f"/docket/{submission.public_id}/claims/nothing/").status_code == 404


def test_the_entry_says_who_verified(entry: Entry, maintainer: User, client: Any) -> None:
    decision = verify_claim(claim_of(entry, "web-search"), HOLDS, GROUNDS, maintainer, NOW)
    publish(entry, Track.objects.get(slug="clean"), GROUNDS, maintainer, NOW)
    page = text_of(client.get(f"/entries/{entry.slug}/"))
    assert f"maintainer-verified decision {decision.pk}" in page
    claims = {each["code"]: each for each in client.get(f"/api/v1/entries/{entry.slug}").json()["claims"]}
    assert (claims["web-search"]["state"], claims["web-search"]["decision"]) == (
        "maintainer_verified",
        decision.pk,
    )
    assert claims["prompt"]["decision"] is None
    assert "claim “Web search” verified" in text_of(client.get("/decisions/"))
