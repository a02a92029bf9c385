"""The shape of a competition's answers: what a validity check may know. Labels never enter it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grading.graders.job import Job
from grading.graders.outline import outline_of, problems_against
from grading.graders.verdict import InvalidSubmission
from grading.specs import CompetitionSpec, job_for


def shape_of_answers(spec: CompetitionSpec, answers: Path) -> dict[str, Any]:
    """The shape as plain values for JSON. Raises AnswersError if the answers are not what the spec says."""
    return outline_of(Job.from_dict(job_for(spec)), answers)


def check_against_shape(
    spec: CompetitionSpec, shape: Mapping[str, Any], submission: Path
) -> list[InvalidSubmission]:
    """What makes the submission invalid, with code and message; empty if nothing that labels do not decide.

    Same reader and rules as the grader. Raises GraderNotImplemented.
    """
    return problems_against(Job.from_dict(job_for(spec)), shape, submission)
