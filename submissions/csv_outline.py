"""What the header and the number of rows of a CSV say, by the graders' own rules and sentences. Pure.

For a bundle on its way in: no cell is read, so it is quick however hostile the file, and ids and values are left to
the check of a single file and to grading.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from grading.graders.bias_auroc import read_either_name
from grading.graders.checks import require_rows
from grading.graders.job import EVERY_OTHER, Job
from grading.graders.precheck import BOM
from grading.graders.predictions import check_layout
from grading.graders.reader import Table, UnreadableFile, name_columns, read_records
from grading.graders.registry import grader_for
from grading.graders.verdict import GraderNotImplemented, InvalidSubmission

PIECE: Final = 1 << 20
# Lines of these alone are no rows; a byte order mark before them is none either.
BLANKS = b" \t\r\n" + BOM
# Of blank lines, which bring no row nearer to enough, only so much is read over: a file may be 2 GiB of them.
BLANK_BYTES: Final = 1 << 20
NOT_PLAIN = (b'"', b"\r", b"\n\n", b"\n ", b"\n\t", BOM)
EMPTY = InvalidSubmission("empty_file", "The file is empty. The first line must name the columns.")
# Takes one of several names for its column, whichever is there.
OF_ITS_OWN = (read_either_name,)


@dataclass(frozen=True)
class Expected:
    """What a competition asks of every CSV. `rows`: of its answers; None while there are none."""

    job: Job
    rows: int | None


def find_unlike(file: BinaryIO, expected: Expected) -> list[InvalidSubmission]:
    """Why the file cannot be valid, as far as header and number of rows show; empty where they do not tell."""
    job = expected.job
    if not _has_these_rules(job):
        return []
    try:
        names = read_header(file, job.limits.line_bytes)
    except (UnreadableFile, UnicodeDecodeError):
        return []  # Grading says what it is.
    if names is None:
        return [EMPTY]
    return [*_columns(job, names), *_rows(file, expected)]


def _has_these_rules(job: Job) -> bool:
    try:
        return grader_for(job.competition, job.family).read not in OF_ITS_OWN
    except GraderNotImplemented:
        return False


def read_header(file: BinaryIO, line_bytes: int) -> list[str] | None:
    """The names of the columns; None in a file of blanks. Raises UnreadableFile, UnicodeDecodeError."""
    file.seek(0)
    head = file.read(PIECE + line_bytes).lstrip(BLANKS)
    line = re.match(rb"[^\r\n]*", head)
    assert line, "it matches nothing as well"
    if len(line[0]) > line_bytes or (line.end() == len(head) and file.read(1)):
        raise UnreadableFile("line_too_long", "The header ends farther off than is read here.")
    if not line[0]:
        return None
    return name_columns(next(read_records(line[0], line_bytes)))


def _columns(job: Job, names: list[str]) -> Iterator[InvalidSubmission]:
    """Where any other column is a target, only the ids are known here by name."""
    targets = [] if EVERY_OTHER in job.target_columns else list(job.target_columns)
    if not targets and job.checks.extra_columns == "refused":
        return
    try:
        check_layout(job, Table(names, 0, {}), Table([], 0, {}), targets)
    except InvalidSubmission as reason:
        yield reason


def _rows(file: BinaryIO, expected: Expected) -> Iterator[InvalidSubmission]:
    if expected.rows is None or expected.job.checks.rows != "equal":
        return
    rows = count_rows(file, expected.rows, expected.job.limits.line_bytes)
    if rows is not None:
        try:
            require_rows(Table([], rows, {}, is_cut=rows > expected.rows), expected.rows)
        except InvalidSubmission as reason:
            yield reason


def count_rows(file: BinaryIO, enough: int, line_bytes: int) -> int | None:
    """Rows below the header, counted until there are more than `enough`; None where a line need not be a row."""
    plain = _count_plain(file, enough)
    return _count_lines(file, enough, line_bytes) if plain is None else plain


def _count_plain(file: BinaryIO, enough: int) -> int | None:
    """The same in a twentieth of the time, of a file in which each line feed ends a row; None for others."""
    file.seek(0)
    lines, last = 0, b"\n"
    while piece := file.read(PIECE):
        joined = last + piece
        if any(each in joined for each in NOT_PLAIN):
            return None
        lines, last = lines + piece.count(b"\n"), piece[-1:]
        if lines > enough + 1:
            return enough + 1
    return lines - 1 + (last != b"\n") if lines else None


def _count_lines(file: BinaryIO, enough: int, line_bytes: int) -> int | None:
    file.seek(0)
    rows, blank = -1, 0  # The header is none, and was read by itself, quotes and all.
    for line in iter(lambda: file.readline(line_bytes + 2), b""):
        if line.strip(BLANKS):
            if (rows >= 0 and b'"' in line) or not _ends_once(line, line_bytes):
                return None
            rows += 1
        else:
            blank += len(line)
        if blank > BLANK_BYTES:
            return None
        if rows > enough:
            break
    return rows


def _ends_once(line: bytes, line_bytes: int) -> bool:
    """Whether it is a line to the grader too, for which a lone CR ends one, the header as well as any other."""
    return len(line) <= line_bytes and b"\r" not in line.rstrip(b"\r\n")
