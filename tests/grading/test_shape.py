"""The validity check from the shape alone: as strict as the grader, and blind to labels."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from grading.catalogue import CompetitionSpec, job_for, shipped_competitions
from grading.graders.grade import grade_files
from grading.graders.job import Job
from grading.graders.outline import problems_against
from grading.graders.verdict import GraderNotImplemented, Outcome
from grading.shape import shape_of_answers

CACTUS = shipped_competitions()["aerial-cactus-identification"]
VENTILATOR = shipped_competitions()["ventilator-pressure-prediction"]
SPEECH = shipped_competitions()["tensorflow-speech-recognition-challenge"]
TOXIC = shipped_competitions()["jigsaw-toxic-comment-classification-challenge"]
TOXIC_HEAD = "id,toxic,severe_toxic,obscene,threat,insult,identity_hate\n"

CASES = [
    (CACTUS, "id,has_cactus\nb,1\na,0\nc,1\n", "id,has_cactus\nb,0\na,1\nc,0\n"),
    (SPEECH, "fname,label\nb,yes\na,no\nc,up\n", "fname,label\nb,1\na,2\nc,3\n"),
    (
        VENTILATOR,
        "id,u_out,pressure\n2,0,1.5\n1,1,2\n3,0,3\n",
        "id,u_out,pressure\n2,0,9\n1,1,8\n3,0,-7.25\n",
    ),
    (
        TOXIC,
        TOXIC_HEAD + "b,1,0,1,0,1,0\na,0,1,0,1,0,1\n",
        TOXIC_HEAD + "b,-1,-1,-1,-1,-1,-1\na,0,0,0,1,0,0\n",
    ),
]


@pytest.mark.parametrize(("spec", "answers", "swapped"), CASES, ids=lambda case: getattr(case, "id", ""))
def test_swapping_labels_changes_nothing(
    tmp_path: Path, spec: CompetitionSpec, answers: str, swapped: str
) -> None:
    shapes = []
    for text in (answers, swapped):
        (tmp_path / "answers.csv").write_text(text)
        shapes.append(json.dumps(shape_of_answers(spec, tmp_path / "answers.csv")))
    assert shapes[0] == shapes[1]


def test_the_shape_is_ids_and_names(tmp_path: Path) -> None:
    path = write(tmp_path, "answers.csv", "id,u_out,u_in,pressure\n2,0,5,1.5\n1,1,5,2\n")
    assert shape_of_answers(VENTILATOR, path) == {
        "version": 1,
        "competition": VENTILATOR.id,
        "rows": 2,
        "columns": ["id", "u_out", "u_in", "pressure"],
        "cells": {"id": ["1", "2"], "u_out": ["1", "0"]},
    }


@pytest.mark.parametrize(
    ("submission", "codes"),
    [
        ("id,has_cactus\na,0.5\nb,0.25\nc,1\n", []),
        ("id,has_cactus\nc,1\na,0\nb,0\n", []),
        ("id,has_cactus\na,0.5\nb,0.25\n", ["row_count", "ids_differ"]),
        ("id,has_cactus\na,0.5\nb,0.25\nd,1\n", ["ids_differ"]),
        ("id,has_cactus\na,0.5\nb,\nc,1\n", ["missing_value"]),
        ("id,has_cactus\na,0.5\nb,cactus\nc,1\n", ["not_numeric"]),
        ("id,has_cactus\na,0.5\nb,1.5\nc,1\n", ["out_of_range"]),
        ("id,cactus\na,0.5\n", ["column_missing", "row_count", "ids_differ"]),
        ("", ["empty_file"]),
    ],
)
def test_the_check_says_what_the_grader_says(tmp_path: Path, submission: str, codes: list[str]) -> None:
    answers = write(tmp_path, "answers.csv", CASES[0][1])
    path = write(tmp_path, "submission.csv", submission)
    shape = json.loads(json.dumps(shape_of_answers(CACTUS, answers)))
    problems = problems_against(Job.from_dict(job_for(CACTUS)), shape, path)
    assert [problem.code for problem in problems] == codes
    verdict = grade_files(Job.from_dict(job_for(CACTUS)), path, answers)
    assert [problem.message for problem in problems[:1]] == ([verdict.message] if codes else [])
    assert (verdict.outcome is Outcome.SCORED) is (codes == [])


def test_a_competition_without_a_grader_has_no_check(tmp_path: Path) -> None:
    unknown = replace(CACTUS, metric=replace(CACTUS.metric, family="no such metric"))
    with pytest.raises(GraderNotImplemented):
        problems_against(Job.from_dict(job_for(unknown)), {}, write(tmp_path, "submission.csv", "id\n"))


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name
