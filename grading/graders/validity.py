"""The sandbox's entry for a validity check: one JSON job on stdin, one strict JSON object to RESULT_FD.

The job is `{"competition": <as catalogue.job_for makes it>, "submission": "<path>", "outline": "<path>"}`, the object
`{"outcome": …, "reasons": [{"code": …, "message": …}]}`.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from .job import Job
from .outline import problems_against
from .verdict import Outcome


def main() -> None:
    """Checks the file of the job on stdin. A fault of ours ends the process with a traceback and no result."""
    with os.fdopen(int(os.environ["RESULT_FD"]), "w", encoding="utf-8") as result:
        json.dump(check_job(json.load(sys.stdin)), result, allow_nan=False)


def check_job(job: dict[str, Any]) -> dict[str, Any]:
    """Outcome and reasons for the file the job names."""
    try:
        outline = json.loads(Path(job["outline"]).read_bytes())
        problems = problems_against(Job.from_dict(job["competition"]), outline, Path(job["submission"]))
    except MemoryError:
        return {"outcome": Outcome.OUT_OF_MEMORY, "reasons": []}
    reasons = [{"code": problem.code, "message": problem.message} for problem in problems]
    return {"outcome": Outcome.INVALID if reasons else Outcome.VALID, "reasons": reasons}


if __name__ == "__main__":
    main()
