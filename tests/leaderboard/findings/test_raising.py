"""Findings of real rows: raised with the review, seen by maintainers alone."""

from typing import Any

import pytest
from django.test import Client

from leaderboard.integrity.raise_findings import raise_findings
from leaderboard.models import Entry, Finding
from leaderboard.review import open_review
from submissions.models import Bundle, Submission
from tests.factories import (
    NOW,
    make_benchmark,
    make_blob,
    make_grading,
    make_maintainer,
    make_run,
    make_submission,
    make_team,
)

pytestmark = pytest.mark.django_db


def graded(team: Any, benchmark: Any, files: dict[str, bytes], score: float = 0.55) -> Submission:
    """Seed to the content of its one file, all on the benchmark's first competition."""
    submission = make_submission(team, benchmark, Submission.Status.GRADED, scope="low")
    competition = f"{benchmark.slug}-a"
    for seed, content in files.items():
        make_grading(make_run(submission, seed, competition, blob=make_blob(team, content)), score)
    return submission


def reviewed(submission: Submission) -> list[str]:
    assert open_review(submission, NOW)
    return list(Finding.objects.filter(submission=submission).values_list("code", flat=True))


def test_files_of_another_organisation_are_found_and_named() -> None:
    benchmark = make_benchmark()
    first = graded(make_team(), benchmark, {"0": b"same", "1": b"own"})
    second = graded(make_team(), benchmark, {"0": b"other", "1": b"same"})
    assert "same-predictions" in reviewed(second)
    found = Finding.objects.get(submission=second, code="same-predictions")
    assert found.evidence["submission"] == f"submission {first.public_id}"
    assert found.evidence["runs"] == [f"1/{benchmark.slug}-a"]


def test_the_same_bundle_of_another_organisation_is_found() -> None:
    submissions = [graded(make_team(), make_benchmark(), {"0": b""}) for _ in range(2)]
    for submission in submissions:
        Bundle.objects.create(submission=submission, sha256="b" * 64, size=1, format="tar")
    assert "same-bundle" in reviewed(submissions[1])


def test_an_honest_first_submission_raises_nothing() -> None:
    submission = graded(make_team(), make_benchmark(), {"0": b"x", "1": b"y"}, score=0.75)
    assert reviewed(submission) == []


def test_reading_the_facts_takes_as_many_queries_for_three_seeds_as_for_thirty(
    django_assert_max_num_queries: Any,
) -> None:
    submission = graded(make_team(), make_benchmark(), {str(seed): b"%d" % seed for seed in range(30)})
    assert open_review(submission, NOW)
    entry = Entry.objects.get(submission=submission)
    with django_assert_max_num_queries(7):
        raise_findings(entry, NOW)


def test_maintainers_see_them_and_the_team_does_not(client: Client) -> None:
    benchmark = make_benchmark()
    submission = graded(make_team(), benchmark, {"0": b"x"}, score=1.0)
    assert reviewed(submission) == ["perfect-score"]
    client.force_login(make_maintainer())
    assert "A perfect score in 1 runs" in client.get(f"/docket/{submission.public_id}/").content.decode()
    client.force_login(submission.created_by)
    for address in (f"/submissions/{submission.public_id}/", f"/api/v1/submissions/{submission.public_id}"):
        answer = client.get(address)
        assert answer.status_code == 200
        assert "perfect" not in answer.content.decode().lower()
