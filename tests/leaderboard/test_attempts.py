"""Which attempt an entry is: of its organisation, and of its agent, whatever that is called."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from leaderboard.attempts import attempt_of
from leaderboard.models import Agent, Entry
from submissions.models import Submission
from submissions.states import record_event
from tests.factories import NOW, make_benchmark, make_placed, make_submission, make_team
from tests.leaderboard.boards import make_board_benchmark, make_published

pytestmark = pytest.mark.django_db


def test_every_graded_submission_counts_and_no_other() -> None:
    team, benchmark = make_team(), make_benchmark()
    entries = [_entry(team, benchmark, day, name) for day, name in enumerate(["Old", "Old", "New", "Old"])]
    _confirmed(team, benchmark, 1, Submission.Status.QUEUED)
    graded_then_withdrawn = _confirmed(team, benchmark, 0, Submission.Status.WITHDRAWN)
    record_event(graded_then_withdrawn, "status", at=NOW, after=Submission.Status.GRADING)
    _entry(make_team(), benchmark, 0, "Other")
    counts = [attempt_of(entry) for entry in entries]
    assert [(each.of_organisation, each.of_agent) for each in counts if each] == [
        (2, 1),
        (3, 2),
        (4, 1),
        (5, 3),
    ]
    assert str(counts[3]) == "5th graded submission of this organisation, 3rd of this agent"


RENAMED = [
    ([("Ada", {}), ("ADA 2.0", {})], 2),  # a version is no name
    ([("Ada", {"commit": "4f0c9d8e5b"}), ("Bob", {"commit": "4F0C9D8E5B"})], 2),
    ([("Ada", {"source_url": "https://example.org/a"}), ("Bob", {"source_url": "http://example.org/a/"})], 2),
    ([("Ada", {"archive_sha256": "a" * 64}), ("Bob", {"archive_sha256": "a" * 64})], 2),
    # first the name is kept and the code moved, then the other way round
    (
        [
            ("Ada", {"source_url": "x.org/a"}),
            ("Ada", {"source_url": "x.org/b"}),
            ("Bob", {"source_url": "x.org/b"}),
        ],
        3,
    ),
    ([("Ada", {"commit": "4f0c9d8e5b"}), ("Bob", {"commit": "0000000000"})], 1),
    ([("Ada", {"commit": ""}), ("Bob", {"commit": ""})], 1),
]


@pytest.mark.parametrize(("agents", "expected"), RENAMED)
def test_renaming_the_agent_does_not_begin_anew(agents: list[tuple[str, Any]], expected: int) -> None:
    team, benchmark = make_team(), make_benchmark()
    entries = [
        _entry(team, benchmark, day, name, scaffold=scaffold) for day, (name, scaffold) in enumerate(agents)
    ]
    found = attempt_of(entries[-1])
    assert found
    assert (found.of_organisation, found.of_agent) == (len(agents), expected)


def test_one_query_tells_it(django_assert_num_queries: Any) -> None:
    team, benchmark = make_team(), make_benchmark()
    entries = [_entry(team, benchmark, day, "Ada") for day in range(5)]
    entry = Entry.objects.select_related("submission__team").get(pk=entries[-1].pk)
    with django_assert_num_queries(1):
        attempt_of(entry)


def test_imported_entries_have_no_attempt() -> None:
    assert attempt_of(make_placed()) is None


def test_the_page_says_it(client: Client) -> None:
    entry = make_published(make_board_benchmark(), {"s1": {"comp-low": 0.9}})
    page = client.get(f"/entries/{entry.slug}/").content.decode()
    assert "1st graded submission of this organisation, 1st of this agent" in page


def _confirmed(team, benchmark, day: int, status: str, scaffold: Any = None) -> Submission:
    document = {"scaffold": scaffold} if scaffold else {}
    submission = make_submission(team, benchmark, status, scope="low", document=document)
    submission.confirmed_at = NOW + timedelta(days=day)
    submission.save()
    return submission


def _entry(team, benchmark, day: int, name: str, scaffold: Any = None) -> Entry:
    agent, _ = Agent.objects.get_or_create(
        organisation=team.organisation, name=name, defaults={"slug": f"{name.lower()}-{team.pk}"}
    )
    submission = _confirmed(team, benchmark, day, Submission.Status.PUBLISHED, scaffold)
    columns = {
        "slug": f"e-{submission.pk}",
        "source": Entry.Source.GRADED,
        "scope": "low",
        "run_on": NOW.date(),
    }
    return Entry.objects.create(agent=agent, benchmark=benchmark, submission=submission, **columns)
