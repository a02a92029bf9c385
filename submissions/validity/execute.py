"""Checking one claimed file inside the sandbox. Touches no table: it gets a row and says what was found.

Beside the CSV the sandbox sees the shape, which holds no labels; nothing here could open the vault.
"""

import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.core.files.storage import Storage, storages

from grading.catalogue import CompetitionSpec, job_for, shipped_competitions
from grading.sandbox.answer import (
    CODE_CHARACTERS,
    MESSAGE_CHARACTERS,
    NoAnswer,
    read_answer,
    read_text,
    read_word,
)
from grading.sandbox.policy import SUBMISSION_TARGET, Limits, Mount, grading_mounts
from grading.sandbox.result import Outcome as Ended
from grading.sandbox.result import SandboxResult
from grading.sandbox.runner import run_sandboxed
from grading.verdict import OUT_OF_MEMORY, TIMED_OUT, GraderFault
from submissions.models import ValidityCheck
from submissions.validity.host import own_slot
from submissions.validity.request import size_limit
from submissions.validity.stage import Found
from submissions.validity.unpack import Unreadable, unpack

OUTLINE_TARGET = "/in/outline.json"
# -c, because -I (no environment, no user site) also keeps the script's own folder off the path.
COMMAND = (
    "python",
    "-I",
    "-c",
    "import sys; sys.path.insert(0, '/app'); from grading.graders.validity import main; main()",
)
INSIDE = {"submission": SUBMISSION_TARGET, "outline": OUTLINE_TARGET}
MOST_REASONS = 100
KNOWN = frozenset({"valid", "invalid", "out_of_memory"})
Outcome = ValidityCheck.Outcome


def work_folder() -> Path:
    """Where copies lie while they are looked at: on disk, as /tmp may be memory."""
    folder: Path = settings.VAR_DIR / "validity-work"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def execute(check: ValidityCheck) -> Found:
    """What was found. Raises SandboxError, GraderFault or OSError where the fault is ours and a retry may help."""
    spec = shipped_competitions()[check.competition_id]
    with _copy() as submission, _copy() as outline:
        try:
            with storages["validity"].open(check.key) as stored:
                unpack(check.filename, stored, submission, size_limit(spec.id), time.monotonic)
        except Unreadable as reason:
            return Found(Outcome.INVALID, [{"code": reason.code, "message": reason.message}])
        _fetch(storages["shapes"], check.answers.shape_key, outline)
        return _run(spec, Path(submission.name), Path(outline.name))


@contextmanager
def _copy() -> Iterator[BinaryIO]:
    with tempfile.NamedTemporaryFile(dir=work_folder(), prefix="check-") as file:
        yield file  # type: ignore[misc]  # A wrapper that does all a binary file does.


def _fetch(store: Storage, key: str, target: BinaryIO) -> None:
    with store.open(key) as stored:
        shutil.copyfileobj(stored, target)
    target.flush()


def _run(spec: CompetitionSpec, submission: Path, outline: Path) -> Found:
    result = run_sandboxed(
        COMMAND,
        mounts=(*grading_mounts(submission=submission), Mount(outline, OUTLINE_TARGET)),
        limits=check_limits(),
        stdin=json.dumps({"competition": job_for(spec), **INSIDE}).encode(),
        slot=own_slot(),
    )
    return read_found(result)


def check_limits() -> Limits:
    """Memory as in grading, so that a file that fits there fits here; less time, since the score is not computed."""
    wall_s = settings.VALIDITY_WALL_S
    return Limits(wall_s=wall_s, cpu_s=wall_s, memory_mb=settings.GRADING_MEMORY_MB)


def read_found(result: SandboxResult) -> Found:
    """What the sandbox found. Raises GraderFault where it said nothing that could be meant."""
    if result.outcome is Ended.TIMED_OUT:
        return Found(Outcome.TIMED_OUT, [{"code": "timed_out", "message": TIMED_OUT}])
    if result.outcome is Ended.OUT_OF_MEMORY:
        return _out_of_memory()
    if result.outcome is not Ended.FINISHED or result.exit_code != 0:
        raise GraderFault(f"sandbox ended as {result.outcome} with exit code {result.exit_code}")
    try:
        return _parse(result.payload)
    except NoAnswer as error:
        raise GraderFault(str(error)) from error


def _out_of_memory() -> Found:
    return Found(Outcome.OUT_OF_MEMORY, [{"code": "out_of_memory", "message": OUT_OF_MEMORY}])


def _parse(payload: bytes) -> Found:
    """Raises NoAnswer, or GraderFault for an answer that contradicts itself."""
    answer = read_answer(payload)
    outcome, reasons = read_word(answer, "outcome", KNOWN), _reasons(answer.get("reasons"))
    if bool(reasons) != (outcome == "invalid"):
        raise GraderFault("the check's answer contradicts itself")
    return _out_of_memory() if outcome == "out_of_memory" else Found(outcome, reasons)


def _reasons(listed: object) -> list[dict[str, str]]:
    """The reasons among what was listed; what is none is left out. Raises NoAnswer where nothing is listed."""
    if not isinstance(listed, list):
        raise NoAnswer("the check's answer lists no reasons")
    return [
        {
            "code": read_text(row, "code", CODE_CHARACTERS),
            "message": read_text(row, "message", MESSAGE_CHARACTERS),
        }
        for row in listed[:MOST_REASONS]
        if isinstance(row, dict)
    ]
