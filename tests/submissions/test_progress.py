"""What a team may read about its runs before there is anything to publish."""

import pytest

from submissions.progress import bad_runs
from tests.factories import make_benchmark, make_grading, make_run, make_submission

pytestmark = pytest.mark.django_db
NOTE = "Column y: 1 value of a kind this competition does not use (data row 3)."


def test_a_scored_run_with_a_note_is_listed_with_it_and_one_without_is_not() -> None:
    submission = make_submission(
        benchmark=make_benchmark(splits={"one": "low"}), status="grading", scope="low"
    )
    make_grading(make_run(submission, "s0", "one"), 0.5)
    make_grading(make_run(submission, "s1", "one"), 0.0, code="labels_read_as_text", message=NOTE)
    make_grading(make_run(submission, "s2", "one"), code="row_count", message="Two rows are missing.")
    assert [(run.seed, run.outcome, run.message) for run in bad_runs(submission)] == [
        ("s1", "scored", NOTE),
        ("s2", "invalid", "Two rows are missing."),
    ]
