"""An entry on its way to the board, and who decides on it."""

import pytest

from leaderboard.integrity.decide import publish
from leaderboard.models import Entry, Track
from submissions.models import User
from tests import factories as make
from tests.leaderboard.boards import GROUNDS


@pytest.fixture
def maintainer(db: None) -> User:
    return make.make_maintainer()


@pytest.fixture
def entry(db: None) -> Entry:
    """In review."""
    benchmark = make.make_benchmark("mle", splits={"easy": "low"})
    return make.make_reviewed(make.make_graded_submission({"0": {"easy": 0.95}}, benchmark=benchmark))


@pytest.fixture
def published(entry: Entry, maintainer: User) -> Entry:
    publish(entry, Track.objects.get(slug="clean"), GROUNDS, maintainer, make.NOW)
    return entry
