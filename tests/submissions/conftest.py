"""The team that most tests of this folder are about, and its owner."""

import pytest

from submissions.models import Team, User
from tests.factories import make_team, make_user


@pytest.fixture
def owner() -> User:
    return make_user()


@pytest.fixture
def team(owner: User) -> Team:
    return make_team(owner=owner)
