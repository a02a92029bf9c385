"""The shape of a competition's answers: what a validity check may know. Labels never enter it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from grading.graders.job import Job
from grading.graders.outline import outline_of
from grading.specs import CompetitionSpec, job_for


def shape_of_answers(spec: CompetitionSpec, answers: Path) -> dict[str, Any]:
    """The shape as plain values for JSON. Raises AnswersError if the answers are not what the spec says."""
    return outline_of(Job.from_dict(job_for(spec)), answers)
