"""What is decided on an entry in review is nobody's business before it is published, and everybody's then."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from leaderboard.integrity.annotating import annotate_entry
from leaderboard.integrity.answer_findings import uphold_finding
from leaderboard.integrity.decide import publish, withdraw_entry
from leaderboard.integrity.deciding import DecisionRefused
from leaderboard.integrity.ledger import Grounds
from leaderboard.integrity.questions import ask_team
from leaderboard.integrity.verifying import Ruling, verify_claim
from leaderboard.models import Claim, Decision, Entry, Finding, Track
from submissions.models import User
from tests.factories import NOW, make_team
from tests.leaderboard.boards import make_board_benchmark, make_placed, make_published
from tests.leaderboard.docket.conftest import FORM, SCORES, each_of, signed_in, someone
from tests.leaderboard.test_board_page import text_of

pytestmark = pytest.mark.django_db
WORD = "Quokka"
GROUNDS = Grounds(f"{WORD}: it was seen.", "Tracks and rules", "https://example.org/e")
Act = Callable[[Entry, User], Any]


def ask(entry: Entry, maintainer: User) -> Any:
    return ask_team(entry, f"{WORD}?", GROUNDS, maintainer, NOW)


def verify(entry: Entry, maintainer: User) -> Any:
    claim = Claim.objects.get(submission=entry.submission, code="web-search")
    return verify_claim(claim, Ruling(True, "", f"{WORD}."), GROUNDS, maintainer, NOW)


def annotate(entry: Entry, maintainer: User) -> Any:
    return annotate_entry(entry, GROUNDS, maintainer, NOW)


def uphold(entry: Entry, maintainer: User) -> Any:
    finding = Finding.objects.create(
        submission=entry.submission, code="x", title="X", severity="notice", sentence="X.", raised_at=NOW
    )
    return uphold_finding(finding, GROUNDS, maintainer, NOW)


ACTS = [ask, verify, annotate, uphold]
LISTS = [
    "/decisions/",
    "/decisions/?benchmark=bench",
    "/flags/",
    "/feeds/decisions.atom",
    "/feeds/entries.atom",
    "/api/v1/decisions/",
    "/api/v1/decisions/?format=csv",
    "/restatements/",
    "/boards/bench/clean/low/",
    "/api/v1/rankings/clean?benchmark=bench&split=low",
]


@pytest.mark.parametrize("act", ACTS)
def test_nothing_of_it_is_public_before(entry: Entry, maintainer: User, client: Client, act: Act) -> None:
    # Another entry of the same agent's organisation is public, so that the lists are not just empty.
    make_published(entry.benchmark, SCORES, team=make_team(entry.agent.organisation))
    act(entry, maintainer)
    number = Decision.objects.filter(entry=entry).latest("pk").pk
    for path in LISTS:
        answer = client.get(path)
        assert answer.status_code == 200
        assert WORD not in answer.content.decode()
        assert f"/decisions/{number}/" not in answer.content.decode()
    for path in (
        f"/decisions/{number}/",
        f"/api/v1/decisions/{number}",
        f"/entries/{entry.slug}/",
        f"/api/v1/entries/{entry.slug}",
        f"/entries/{entry.pk}/",
    ):
        assert client.get(path).status_code == 404


@pytest.mark.parametrize("act", ACTS)
def test_a_board_of_the_past_does_not_count_it(
    entry: Entry, maintainer: User, client: Client, act: Act
) -> None:
    make_published(entry.benchmark, SCORES)
    address = "/api/v1/rankings/clean?benchmark=bench&split=low&as_of=2026-04-30"
    before = client.get(address).json()["as_of"]
    assert before["changed_since"] == 1
    act(entry, maintainer)
    assert client.get(address).json()["as_of"] == before


@pytest.mark.parametrize("act", ACTS)
def test_all_of_it_is_public_after(entry: Entry, maintainer: User, client: Client, act: Act) -> None:
    act(entry, maintainer)
    number = Decision.objects.get().pk
    publish(entry, Track.objects.get(slug="no-private-lb"), Grounds(**FORM), maintainer, NOW)
    for path in (f"/decisions/{number}/", f"/entries/{entry.slug}/", "/decisions/", "/feeds/decisions.atom"):
        assert WORD in client.get(path).content.decode()
    numbers = [line["number"] for line in client.get("/api/v1/decisions/").json()["results"]]
    assert numbers == [number + 1, number]
    assert f"Decision {number}:" in text_of(client.get(f"/entries/{entry.slug}/"))


# Notes.


@pytest.mark.parametrize(("who", "status"), each_of(302, 404, 404, 404, 302, 422))
def test_who_may_annotate(entry: Entry, who: str, status: int, request: pytest.FixtureRequest) -> None:
    assert entry.submission is not None
    address = f"/docket/{entry.submission.public_id}/annotate/"
    assert someone(who, request).post(address, FORM).status_code == status
    assert Decision.objects.filter(kind="annotate").exists() is (who == "maintainer")


def test_a_published_entry_is_annotated_from_its_page(maintainer: User, client: Client) -> None:
    imported = make_placed(make_board_benchmark(), "no-private-lb", 40.0)
    answer = signed_in(maintainer).post(f"/entries/{imported.slug}/annotate/", FORM)
    assert answer["Location"] == f"/entries/{imported.slug}/#decided"
    assert f"Note by a maintainer {FORM['reason']}" in text_of(client.get(f"/entries/{imported.slug}/"))


def test_a_withdrawn_entry_is_left_alone(entry: Entry, maintainer: User) -> None:
    publish(entry, Track.objects.get(slug="clean"), GROUNDS, maintainer, NOW)
    withdraw_entry(entry, GROUNDS, maintainer, NOW)
    for act in (ask, verify, annotate):
        with pytest.raises(DecisionRefused, match="withdrawn for good"):
            act(entry, maintainer)
