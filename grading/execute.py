"""Running one claimed grading inside the sandbox. Touches no table: it gets a row and gives a verdict."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.files.storage import storages

from grading.catalogue import CompetitionSpec, job_for, shipped_competitions
from grading.graders.registry import is_implemented
from grading.models import Blob, Grading
from grading.sandbox.policy import ANSWERS_TARGET, SUBMISSION_TARGET, Limits, grading_mounts
from grading.sandbox.runner import run_sandboxed
from grading.vault import open_vault
from grading.verdict import Verdict, read_result

NOT_IMPLEMENTED = (
    "This competition's metric has no grader here yet. The run stays on record and is graded when it has."
)
NO_ANSWERS = (
    "This competition's answers are not loaded here yet. The run stays on record and is graded when they are."
)
# -c, because -I (no environment, no user site) also keeps the script's own folder off the path.
COMMAND = (
    "python",
    "-I",
    "-c",
    "import sys; sys.path.insert(0, '/app'); from grading.graders.entry import main; main()",
)


INSIDE = {"submission": SUBMISSION_TARGET, "answers": ANSWERS_TARGET}


def execute(grading: Grading, slot: int) -> Verdict:
    """The verdict on one CSV. Raises SandboxError or GraderFault where the fault is ours and a retry may help."""
    spec = shipped_competitions()[grading.competition_id]
    if not is_implemented(spec.metric.family):
        return Verdict("grader_error", code="not_implemented", message=NOT_IMPLEMENTED)
    if grading.answers is None:
        return Verdict("grader_error", code="answers_not_loaded", message=NO_ANSWERS)
    vault = open_vault(outside=(settings.BASE_DIR, settings.VAR_DIR))
    answers = vault.checked_path(spec.id, grading.answers.number, grading.answers.hmac)
    with blob_file(grading.blob) as submission:
        return _run(spec, submission, answers, slot)


def _run(spec: CompetitionSpec, submission: Path, answers: Path, slot: int) -> Verdict:
    result = run_sandboxed(
        COMMAND,
        mounts=grading_mounts(submission=submission, answers=answers),
        limits=grading_limits(),
        stdin=json.dumps({"competition": job_for(spec), **INSIDE}).encode(),
        slot=slot,
    )
    return read_result(result)


def grading_limits() -> Limits:
    return Limits(
        wall_s=settings.GRADING_WALL_S, cpu_s=settings.GRADING_WALL_S, memory_mb=settings.GRADING_MEMORY_MB
    )


@contextmanager
def blob_file(blob: Blob) -> Iterator[Path]:
    """The stored CSV as a local file: itself where the store is a folder, a copy that is deleted where it is not."""
    store = storages["blobs"]
    try:
        yield Path(store.path(blob.key))
    except NotImplementedError:
        with tempfile.NamedTemporaryFile() as copy, store.open(blob.key) as stored:
            for chunk in stored.chunks():
                copy.write(chunk)
            copy.flush()
            yield Path(copy.name)
