"""What a submission replaces and what changed: own organisation alone, told in public, both stay."""

import json
from typing import Any

import pytest
from django.test import Client

from grading.splits import Split
from leaderboard.integrity.decide import publish
from leaderboard.integrity.ledger import Grounds
from leaderboard.models import Entry, Track
from submissions.confirm import Confirmation, NotConfirmed, confirm
from submissions.models import Submission, Team, User
from submissions.resubmission import Replaces, replaceable
from tests.factories import NOW, make_benchmark, make_maintainer, make_run, make_submission, make_team
from tests.leaderboard.boards import make_board_benchmark, make_published, make_reviewed
from tests.leaderboard.docket.conftest import FORM, SCORES, signed_in
from tests.leaderboard.test_board_page import text_of

pytestmark = pytest.mark.django_db
CHANGED = "A longer search."
GROUNDS = Grounds(**FORM)


@pytest.fixture
def team(owner: User) -> Team:
    return make_team(owner=owner)


def make_waiting(team: Team, benchmark: Any, **columns: Any) -> Submission:
    submission = make_submission(team, benchmark, **columns)
    competition = benchmark.memberships.filter(split="low").first().competition_id
    make_run(submission, "0", competition)
    return submission


@pytest.fixture
def pair(team: Team) -> tuple[Submission, Submission]:
    benchmark = make_benchmark()
    return make_waiting(team, benchmark), make_waiting(team, benchmark)


def say(submission: Submission, replaces: Replaces | None) -> None:
    confirm(submission, submission.created_by, Confirmation(Split.LOW, "Ada", 1, replaces), NOW)
    submission.refresh_from_db()


def codes(refused: pytest.ExceptionInfo[NotConfirmed]) -> list[str]:
    return [problem["code"] for problem in refused.value.problems]


def test_said_at_confirmation(pair: tuple[Submission, Submission]) -> None:
    earlier, later = pair
    say(later, Replaces(earlier, f" {CHANGED} "))
    assert (later.supersedes, later.what_changed) == (earlier, CHANGED)


def test_said_at_upload_and_kept(pair: tuple[Submission, Submission]) -> None:
    earlier, later = pair
    later.supersedes, later.what_changed = earlier, CHANGED
    later.save()
    say(later, None)
    assert (later.supersedes, later.what_changed) == (earlier, CHANGED)


def test_taken_back_at_confirmation(pair: tuple[Submission, Submission]) -> None:
    earlier, later = pair
    later.supersedes, later.what_changed = earlier, CHANGED
    later.save()
    say(later, Replaces(None, CHANGED))
    assert (later.supersedes, later.what_changed) == (None, "")


@pytest.mark.parametrize("changed", ["", "  ", "x" * 2001])
def test_what_changed_must_be_said(pair: tuple[Submission, Submission], changed: str) -> None:
    earlier, later = pair
    with pytest.raises(NotConfirmed) as refused:
        say(later, Replaces(earlier, changed))
    assert codes(refused) == ["no_change_said"]


def test_it_replaces_what_came_before_it(pair: tuple[Submission, Submission]) -> None:
    earlier, later = pair
    for other in (earlier, later):
        with pytest.raises(NotConfirmed) as refused:
            say(earlier, Replaces(other, CHANGED))
        assert codes(refused) == ["not_earlier"]


def test_nothing_of_another_organisation_or_benchmark(team: Team) -> None:
    benchmark = make_benchmark()
    strange = make_waiting(make_team(), benchmark)
    other_benchmark = make_waiting(team, make_benchmark())
    of_sister_team = make_waiting(make_team(team.organisation), benchmark)
    later = make_waiting(team, benchmark)
    for earlier in (strange, other_benchmark):
        with pytest.raises(NotConfirmed) as refused:
            say(later, Replaces(earlier, CHANGED))
        assert codes(refused) == ["not_comparable"]
    say(later, Replaces(of_sister_team, CHANGED))
    assert later.supersedes == of_sister_team


def test_what_somebody_may_name(pair: tuple[Submission, Submission], owner: User, team: Team) -> None:
    earlier, later = pair
    make_submission(team, earlier.benchmark, status="abandoned")
    make_submission(make_team(team.organisation), earlier.benchmark)  # Of a team they are not in.
    assert list(replaceable(owner, later)) == [earlier]
    assert list(replaceable(later.team.members.get().user, earlier)) == []


# By page and program.


def test_the_form_asks_and_refuses(pair: tuple[Submission, Submission], owner: User) -> None:
    earlier, later = pair
    browser, address = signed_in(owner), f"/submissions/{later.public_id}/confirm/"
    given = {"scope": "low", "attested_name": "Ada", "accept": "on", "revision": 1}
    said = {**given, "supersedes": str(earlier.public_id)}
    assert "It replaces" in text_of(browser.get(address))
    assert "Say in at most 2,000 characters what changed" in text_of(browser.post(address, said))
    assert browser.post(address, {**said, "what_changed": CHANGED}).status_code == 302
    later.refresh_from_db()
    assert (later.supersedes, later.what_changed) == (earlier, CHANGED)


