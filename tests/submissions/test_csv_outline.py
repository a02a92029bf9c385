"""What header and number of rows say of a CSV on its way in: never more than the grader would, and in its words."""

import io
from typing import Any

import pytest
from django.test import Client

from grading.catalogue import job_for, shipped_competitions
from grading.graders.job import EVERY_OTHER, Job
from grading.graders.outline import problems_against
from grading.graders.registry import grader_for
from grading.graders.verdict import GraderNotImplemented
from submissions.csv_outline import BLANK_BYTES, Expected, count_rows, find_unlike
from submissions.models import Submission
from submissions.outlook import outlook_of
from tests.factories import make_answers, make_benchmark
from tests.submissions.test_intake import check, tar_gz, upload

SPACESHIP = "spaceship-titanic"
GOOD = b"PassengerId,Transported\n0013_01,True\n0018_01,False\n0019_01,True\n"
HEADER = b"PassengerId,Transported\n"
ROWS = [
    (b"id,a\n1,2\n", 1),
    (b"id,a\n1,2", 1),
    (b"id,a\n", 0),
    (b"\xef\xbb\xbfid,a\r\n1,2\r\n\r\n3,4\r\n", 2),
    (b"\n \t\nid,a\n\n1,2\n \n", 1),
    (b'"id","a"\n1,2\n', 1),
    (b'id,a\n1,"two\nlines"\n', None),
    (b"id,a\n1,2\r3,4\n", None),
    (b'id,"a"\n' + b"1" * 70_000 + b"\n", None),
    (b"id,a\n" + b"1,2\n" * 50, 11),  # more than enough
    (b"id,a\r\n" + b"1,2\r\n" * 50, 11),
    (b"id,a\n" + b"1,2\n" * 9 + b"1,2", 10),
    (b"id,a\n1,2\n\n", 1),
    (b"\xef\xbb\xbf\nid,a\n1,2\n", 1),
    (b"id,a", 0),
    (b"id,a\r1,2\r3,4\r", None),
    (b"id,a\r1,2\n3,4\n", None),
    (b"id,a\r", 0),
    (b"\r\rid,a\r1,2\r", None),
]


def job(competition: str = SPACESHIP) -> Job:
    return Job.from_dict(job_for(shipped_competitions()[competition]))


def codes(content: bytes, rows: int | None = 3, competition: str = SPACESHIP) -> list[str]:
    return [each.code for each in find_unlike(io.BytesIO(content), Expected(job(competition), rows))]


@pytest.mark.parametrize(("content", "expected"), ROWS)
def test_rows_are_counted_where_each_line_is_one(content: bytes, expected: int | None) -> None:
    assert count_rows(io.BytesIO(content), 10, 64 << 10) == expected


