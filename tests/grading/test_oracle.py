"""Every case of the oracle whose metric has a grader: equal verdict, and score to 5 decimals.

The oracle holds made-up answers and submissions with the verdict the benchmark's own graders gave.
"""

import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grading.catalogue import CompetitionSpec, job_for, shipped_competitions
from grading.graders.grade import judge, read_answers
from grading.graders.job import Job
from grading.graders.registry import is_implemented
from grading.graders.verdict import Outcome, Verdict

ARCHIVE = Path(__file__).parents[1] / "data" / "oracle.tar.xz"
IMPLEMENTED = [spec for spec in shipped_competitions().values() if is_implemented(spec.metric.family)]


@pytest.fixture(scope="session")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("oracle")
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    return folder / "oracle"


@pytest.mark.parametrize("spec", IMPLEMENTED, ids=lambda spec: spec.id)
def test_equals_the_benchmark(oracle: Path, spec: CompetitionSpec) -> None:
    assert list(differences(oracle / spec.id, Job.from_dict(job_for(spec)))) == []


def test_three_families_at_least_are_graded() -> None:
    assert {"accuracy", "auroc", "rmse"} <= {spec.metric.family for spec in IMPLEMENTED}


def differences(folder: Path, job: Job) -> Iterator[str]:
    truth = read_answers(job, folder / "answers.csv")
    for case in json.loads((folder / "cases.json").read_text()):
        verdict = judge(job, folder / case["file"], truth)
        if not agrees(case, verdict):
            yield f"{case['file']} {case['kind']}: expected {case['expected_score']}, got {verdict}"


def agrees(case: dict[str, Any], verdict: Verdict) -> bool:
    """A NaN or infinite score is valid in the benchmark and, a deliberate departure, invalid here."""
    expected = case["expected_score"]
    if not case["valid"] or isinstance(expected, str):
        return verdict.outcome is Outcome.INVALID and verdict.message != ""
    return verdict.score in (expected, case.get("stable_sort_score"))
