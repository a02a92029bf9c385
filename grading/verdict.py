"""What a grading comes to, and how a sandbox's answer is read as one."""

import math
from dataclasses import dataclass, replace

from grading.sandbox.answer import (
    CODE_CHARACTERS,
    MESSAGE_CHARACTERS,
    NoAnswer,
    read_answer,
    read_text,
    read_word,
)
from grading.sandbox.result import Outcome, SandboxResult

KNOWN = frozenset({"scored", "invalid", "grader_error", "out_of_memory"})
TIMED_OUT = (
    "The grader did not finish within its time limit. Check the number of rows and the length of cells."
)
OUT_OF_MEMORY = "The grader ran out of memory on this file. Check the number of rows and the length of cells."
OURS = (
    "Something failed on our side. It was tried several times. Nothing is known to be wrong with your file; "
    "ask a maintainer."
)


class GraderFault(Exception):
    """The grader or its machine failed: ours, retried, and reported when it does not pass."""


@dataclass(frozen=True)
class Verdict:
    """Outcome with a score (5 decimals, finite) exactly when `scored`; seconds and MiB where it ran."""

    outcome: str
    score: float | None = None
    code: str = ""
    message: str = ""
    wall_s: float | None = None
    peak_memory_mb: float | None = None


def fault_verdict(code: str) -> Verdict:
    return Verdict("grader_error", code=code, message=OURS)


def read_result(result: SandboxResult) -> Verdict:
    """The verdict a sandbox reached. Raises GraderFault where it left none."""
    if result.outcome is Outcome.TIMED_OUT:
        return _measured(Verdict("timed_out", code="timed_out", message=TIMED_OUT), result)
    if result.outcome is Outcome.OUT_OF_MEMORY:
        return _measured(Verdict("out_of_memory", code="out_of_memory", message=OUT_OF_MEMORY), result)
    if result.outcome is not Outcome.FINISHED or result.exit_code != 0:
        raise GraderFault(f"sandbox ended as {result.outcome} with exit code {result.exit_code}")
    try:
        return _measured(_parse(result.payload), result)
    except NoAnswer as error:
        raise GraderFault(str(error)) from error


def _parse(payload: bytes) -> Verdict:
    """Raises NoAnswer, or GraderFault for an answer that contradicts itself."""
    answer = read_answer(payload)
    outcome, score = read_word(answer, "outcome", KNOWN), _finite(answer.get("score"))
    if (score is not None) != (outcome == "scored"):
        raise GraderFault("the grader's answer contradicts itself")
    code, message = (
        read_text(answer, "code", CODE_CHARACTERS),
        read_text(answer, "message", MESSAGE_CHARACTERS),
    )
    return Verdict(outcome, score, code, message)


def _finite(value: object) -> float | None:
    """The number, or None for what is no finite one; an integer may be too large to be a float."""
    if isinstance(value, bool) or not isinstance(value, float | int):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def _measured(verdict: Verdict, result: SandboxResult) -> Verdict:
    return replace(verdict, wall_s=result.wall_s, peak_memory_mb=result.peak_memory_mb)
