import pytest

from tests.leaderboard.record.people import Cast, make_cast


@pytest.fixture
def people(db: None) -> Cast:
    """A published entry on Clean and everybody around it."""
    return make_cast()
