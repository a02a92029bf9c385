"""That docs/api.md knows every word of the public API's addresses."""

import re
from pathlib import Path

import pytest

from leaderboard.api.urls import urlpatterns

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text()
# One case's facts for maintainers: of no use to anybody else.
NOT_PUBLIC = {"docket"}


def words() -> set[str]:
    """The fixed parts of the addresses."""
    routes = " ".join(str(each.pattern) for each in urlpatterns)
    return set(re.findall(r"[a-z-]+", re.sub(r"<[^>]+>", " ", routes))) - NOT_PUBLIC


@pytest.mark.parametrize("word", sorted(words()))
def test_every_route_is_mentioned(word: str) -> None:
    assert re.search(rf"[`/]{word}\b", PAGE)
