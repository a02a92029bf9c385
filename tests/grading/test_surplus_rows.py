"""A file of far too many rows: refused as if all had been read, without reading them all."""

from dataclasses import replace
from pathlib import Path

import pytest

from grading.graders.grade import judge
from grading.graders.job import Checks, Job
from grading.graders.reader import Table, read_table
from grading.graders.verdict import Outcome, Verdict

JOB = Job("some-competition", "accuracy", {}, "csv", ("id",), ("label",), Checks(values="numbers"))
ANSWERS = b"id,label\na,1\nb,0\n"


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grading.graders.reader.BLOCK_ROWS", 2)
    monkeypatch.setattr("grading.graders.reader.BLOCK_CHARACTERS", 8)


@pytest.fixture
def truth() -> Table:
    return read_table(ANSWERS)


def verdict_on(job: Job, folder: Path, truth: Table, text: str) -> Verdict:
    path = folder / "submission.csv"
    path.write_text(text)
    return judge(job, path, truth)


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("id,label\n" + "a,1\n" * 3, "row_count", "has 3 data rows; 2 are expected"),
        ("id,label\n" + "a,1\n" * 99, "row_count", "has at least "),
        ("id,label\n" + '"a",1\n' * 99, "row_count", "has at least "),
        ("id,other\n" + "a,1\n" * 99, "column_missing", "label"),
    ],
)
def test_refused_with_the_first_rule_broken(
    tmp_path: Path, truth: Table, text: str, code: str, told: str
) -> None:
    verdict = verdict_on(JOB, tmp_path, truth, text)
    assert (verdict.outcome, verdict.code) == (Outcome.INVALID, code)
    assert told in verdict.message


def test_where_any_number_of_rows_may_be_all_are_read(tmp_path: Path, truth: Table) -> None:
    any_rows = replace(JOB, checks=Checks(rows="any", ids="joined", values="numbers"))
    verdict = verdict_on(any_rows, tmp_path, truth, "id,label\n" + "a,1\n" * 9 + "b,1\n")
    assert (verdict.outcome, verdict.score) == (Outcome.SCORED, 0.9)
