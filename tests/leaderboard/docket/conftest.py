"""An entry in review, its people, and a maintainer who may decide on it."""

from typing import Any

import pytest
from django.test import Client

from leaderboard.models import Entry
from submissions.models import Submission, User
from tests.factories import make_maintainer, make_team, make_user
from tests.leaderboard.boards import make_board_benchmark, make_reviewed
from tests.submissions.run_cards import having

SCORES = {"0": {"comp-low": 0.95}, "1": {"comp-low": 0.85}, "2": {"comp-low": 0.75}}
FORM = {
    "reason": "It was seen in the logs.",
    "rule": "Tracks and rules, Clean",
    "evidence_url": "https://example.org/e",
}


def make_case(changes: dict[str, Any] | None = None, **columns: Any) -> Entry:
    """An entry in review whose run card is the example with these changes."""
    return make_reviewed(make_board_benchmark(), SCORES, document=having(changes or {}), **columns)


@pytest.fixture
def owner(db: None) -> User:
    return make_user()


@pytest.fixture
def teammate(db: None) -> User:
    return make_user()


@pytest.fixture
def entry(owner: User, teammate: User) -> Entry:
    return make_case(team=make_team(owner=owner, members=[teammate]))


@pytest.fixture
def submission(entry: Entry) -> Submission:
    assert entry.submission is not None
    return entry.submission


@pytest.fixture
def maintainer(db: None) -> User:
    return make_maintainer()


@pytest.fixture
def conflicted(submission: Submission) -> User:
    """A maintainer who once handed something in for the organisation."""
    user = make_maintainer()
    make_team(submission.team.organisation, owner=user)
    return user


def signed_in(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


PEOPLE = ("anonymous", "stranger", "owner", "teammate", "maintainer", "conflicted")


def each_of(*statuses: int) -> list[tuple[str, int]]:
    """PEOPLE, each with the status that they get."""
    return list(zip(PEOPLE, statuses, strict=True))


def someone(who: str, request: pytest.FixtureRequest) -> Client:
    """The browser of one of PEOPLE. The stranger is of another team."""
    if who == "anonymous":
        return signed_in(None)
    if who == "stranger":
        return signed_in(make_team().members.get().user)
    return signed_in(request.getfixturevalue(who))
