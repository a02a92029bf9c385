"""The results on a competition, a page at a time."""

import re

import pytest
from django.test import Client

from leaderboard.models import EntryRun
from leaderboard.views.competition import PER_PAGE
from tests.factories import make_benchmark, make_placed

pytestmark = pytest.mark.django_db


def test_results_come_in_pages_the_newest_entry_first(client: Client) -> None:
    benchmark = make_benchmark("bench", {"comp-low": "low"})
    entries = [make_placed(benchmark=benchmark) for _ in range(PER_PAGE + 1)]
    for entry in entries:
        EntryRun.objects.create(
            entry=entry, seed="s1", competition_id="comp-low", split="low", medal="none", outcome="missing"
        )
    newest_first = [entry.slug for entry in reversed(entries)]
    for page, shown in (("", newest_first[:-1]), ("2", newest_first[-1:]), ("9", newest_first[-1:])):
        text = client.get("/competitions/comp-low/", {"page": page} if page else {}).content.decode()
        table = text[text.index('id="results"') :]
        assert re.findall(r'<th scope="row"><a href="/entries/([^/]+)/"', table) == shown
        assert ('href="/competitions/comp-low/?page=2"' in text) is (page == "")
        assert ('href="/competitions/comp-low/"' in table) is (page != "")