def test_the_form_offers_nothing_of_others(pair: tuple[Submission, Submission], owner: User) -> None:
    _, later = pair
    strange = make_submission(make_team(), later.benchmark)
    said = {
        "scope": "low", "attested_name": "Ada", "accept": "on", "revision": 1, "what_changed": CHANGED,
        "supersedes": str(strange.public_id),
    }  # fmt: skip
    answer = signed_in(owner).post(f"/submissions/{later.public_id}/confirm/", said)
    assert "Select a valid choice" in text_of(answer)


def post(client: Client, path: str, body: dict[str, Any]) -> Any:
    return client.post(f"/api/v1/submissions{path}", json.dumps(body), content_type="application/json")


def test_by_program(pair: tuple[Submission, Submission], owner: User) -> None:
    earlier, later = pair
    client, said = signed_in(owner), {"scope": "low", "attested_name": "Ada", "revision": 1, "accept": True}
    named = {**said, "supersedes": str(earlier.public_id)}
    refused = post(client, f"/{later.public_id}/confirm", named)
    assert refused.status_code == 422
    assert [each["code"] for each in refused.json()["errors"]] == ["no_change_said"]
    done = post(client, f"/{later.public_id}/confirm", {**named, "what_changed": CHANGED}).json()
    assert (done["supersedes"], done["what_changed"]) == (str(earlier.public_id), CHANGED)


def test_by_program_at_upload(pair: tuple[Submission, Submission], owner: User, team: Team) -> None:
    earlier, _ = pair
    strange = make_submission(make_team(), earlier.benchmark)
    new = {
        "team": str(team.public_id), "benchmark": earlier.benchmark.slug, "filename": "b.zip", "size": 5,
        "what_changed": CHANGED,
    }  # fmt: skip
    made = post(signed_in(owner), "", {**new, "supersedes": str(earlier.public_id)}).json()
    assert (made["supersedes"], made["what_changed"]) == (str(earlier.public_id), CHANGED)
    assert post(signed_in(owner), "", {**new, "supersedes": str(strange.public_id)}).status_code == 400
    assert post(signed_in(owner), "", new).json()["what_changed"] == ""


# In public.


@pytest.fixture
def entries(team: Team) -> tuple[Entry, Entry]:
    """A published entry, and one in review that replaces it."""
    benchmark = make_board_benchmark()
    old = make_published(benchmark, SCORES, team=team)
    new = make_reviewed(benchmark, SCORES, team=team, supersedes=old.submission, what_changed=CHANGED)
    return old, new


def test_before_publication_nobody_knows(entries: tuple[Entry, Entry], client: Client) -> None:
    old, _ = entries
    assert "Superseded by" not in text_of(client.get(f"/entries/{old.slug}/"))
    assert client.get(f"/api/v1/entries/{old.slug}").json()["record"]["replaced_by"] == []


def test_afterwards_each_leads_to_the_other(entries: tuple[Entry, Entry], client: Client) -> None:
    old, new = entries
    publish(new, Track.objects.get(slug="clean"), GROUNDS, make_maintainer(), NOW)
    before, after = (text_of(client.get(f"/entries/{entry.slug}/")) for entry in entries)
    assert f"Superseded by entry {new.pk}" in before
    assert f"Replaces entry {old.pk}" in after
    assert CHANGED in after
    records = [client.get(f"/api/v1/entries/{entry.slug}").json()["record"] for entry in entries]
    assert records[0]["replaced_by"] == [{"entry": new.pk, "slug": new.slug, "what_changed": CHANGED}]
    assert records[1]["replaces"] == {"entry": old.pk, "slug": old.slug, "what_changed": CHANGED}
    # It is no status: both stand where they stood.
    board = text_of(client.get("/boards/bench/clean/low/"))
    assert board.count(old.agent.name) >= 2


def test_what_was_never_published_is_not_named(team: Team, client: Client) -> None:
    benchmark = make_board_benchmark()
    hidden = make_reviewed(benchmark, SCORES, team=team)
    shown = make_published(benchmark, SCORES, team=team, supersedes=hidden.submission, what_changed=CHANGED)
    page = text_of(client.get(f"/entries/{shown.slug}/"))
    assert "Replaces an earlier submission that was not published" in page
    assert hidden.slug not in client.get(f"/entries/{shown.slug}/").content.decode()
    assert client.get(f"/api/v1/entries/{shown.slug}").json()["record"]["replaces"]["entry"] is None