@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b" " * 60_000 + b"\n", b" " * 70_000, b"\n" * 5 + b"1,2"])
def test_blank_lines_are_not_read_over_to_the_end(blank: bytes) -> None:
    file = io.BytesIO(b"id,a\n" + blank * (4 * BLANK_BYTES // len(blank)))
    enough = 10 if b"1" not in blank else 1 << 30
    assert count_rows(file, enough, 64 << 10) is None
    assert file.tell() < 3 * BLANK_BYTES


CASES = [
    (GOOD, []),
    (GOOD.replace(b"\n", b"\r"), []),
    (b'"PassengerId","Transported"\n' + GOOD[len(HEADER) :], []),
    (HEADER + b"0013_01,True\n", ["row_count"]),
    (GOOD * 2, ["row_count"]),
    (b"PassengerId,transported\n0013_01,True\n", ["column_missing", "row_count"]),
    (b"\n\n", ["empty_file"]),
    (b"", ["empty_file"]),
    (b'"PassengerId,Transported\n', []),  # what cannot be told lightly is left to grading
    (b"\xff\xfe\x00", []),
]


@pytest.mark.parametrize(("content", "expected"), CASES)
def test_what_cannot_be_valid_is_named(content: bytes, expected: list[str]) -> None:
    assert codes(content) == expected


@pytest.mark.parametrize("piece", [3, 4, 7, 64])
@pytest.mark.parametrize(("content", "expected"), ROWS)
def test_where_a_piece_ends_makes_no_difference(
    content: bytes, expected: int | None, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("submissions.csv_outline.PIECE", piece)
    assert count_rows(io.BytesIO(content), 10, 64 << 10) == expected


def test_without_answers_the_columns_alone_are_known() -> None:
    assert codes(b"a,b\n1,2\n", rows=None) == ["column_missing"]


@pytest.mark.parametrize("competition", sorted(shipped_competitions()))
def test_it_says_nothing_that_the_full_check_does_not(competition: str, tmp_path: Any) -> None:
    """Of a right header with too few rows, and of a wrong one, in every competition."""
    asked = job(competition)
    try:
        grader_for(asked.competition, asked.family)
    except GraderNotImplemented:
        pytest.skip("it has no grader")
    targets = ["target" if each == EVERY_OTHER else each for each in asked.target_columns]
    names = [*asked.id_columns, *targets]
    public = [*asked.id_columns, *asked.checks.scored_where]
    cells = {name: [] if asked.checks.ids == "superset" else ["1", "2", "3"] for name in public}
    outline = {"version": 1, "competition": competition, "rows": 3, "columns": names, "cells": cells}
    for header, may_be_alone in ((names, set()), (["surely", "not"], {"row_count"})):
        rows = 1 if asked.checks.rows == "equal" else 3
        content = ",".join(header) + "\n" + (",".join("x" for _ in header) + "\n") * rows
        (path := tmp_path / "submission.csv").write_text(content)
        # Some graders stop at absent columns.
        full = {each.code for each in problems_against(asked, outline, path)}
        light = {each.code for each in find_unlike(io.BytesIO(content.encode()), Expected(asked, 3))}
        assert light - may_be_alone <= full


@pytest.mark.django_db
def test_the_team_is_told_at_once_and_nobody_else(client: Client) -> None:
    benchmark = make_benchmark(splits={SPACESHIP: "low"})
    answers = make_answers(benchmark.competitions.get())
    content = {
        f"s0/{SPACESHIP}/submission.csv": HEADER + b"0013_01,True\n" * answers.rows,
        f"s1/{SPACESHIP}/submission.csv": b"PassengerId,Wrong\n0013_01,True\n",
        "s0/spaceshp-titanic/submission.csv": GOOD,
    }
    submission = check(upload(tar_gz(content), benchmark=benchmark))
    assert submission.status == Submission.Status.AWAITING_TEAM
    found = outlook_of(submission)
    assert (found.looked_at, found.unlike) == (2, 1)
    assert {each["where"] for each in found.problems} == {f"s1/{SPACESHIP}"}
    client.force_login(submission.created_by)
    for address in ("", "confirm/"):
        page = " ".join(client.get(f"/submissions/{submission.public_id}/{address}").content.decode().split())
        assert "1 of 2 CSVs will be invalid" in page
        assert "1 column is absent: Transported." in page
        assert "1 file of predictions is left out and will not be graded" in page
        assert "did you mean &#x27;spaceship-titanic&#x27;?" in page
    assert (
        "1 file of 2 cannot be valid" in client.get(f"/submissions/{submission.public_id}/").content.decode()
    )


@pytest.mark.django_db
def test_a_bundle_without_slips_is_said_to_look_right(client: Client) -> None:
    benchmark = make_benchmark(splits={SPACESHIP: "low"})
    rows = make_answers(benchmark.competitions.get()).rows
    content = {f"s0/{SPACESHIP}/submission.csv": HEADER + b"0013_01,True\n" * rows}
    submission = check(upload(tar_gz(content), benchmark=benchmark))
    client.force_login(submission.created_by)
    page = client.get(f"/submissions/{submission.public_id}/").content.decode()
    assert "are right in all 1 CSVs" in page
    assert "callout--danger" not in page
