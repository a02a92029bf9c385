"""The graders' reader and rules for CSVs, by the server's own files. Importing this needs the extra `csv`."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import as_file
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .benchmarks import catalogue
from .errors import Fault

if TYPE_CHECKING:
    from grading.graders.job import Job
    from grading.graders.outline import VERSION, problems_against
    from grading.graders.verdict import GraderNotImplemented
    from grading.spec_files import read_competition
    from grading.specs import job_for
else:
    from ._rules.grading.graders.job import Job
    from ._rules.grading.graders.outline import VERSION, problems_against
    from ._rules.grading.graders.verdict import GraderNotImplemented
    from ._rules.grading.spec_files import read_competition
    from ._rules.grading.specs import job_for


class CannotCheck(Exception):
    """Why a CSV of this competition cannot be checked here."""


def find_reasons(competition: str, shape: Mapping[str, Any], path: Path) -> tuple[Fault, ...]:
    """Every reason why the CSV is invalid; none if it is valid as far as labels do not decide. Raises CannotCheck."""
    if shape.get("version") != VERSION or shape.get("competition") != competition:
        raise CannotCheck("the shape on file is of another kind; update the client and fetch it again")
    try:
        problems = problems_against(_job(competition), shape, path)
    except GraderNotImplemented:
        raise CannotCheck("its metric has no grader yet") from None
    return tuple(Fault(problem.code, "", problem.message) for problem in problems)


@cache
def _job(competition: str) -> Job:
    """As the sandbox gets it: through JSON."""
    file = catalogue("competitions") / f"{competition}.toml"
    if not file.is_file():
        raise CannotCheck("this version of the client does not know it; update the client")
    with as_file(file) as path:
        return Job.from_dict(json.loads(json.dumps(job_for(read_competition(path)))))
