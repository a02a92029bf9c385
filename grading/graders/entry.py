"""The sandbox's entry: one JSON job on stdin, one strict JSON object on the descriptor named in RESULT_FD.

The job is `{"competition": <as catalogue.job_for makes it>, "submission": "<path>", "answers": "<path>"}`, with
the number of an open descriptor in the place of a path where there is no path; the object is a Verdict.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from .grade import grade_files
from .job import Job
from .verdict import Outcome, Verdict

NO_MEMORY = Verdict(
    Outcome.OUT_OF_MEMORY, code="out_of_memory", message="The file needs more memory than a grading may use."
)


def main() -> None:
    """Grades the job on stdin. A fault of ours ends the process with a traceback and no result."""
    write_verdict(int(os.environ["RESULT_FD"]), run_job(json.load(sys.stdin)))


def run_job(job: dict[str, Any]) -> Verdict:
    """The verdict on the two files the job names."""
    try:
        return grade_files(
            Job.from_dict(job["competition"]), _source(job["submission"]), _source(job["answers"])
        )
    except MemoryError:
        return NO_MEMORY


def _source(place: int | str) -> int | Path:
    return place if isinstance(place, int) else Path(place)


def write_verdict(descriptor: int, verdict: Verdict) -> None:
    """One JSON object, never NaN, and the descriptor closed."""
    with os.fdopen(descriptor, "w", encoding="utf-8") as result:
        json.dump(verdict.as_dict(), result, allow_nan=False)


if __name__ == "__main__":
    main()
