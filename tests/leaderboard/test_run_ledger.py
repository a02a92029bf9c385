"""The public counts of runs that an earlier submission of the organisation held already."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from leaderboard.integrity.decide import publish
from leaderboard.lineage import in_line_of, plain_name
from leaderboard.models import Entry, RunComparison, Track
from leaderboard.review import open_review
from leaderboard.run_ledger import ledger_of
from submissions.models import Submission
from tests.factories import (
    NOW,
    make_benchmark,
    make_blob,
    make_entry,
    make_grading,
    make_maintainer,
    make_organisation,
    make_run,
    make_submission,
    make_team,
)
from tests.leaderboard.boards import GROUNDS

NAMES = {
    "Ada": "ada", "ADA v2": "ada", "ada-2.1": "ada", "Ada_v2.1.0": "ada", "ML-Agent (3)": "mlagent3", "R2": "r2",
    "2": "2", "AIDE2": "aide2", "gpt-4 agent": "gpt4agent",
}  # fmt: skip
LINES = [
    ([{"a"}], {0}),
    ([{"a"}, {"b"}], {1}),
    ([{"a"}, {"b"}, {"a"}], {0, 2}),
    ([{"a", "x"}, {"b"}, {"x", "y"}, {"y"}], {0, 2, 3}),
    ([set(), set()], {1}),
]


@pytest.mark.parametrize(("name", "plain"), NAMES.items())
def test_signs_and_versions_are_no_part_of_a_name(name: str, plain: str) -> None:
    assert plain_name(name) == plain


@pytest.mark.parametrize(("marks", "expected"), LINES)
def test_a_line_goes_on_by_any_mark(marks: list[set[str]], expected: set[int]) -> None:
    assert in_line_of(len(marks) - 1, [frozenset(each) for each in marks]) == expected


def graded(
    team: Any, benchmark: Any, day: int, files: dict[str, bytes], status: str = "graded"
) -> Submission:
    submission = make_submission(team, benchmark, status, scope="low")
    Submission.objects.filter(pk=submission.pk).update(confirmed_at=NOW + timedelta(days=day))
    submission.refresh_from_db()
    for seed, content in files.items():
        known = submission.team.submissions.filter(runs__blob__size=len(content)).first()
        blob = known.runs.get(blob__size=len(content)).blob if known else make_blob(team, content)
        run = make_run(submission, seed, f"{benchmark.slug}-a", blob=blob)
        if not known:
            make_grading(run, 0.95)
        else:
            run.grading = blob.gradings.get()
            run.save()
    return submission


def published(submission: Submission) -> Entry:
    assert open_review(submission, NOW)
    entry = Entry.objects.get(submission=submission)
    publish(entry, Track.objects.get(slug="no-private-lb"), GROUNDS, make_maintainer(), NOW)
    return Entry.objects.get(pk=entry.pk)


@pytest.fixture
def entries(db: None) -> list[Entry]:
    """Three of one organisation, the second not published; a fourth of nobody it knows."""
    benchmark, organisation = make_benchmark(), make_organisation()
    team = make_team(organisation)
    first = published(graded(team, benchmark, 0, {"0": b"x", "1": b"xx"}))
    hidden = graded(team, benchmark, 1, {"0": b"x", "1": b"xxx"})
    assert open_review(hidden, NOW)
    graded(team, benchmark, 2, {"0": b"x"}, status="queued")  # not graded: not on record
    third = published(graded(team, benchmark, 3, {"0": b"xxx", "1": b"xxxx"}))
    stranger = published(graded(make_team(), benchmark, 4, {"0": b"xxxxx"}))
    return [first, third, stranger]


def test_every_earlier_graded_submission_has_its_counts(entries: list[Entry]) -> None:
    first, third, stranger = entries
    found = [(row.number, row.unchanged, row.changed, row.entry) for row in ledger_of(third)]
    assert found == [(1, 0, 2, first), (2, 1, 1, None)]
    assert ledger_of(first) == ledger_of(stranger) == ledger_of(make_entry()) == []


def test_the_page_and_the_api_say_so_to_everybody(client: Client, entries: list[Entry]) -> None:
    first, third, stranger = entries
    page = client.get(f"/entries/{third.slug}/").content.decode()
    assert f"Number 1, entry {first.pk}" in page
    assert "Number 2, not published" in page
    said = client.get(f"/api/v1/entries/{third.slug}").json()["earlier"]
    day = NOW.date().isoformat()
    assert said[0] == {"number": 1, "confirmed_on": day, "unchanged": 0, "changed": 2, "entry": first.slug}
    assert said[1]["entry"] is None
    assert "Beside earlier submissions" not in client.get(f"/entries/{stranger.slug}/").content.decode()


def test_its_own_people_do_not_learn_the_counts_before_publication(entries: list[Entry]) -> None:
    hidden = Submission.objects.get(status=Submission.Status.IN_REVIEW)
    of_its_own = make_maintainer()
    make_team(hidden.team.organisation, owner=of_its_own)
    pages = []
    for maintainer in (make_maintainer(), of_its_own):
        client = Client()
        client.force_login(maintainer)
        pages.append(client.get(f"/docket/{hidden.public_id}/").content.decode())
    assert ["Beside earlier submissions" in page for page in pages] == [True, False]
    assert "Conflict of interest" in pages[1]


def test_the_counts_are_kept_as_they_were(entries: list[Entry]) -> None:
    third = entries[1]
    before = ledger_of(third)
    third.submission.runs.all().delete()
    assert ledger_of(third) == before
    assert RunComparison.objects.filter(submission=third.submission).count() == 2
