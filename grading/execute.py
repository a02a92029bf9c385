"""Running one claimed grading inside the sandbox. Touches no table: it gets a row and gives a verdict."""

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.files.storage import storages

from grading.answers_bucket import fetch_missing
from grading.catalogue import CompetitionSpec, job_for, shipped_competitions
from grading.digests import ready_answers
from grading.fault_points import fault_point
from grading.graders.registry import is_implemented
from grading.models import Blob, Grading
from grading.sandbox.policy import Limits
from grading.sandbox.pool import Pool
from grading.vault import open_vault
from grading.verdict import Verdict, read_result

NOT_IMPLEMENTED = (
    "This competition's metric has no grader here yet. The run stays on record and is graded when it has."
)
NO_ANSWERS = (
    "This competition's answers are not loaded here yet. The run stays on record and is graded when they are."
)
BLOB_COPIED = fault_point("blob_copied")
SANDBOX_ENTERED = fault_point("sandbox_entered")
CHUNK_BYTES = 1 << 20


class BlobDamaged(OSError):
    """The store holds other bytes under this key than intake put there."""


def execute(grading: Grading, pool: Pool) -> Verdict:
    """The verdict on one CSV. Raises SandboxError or GraderFault where the fault is ours and a retry may help."""
    spec = shipped_competitions()[grading.competition_id]
    if not is_implemented(spec.metric.family):
        return Verdict("grader_error", code="not_implemented", message=NOT_IMPLEMENTED)
    if grading.answers is None:
        return Verdict("grader_error", code="answers_not_loaded", message=NO_ANSWERS)
    vault = open_vault(outside=(settings.BASE_DIR, settings.VAR_DIR))
    fetch_missing(settings.ANSWERS_BUCKET, vault, spec.id, grading.answers.number)
    answers = ready_answers(vault, spec, grading.answers.number, grading.answers.hmac)
    with blob_file(grading.blob) as submission:
        return _run(spec, submission, answers, pool)


def _run(spec: CompetitionSpec, submission: Path, answers: Path, pool: Pool) -> Verdict:
    """Opens the files here: inside there are only descriptors, by which they can be read and nothing else."""
    with _opened(submission) as csv, _opened(answers) as truth:
        SANDBOX_ENTERED.reach()
        return read_result(pool.run(job_for(spec), csv, truth, grading_limits()))


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def grading_limits() -> Limits:
    return Limits(
        wall_s=settings.GRADING_WALL_S, cpu_s=settings.GRADING_WALL_S, memory_mb=settings.GRADING_MEMORY_MB
    )


@contextmanager
def blob_file(blob: Blob) -> Iterator[Path]:
    """A private copy of the stored CSV, compared with its digest. Raises BlobDamaged where they differ.

    A copy, because others can write to the store: what is checked must be what is graded, and a link there could
    name the answers themselves.
    """
    with tempfile.NamedTemporaryFile(prefix="grading-") as copy:
        digest = hashlib.sha256()
        with storages["blobs"].open(blob.key) as stored:
            for chunk in stored.chunks(CHUNK_BYTES):
                digest.update(chunk)
                copy.write(chunk)
        copy.flush()
        if digest.hexdigest() != blob.sha256:
            raise BlobDamaged(blob.key)
        BLOB_COPIED.reach()
        yield Path(copy.name)
