"""The validity check against the oracle: what grading refuses without labels is refused here, with the same code."""

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from grading.catalogue import CompetitionSpec, job_for, shipped_competitions
from grading.graders.grade import grade_files
from grading.graders.job import Job
from grading.graders.outline import outline_of, problems_against
from grading.graders.validity import check_job
from grading.graders.verdict import Outcome, Verdict
from grading.late_rules import BY_COMPETITION, BY_FAMILY, late_rules
from tests.grading.oracle import held_specs, unpack

DOCUMENT = Path(__file__).parents[2] / "docs" / "grading.md"
TOLD_BY_METRIC = {"accuracy", "auroc", "columnwise_mean_auroc"}


@pytest.fixture(scope="session")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack(tmp_path_factory.mktemp("oracle"))


def verdicts(folder: Path, spec: CompetitionSpec) -> Iterator[tuple[Verdict, list[str], list[str]]]:
    """Of each case: the grading, and the codes and messages of the check."""
    job = Job.from_dict(job_for(spec))
    answers = folder / f"answers.{job.answers_format}"
    outline = json.loads(json.dumps(outline_of(job, answers)))
    for case in json.loads((folder / "cases.json").read_text()):
        problems = problems_against(job, outline, folder / case["file"])
        graded = grade_files(job, folder / case["file"], answers)
        yield graded, [each.code for each in problems], [each.message for each in problems]


@pytest.mark.parametrize("spec", held_specs(), ids=lambda spec: spec.id)
def test_the_check_is_grading_without_labels(oracle: Path, spec: CompetitionSpec) -> None:
    late = {rule.code for rule in late_rules(spec.id, spec.metric.family)}
    for graded, codes, messages in verdicts(oracle / spec.id, spec):
        assert len(set(messages)) == len(messages)
        if codes:
            assert (graded.outcome, graded.code, graded.message) == (Outcome.INVALID, codes[0], messages[0])
        elif graded.outcome is Outcome.INVALID:
            assert graded.code in late


def junk(text: str, lines: int) -> str:
    """So many rows like the first one of the CSV, whose last cell nobody can read."""
    table = list(csv.reader(text.splitlines()))
    out = io.StringIO()
    csv.writer(out).writerows([table[0], *([*table[1][:-1], "?"] for _ in range(lines))])
    return out.getvalue()


@pytest.mark.parametrize("spec", held_specs(), ids=lambda spec: spec.id)
def test_what_is_wrong_in_more_than_one_way_is_refused_as_grading_refuses_it(
    oracle: Path, spec: CompetitionSpec, tmp_path: Path
) -> None:
    folder, job = oracle / spec.id, Job.from_dict(job_for(spec))
    answers = folder / f"answers.{job.answers_format}"
    outline = json.loads(json.dumps(outline_of(job, answers)))
    case = json.loads((folder / "cases.json").read_text())[0]
    text, path = (folder / case["file"]).read_text(), tmp_path / "submission.csv"
    for lines in (1, outline["rows"] + 3):
        path.write_text(junk(text, lines))
        problems = problems_against(job, outline, path)
        graded = grade_files(job, path, answers)
        if graded.outcome is Outcome.INVALID and problems:
            assert (graded.code, graded.message) == (problems[0].code, problems[0].message)


def test_late_rules_name_what_is_there() -> None:
    specs = shipped_competitions().values()
    assert set(BY_FAMILY) <= {spec.metric.family for spec in specs}
    assert set(BY_COMPETITION) <= {spec.id for spec in specs}


def test_the_document_lists_them() -> None:
    section = DOCUMENT.read_text().split("### Validity that depends on labels")[1].split("\n## ")[0]
    assert {rule.code for rules in (*BY_FAMILY.values(), *BY_COMPETITION.values()) for rule in rules} <= set(
        re.findall(r"`([a-z_]+)`", section)
    )
    by_family = [spec for spec in held_specs() if spec.metric.family in BY_FAMILY]
    named = [spec.id for spec in by_family if spec.metric.family not in TOLD_BY_METRIC]
    assert [each for each in (*named, *BY_COMPETITION) if each not in section] == []


DOGS = shipped_competitions()["dog-breed-identification"]
CACTUS = shipped_competitions()["aerial-cactus-identification"]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("id,a,b\nx,0.5,0.5\ny,0.25,0.75\n", []),
        ("id,a,b\nx,0.5,dog\ny,,0.75\n", ["missing_value", "not_numeric"]),
        ("id,a\nx,0.5\nz,2\n", ["column_missing", "ids_differ", "out_of_range"]),
        ("id,a,b\nx,0.5,0.5\n", ["row_count", "ids_differ"]),
        ("id,a,b\nx,0.5,0.5\nx,0.5,0.4\n", ["ids_differ", "row_sum"]),
        ("id,a,b\nx,5,-4\ny,0.5,0.5\n", ["out_of_range", "out_of_range"]),
        ("id,a,b\nx,0,1\ny,0,1\ny,0,1\nx,dog,1\n", ["row_count", "ids_differ", "not_numeric"]),
        ("id,a,b,a\nx,0.5,0.5,1\n", ["row_count", "ids_differ"]),
    ],
)
def test_every_reason_is_told(tmp_path: Path, text: str, codes: list[str]) -> None:
    job = Job.from_dict(job_for(DOGS))
    outline = {"rows": 2, "columns": ["id", "a", "b"], "cells": {"id": ["x", "y"]}}
    (tmp_path / "submission.csv").write_text(text)
    problems = problems_against(job, outline, tmp_path / "submission.csv")
    assert [each.code for each in problems] == codes


def test_a_check_never_ends_in_a_score(tmp_path: Path) -> None:
    """What the sandbox writes for a valid file has an outcome and no reasons, and nothing else."""
    (tmp_path / "outline").write_text('{"rows": 1, "columns": ["id", "has_cactus"], "cells": {"id": ["a"]}}')
    (tmp_path / "submission").write_text("id,has_cactus\na,1\n")
    job = {
        "competition": job_for(CACTUS),
        **{each: str(tmp_path / each) for each in ("outline", "submission")},
    }
    assert check_job(job) == {"outcome": "valid", "reasons": []}
