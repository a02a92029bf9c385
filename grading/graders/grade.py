"""One CSV against one answers file, to one verdict."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from .answers import Labelled
from .job import Job
from .natural_questions import read_questions
from .precheck import BOM, read_checked
from .reader import Table, UnreadableFile, read_table
from .registry import grader_for
from .verdict import AnswersError, GraderNotImplemented, InvalidSubmission, Note, Outcome, Verdict

DECIMALS = 5
NOT_FINITE = (
    "The score of this submission is not a finite number, which happens for example when all "
    "predictions are equal. It cannot be ranked."
)


def grade_files(job: Job, submission: Path, answers: Path) -> Verdict:
    """The verdict on one submission. Lets anything unexpected escape: that is our fault, not the team's."""
    try:
        # Asked first, so that answers in a format nobody reads yet are not called unusable.
        grader_for(job.competition, job.family)
        return judge(job, submission, read_answers(job, answers))
    except GraderNotImplemented:
        return Verdict(Outcome.GRADER_ERROR, code="not_implemented", message="This metric has no grader yet.")
    except AnswersError as reason:
        return Verdict(Outcome.GRADER_ERROR, code="answers_unusable", message=str(reason))


def judge(job: Job, submission: Path, truth: Table) -> Verdict:
    """The verdict on one submission against answers already read: scored, perhaps with a note, or invalid."""
    grader = grader_for(job.competition, job.family)
    try:
        guess = read_submission(job, submission, truth.names, truth.rows)
        # Overflow and division by zero need no warning: they end as a score that is not finite.
        with np.errstate(all="ignore"):
            rows = Labelled(job, grader.read(job, guess, truth), truth)
            score = grader.score(rows)
    except InvalidSubmission as reason:
        return Verdict(Outcome.INVALID, code=reason.code, message=reason.message)
    if not math.isfinite(score):
        return Verdict(Outcome.INVALID, code="score_not_finite", message=NOT_FINITE)
    note = grader.note(rows) or Note("", "")
    return Verdict(Outcome.SCORED, round_score(score), note.code, note.message)


def read_submission(job: Job, path: Path, answer_names: list[str], answer_rows: int | None = None) -> Table:
    """The columns of the submission that take part in grading. Raises InvalidSubmission.

    Where it must have as many rows as the answers, and has more, it may be read only so far as to show that.
    """
    wanted = {*job.id_columns, *job.targets(answer_names), *job.labels(answer_names)}
    keep_all = job.checks.extra_columns == "kept"
    rows_at_most = answer_rows if job.checks.rows == "equal" else None
    try:
        data = read_checked(path, job.limits)
        return read_table(data, lambda name: keep_all or name in wanted, rows_at_most, job.limits.line_bytes)
    except UnreadableFile as reason:
        raise InvalidSubmission(reason.code, str(reason)) from None


def read_answers(job: Job, path: Path) -> Table:
    """The columns of the answers that take part in grading. Raises AnswersError."""
    if job.answers_format == "jsonl":
        return read_questions(path)
    try:
        table = read_table(path.read_bytes().removeprefix(BOM), job.needs)
    except (UnreadableFile, UnicodeDecodeError) as reason:
        raise AnswersError(f"the answers cannot be read: {reason}") from None
    needed = {*job.id_columns, *job.labels(table.names), *job.checks.scored_where, *job.reads}
    if absent := needed - set(table.names):
        raise AnswersError(f"the answers lack the columns {sorted(absent)}")
    return table


def round_score(score: float) -> float:
    """The score to 5 decimals as the benchmark rounds: times 1e5, half to even, divided by 1e5."""
    return float(np.round(np.float64(score), DECIMALS))
