"""What people read is in words, not in the codes of schema and database."""

import re

import pytest

from leaderboard.integrity.checks import CHECKS
from leaderboard.models import Decision, Track
from submissions.life import DECISIONS
from submissions.run_card.schema import SCHEMA
from submissions.templatetags.run_cards import TRACKS
from tests.leaderboard.test_checks import claim_of, disclosure


@pytest.mark.parametrize("source", SCHEMA["properties"]["cost"]["properties"]["source"]["enum"])
def test_claims_name_no_codes(source: str) -> None:
    given = disclosure({"cost.source": source})
    for check in CHECKS:
        sentence = claim_of(check.code, given).sentence
        assert not re.search(r"\b[a-z]+_[a-z]+\b", sentence), sentence


def test_decisions_are_called_alike_in_a_submissions_history_and_on_record() -> None:
    assert dict(DECISIONS) == dict(Decision.Kind.choices)


@pytest.mark.django_db
def test_tracks_are_called_alike_on_the_run_card_and_on_boards() -> None:
    assert dict(Track.objects.values_list("slug", "title")) == TRACKS
