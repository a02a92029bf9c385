"""What a pool of sandboxes does, warm or cold: one grading in, one result out."""

import json
from collections.abc import Mapping
from typing import Any, Protocol

from grading.sandbox.policy import Limits
from grading.sandbox.result import SandboxResult

GRADE = "from grading.graders.entry import main; main()"


class Pool(Protocol):
    """Sandboxes for gradings, as many at a time as it has slots."""

    kind: str

    def run(self, job: Mapping[str, Any], submission: int, answers: int, limits: Limits) -> SandboxResult:
        """The result of grading the CSV against the answers, two descriptors open for reading.

        `job` is what `catalogue.job_for` makes. Raises SandboxError for a fault of the machine.
        """

    def close(self) -> None:
        """Ends every sandbox."""


def order(job: Mapping[str, Any], submission: int | str, answers: int | str) -> bytes:
    """The standard input of a grading: the job, and where the two files are inside."""
    return json.dumps({"competition": job, "submission": submission, "answers": answers}).encode()
