"""Which attempt an entry is: of its organisation, whatever the agent is called, and of its agent."""

from datetime import timedelta

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


def test_imported_entries_have_no_attempt() -> None:
    assert attempt_of(make_placed()) is None


def test_the_page_says_it(client: Client) -> None:
    entry = make_published(make_board_benchmark(), {"s1": {"comp-low": 0.9}})
    page = client.get(f"/entries/{entry.slug}/").content.decode()
    assert "1st graded submission of this organisation, 1st of this agent" in page


def _confirmed(team, benchmark, day: int, status: str) -> Submission:
    submission = make_submission(team, benchmark, status, scope="low")
    submission.confirmed_at = NOW + timedelta(days=day)
    submission.save()
    return submission


def _entry(team, benchmark, day: int, name: str) -> Entry:
    agent, _ = Agent.objects.get_or_create(
        organisation=team.organisation, name=name, defaults={"slug": f"{name.lower()}-{team.pk}"}
    )
    submission = _confirmed(team, benchmark, day, Submission.Status.PUBLISHED)
    columns = {
        "slug": f"e-{submission.pk}",
        "source": Entry.Source.GRADED,
        "scope": "low",
        "run_on": NOW.date(),
    }
    return Entry.objects.create(agent=agent, benchmark=benchmark, submission=submission, **columns)
