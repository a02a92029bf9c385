"""One CSV against one answers file, to one verdict."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator
from enum import Enum

import numpy as np
import numpy.ma  # np.unique wants it: loaded here, before a process is forked for each grading.

from .answers import Labelled
from .container import is_container
from .job import Job
from .natural_questions import read_questions
from .precheck import BOM, read_checked
from .reader import FIELD_CHARACTERS, Table, UnreadableFile, read_table
from .registry import grader_for
from .rounding import round_score
from .source import Mapped, Source, lines_of, map_source
from .utf8 import is_utf8
from .verdict import AnswersError, GraderNotImplemented, InvalidSubmission, Note, Outcome, Verdict

try:
    from .digest import digest_table, table_of_digest
    from .fast import NotPlain, read_fast
except ModuleNotFoundError:  # The offline client may lack Arrow; every file is then read the exact way.
    HAS_ARROW = False
else:
    HAS_ARROW = True

logger = logging.getLogger(__name__)

SMALL_FILE = 1 << 16  # Up to here nothing is gained by the fast reader, which starts threads.
NOT_FINITE = (
    "The score of this submission is not a finite number, which happens for example when all "
    "predictions are equal. It cannot be ranked."
)


class Reading(Enum):
    """How a submission is read: as is quickest, or for comparison one way only. The verdict is the same."""

    QUICKEST = "quickest"
    FAST = "fast"
    EXACT = "exact"


def grade_files(
    job: Job, submission: Source, answers: Source, reading: Reading = Reading.QUICKEST
) -> Verdict:
    """The verdict on one submission. Lets anything unexpected escape: that is our fault, not the team's.

    Files are given by path or open descriptor; the answers as they are, or digested.
    """
    try:
        # Asked first, so that answers in a format nobody reads yet are not called unusable.
        grader_for(job.competition, job.family)
        return judge(job, submission, read_answers(job, answers), reading)
    except GraderNotImplemented:
        return Verdict(Outcome.GRADER_ERROR, code="not_implemented", message="This metric has no grader yet.")
    except AnswersError as reason:
        return Verdict(Outcome.GRADER_ERROR, code="answers_unusable", message=str(reason))


def judge(job: Job, submission: Source, truth: Table, reading: Reading = Reading.QUICKEST) -> Verdict:
    """The verdict on one submission against answers already read: scored, perhaps with a note, or invalid."""
    grader = grader_for(job.competition, job.family)
    try:
        guess = read_submission(job, submission, truth.names, truth.rows, reading)
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


def read_submission(
    job: Job,
    source: Source,
    answer_names: list[str],
    answer_rows: int | None = None,
    reading: Reading = Reading.QUICKEST,
) -> Table:
    """The columns of the submission that take part in grading. Raises InvalidSubmission.

    Where it must have as many rows as the answers, and has more, it may be read only so far as to show that.
    """
    wanted = {*job.id_columns, *job.targets(answer_names), *job.labels(answer_names)}
    keep_all = job.checks.extra_columns == "kept"
    rows_at_most = answer_rows if job.checks.rows == "equal" else None
    try:
        data = read_checked(source, job.limits)
        return _read(
            data, lambda name: keep_all or name in wanted, rows_at_most, job.limits.line_bytes, reading
        )
    except UnreadableFile as reason:
        raise InvalidSubmission(reason.code, str(reason)) from None


def _read(
    data: bytes,
    wanted: Callable[[str], bool],
    rows_at_most: int | None,
    record_characters: int,
    reading: Reading,
) -> Table:
    """The table by the fast reader where it may be used and can, else by the exact one."""
    may_be_fast = reading is Reading.FAST or (reading is Reading.QUICKEST and len(data) > SMALL_FILE)
    if HAS_ARROW and may_be_fast:
        try:
            return read_fast(data, wanted, rows_at_most)
        except NotPlain as reason:
            logger.debug("read the exact way: %s", reason)
    return read_table(data, wanted, rows_at_most, record_characters)


def read_answers(job: Job, source: Source, reading: Reading = Reading.EXACT) -> Table:
    """The columns of the answers that take part in grading, as cells if read the exact way. Raises AnswersError."""
    data = map_source(source)
    table = table_of_digest(data) if is_container(data) else read_raw_answers(job, data, reading)
    needed = {*job.id_columns, *job.labels(table.names), *job.checks.scored_where, *job.reads}
    if absent := needed - set(table.names):
        raise AnswersError(f"the answers lack the columns {sorted(absent)}")
    return table


def read_raw_answers(job: Job, data: Mapped, reading: Reading) -> Table:
    """The same of answers that are not digested."""
    if job.answers_format == "jsonl":
        return read_questions(lines_of(data))
    text = data[:].removeprefix(BOM)
    # No pre-check has seen them: what only it would refuse is left to the exact reader.
    is_checked = b"\0" not in text and is_utf8(text)
    try:
        return _read(text, job.needs, None, FIELD_CHARACTERS, reading if is_checked else Reading.EXACT)
    except (UnreadableFile, UnicodeDecodeError) as reason:
        raise AnswersError(f"the answers cannot be read: {reason}") from None


def digest_answers(
    job: Job, source: Source, reading: Reading = Reading.QUICKEST
) -> Iterator[bytes | memoryview]:
    """The digest of a file of answers, piece by piece. Raises AnswersError."""
    return digest_table(job, read_answers(job, source, reading))
