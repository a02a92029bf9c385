"""Promises of source: kept, shown, broken. The machine restates the claim; a person decides."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from leaderboard.docket import Narrowed, open_docket
from leaderboard.integrity.annotating import annotate_entry
from leaderboard.integrity.claims import proposal_for
from leaderboard.integrity.decide import publish
from leaderboard.integrity.ledger import Grounds, verify_decisions
from leaderboard.integrity.promises import PromiseRefused, promised_on, show_source, sweep_promises
from leaderboard.integrity.verifying import Ruling, lift_ruling, verify_claim
from leaderboard.models import Claim, Decision, Entry, Placement, Track
from leaderboard.promise_words import promise_of
from leaderboard.tasks import sweep_promises as task
from submissions.models import Submission, User
from tests.factories import NOW, make_maintainer, make_submission, make_team, make_user
from tests.leaderboard.docket.conftest import FORM, each_of, make_case, signed_in, someone
from tests.leaderboard.test_board_page import text_of

pytestmark = pytest.mark.django_db
GROUNDS = Grounds(**FORM)
DUE = "2026-05-10"
LAST = datetime(2026, 5, 10, 23, 59, tzinfo=UTC)
AFTER = datetime(2026, 5, 11, tzinfo=UTC)
LINK = "https://example.org/source"
PROMISE = {"scaffold.source_url": None, "scaffold.source_promise": {"date": DUE}}


@pytest.fixture
def entry(owner: User, teammate: User) -> Entry:
    """With nothing in the way of Clean but the promise."""
    entry = make_case(PROMISE, team=make_team(owner=owner, members=[teammate]))
    Claim.objects.filter(submission=entry.submission).exclude(code="scaffold").update(
        state="declared", holds=True
    )
    return entry


def scaffold(submission: Submission) -> Claim:
    return submission.claims.get(code="scaffold")


def state_of(submission: Submission) -> str:
    promise = promise_of(submission)
    assert promise is not None
    return promise.state.value


def lines() -> list[str]:
    """What the docket says of promises."""
    found = open_docket(make_maintainer(), Narrowed(kind="promise"), AFTER + timedelta(days=30))
    return [item.what for item in found.items]


@pytest.mark.parametrize(
    ("scaffold", "day"),
    [
        ({"source_promise": {"date": DUE}}, DUE),
        ({"source_promise": {"date": DUE}, "source_url": LINK}, None),
        ({"source_promise": {"date": DUE}, "closed": True}, None),
        ({"source_promise": {"date": "2026-02-30"}}, None),
        ({"source_promise": {"date": "soon"}}, None),
        ({}, None),
    ],
)
def test_what_counts_as_a_promise(scaffold: dict[str, Any], day: str | None) -> None:
    submission = make_submission(scope="low", document={"scaffold": scaffold})
    assert promised_on(submission) == (datetime.fromisoformat(day).date() if day else None)


@pytest.mark.parametrize(("now", "expired"), [(NOW, 0), (LAST, 0), (AFTER, 1)])
def test_the_day_itself_still_counts(
    entry: Entry, submission: Submission, now: datetime, expired: int
) -> None:
    assert proposal_for(submission).track == "clean"
    assert sweep_promises(now) == expired
    assert sweep_promises(now) == 0
    assert state_of(submission) == ("expired" if expired else "open")
    assert proposal_for(submission).track == ("no-private-lb" if expired else "clean")


def test_an_expired_promise_is_on_the_docket_and_moves_nothing(
    entry: Entry, submission: Submission, maintainer: User
) -> None:
    publish(entry, Track.objects.get(slug="clean"), GROUNDS, maintainer, NOW)
    sweep_promises(AFTER)
    claim = scaffold(submission)
    assert (claim.state, claim.holds, claim.severity) == ("undisclosed", False, "notice")
    assert claim.sentence == "Source promised for 2026-05-10; the day passed and no link came."
    assert Placement.objects.get().track.slug == "clean"
    assert Decision.objects.count() == 1
    assert lines() == ["Source promised for 2026-05-10, and no link came. Demotion is proposed."]
    assert submission.events.filter(kind="promise_expired").count() == 1
    annotate_entry(entry, GROUNDS, maintainer, AFTER + timedelta(days=1))
    assert lines() == []


def test_the_entry_says_that_it_expired(entry: Entry, maintainer: User, client: Client) -> None:
    publish(entry, Track.objects.get(slug="clean"), GROUNDS, maintainer, NOW)
    address = f"/entries/{entry.slug}/"
    assert "Source promised for 2026-05-10 " in text_of(client.get(address))
    sweep_promises(AFTER)
    assert "Source promised for 2026-05-10, expired" in text_of(client.get(address))
    promise = client.get(f"/api/v1/entries/{entry.slug}").json()["record"]["promise"]
    assert promise == {
        "due_on": DUE,
        "state": "expired",
        "url": "",
        "sentence": "promised for 2026-05-10, expired",
    }


def test_a_link_in_time_keeps_the_claim_until_somebody_looks(
    entry: Entry, submission: Submission, owner: User, maintainer: User
) -> None:
    show_source(submission, LINK, owner, LAST)
    assert sweep_promises(AFTER) == 0
    assert state_of(submission) == "shown"
    assert lines() == [f"The team says that the source is out: {LINK}"]
    ruling = Ruling(True, "open", "The repository holds the agent at the commit named.")
    verify_claim(scaffold(submission), ruling, GROUNDS, maintainer, AFTER)
    assert state_of(submission) == "kept"
    assert lines() == []
    assert sweep_promises(AFTER + timedelta(days=400)) == 0
    assert verify_decisions() == []


def test_an_empty_link_is_refused_and_another_may_follow(
    entry: Entry, submission: Submission, owner: User, maintainer: User
) -> None:
    sweep_promises(AFTER)
    show_source(submission, LINK, owner, AFTER)
    assert proposal_for(submission).track == "no-private-lb"  # A link alone restores nothing.
    nothing = Ruling(False, "expired", "The link leads to an empty repository.")
    verify_claim(scaffold(submission), nothing, GROUNDS, maintainer, AFTER + timedelta(hours=1))
    assert (state_of(submission), lines()) == ("refused", [])
    show_source(submission, f"{LINK}/2", owner, AFTER + timedelta(hours=2))
    assert (state_of(submission), lines()) == ("shown", [f"The team says that the source is out: {LINK}/2"])


def test_a_ruling_on_the_promise_itself_does_not_outlive_it(
    entry: Entry, submission: Submission, maintainer: User
) -> None:
    verify_claim(scaffold(submission), Ruling(True, "promised", "It is."), GROUNDS, maintainer, NOW)
    assert sweep_promises(AFTER) == 1
    assert verify_decisions() == []
    lift_ruling(scaffold(submission), GROUNDS, maintainer, AFTER)
    assert sweep_promises(AFTER) == 1
    assert scaffold(submission).evidence["answer"] == "expired"


@pytest.mark.parametrize("status", ["queued", "grading", "graded", "withdrawn"])
def test_only_what_is_in_review_or_published_expires(
    entry: Entry, submission: Submission, status: str
) -> None:
    Submission.objects.filter(pk=submission.pk).update(status=status)
    assert sweep_promises(AFTER) == 0


@pytest.mark.parametrize("url", ["", "ftp://example.org", "https://example.org/" + "a" * 500])
def test_a_link_must_be_one(entry: Entry, submission: Submission, owner: User, url: str) -> None:
    with pytest.raises(PromiseRefused, match="must start with https://"):
        show_source(submission, url, owner, NOW)


def test_strangers_give_no_link(entry: Entry, submission: Submission) -> None:
    with pytest.raises(PromiseRefused, match="Only a member"):
        show_source(submission, LINK, make_user(), NOW)


def test_nothing_was_promised(owner: User) -> None:
    submission = make_case(team=make_team(owner=owner)).submission
    assert submission is not None
    assert promise_of(submission) is None
    with pytest.raises(PromiseRefused, match="No source was promised"):
        show_source(submission, LINK, owner, NOW)
    assert signed_in(owner).get(f"/submissions/{submission.public_id}/source/").status_code == 302


@pytest.mark.parametrize(("who", "status"), each_of(404, 404, 302, 302, 404, 404))
def test_who_gives_the_link(
    entry: Entry, submission: Submission, who: str, status: int, request: pytest.FixtureRequest
) -> None:
    answer = someone(who, request).post(f"/submissions/{submission.public_id}/source/", {"url": LINK})
    assert answer.status_code == status
    assert (state_of(submission) == "shown") is (who in ("owner", "teammate"))


def test_by_program(entry: Entry, submission: Submission, owner: User) -> None:
    def put(url: str) -> Any:
        address = f"/api/v1/submissions/{submission.public_id}/source"
        return signed_in(owner).put(address, json.dumps({"url": url}), content_type="application/json")

    assert put(LINK).json()["state"] == "shown"
    assert put("nonsense").status_code == 400
    Submission.objects.filter(pk=submission.pk).update(status="withdrawn")
    assert put(LINK).status_code == 409


def test_the_clock_rings_it(entry: Entry, submission: Submission) -> None:
    task()  # Long after the day.
    assert state_of(submission) == "expired"
