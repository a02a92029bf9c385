"""Cold gradings: each in a sandbox made for it, where warm ones cannot have their walls. As safe, and slower."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grading.sandbox.host import Host
from grading.sandbox.policy import ANSWERS_TARGET, SUBMISSION_TARGET, Limits, Mount, template_mounts
from grading.sandbox.pool import GRADE, order
from grading.sandbox.result import SandboxResult
from grading.sandbox.runner import run_sandboxed

# -c, because -I (no environment, no user site) also keeps the script's own folder off the path.
COMMAND = (
    "python",
    "-I",
    "-c",
    "import sys; sys.path.insert(0, '/app')\n"
    f"from grading.sandbox.inside.imports import hide_pandas; hide_pandas(); {GRADE}",
)


class ColdPool:
    """One slot, in which nothing waits between gradings."""

    kind = "cold"

    def __init__(self, slot: int = 0, host: Host | None = None) -> None:
        self._slot, self._host = slot, host

    def close(self) -> None:
        """Nothing is left of a cold grading."""

    def run(self, job: Mapping[str, Any], submission: int, answers: int, limits: Limits) -> SandboxResult:
        """As Pool says. Inside, the files are copies in memory: a descriptor could be opened again for writing."""
        mounts = (
            *template_mounts(),
            _copied(submission, SUBMISSION_TARGET),
            _copied(answers, ANSWERS_TARGET),
        )
        stdin = order(job, SUBMISSION_TARGET, ANSWERS_TARGET)
        return run_sandboxed(
            COMMAND, mounts=mounts, limits=limits, stdin=stdin, slot=self._slot, host=self._host
        )


def _copied(descriptor: int, target: str) -> Mount:
    os.lseek(descriptor, 0, os.SEEK_SET)
    return Mount(Path(target), target, copy_fd=descriptor)
