"""What a file must be before anything parses it: UTF-8 text of bounded size and line length."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from .messages import count
from .reader import UnreadableFile, read_records
from .source import Source, read_source, size_of
from .utf8 import is_utf8
from .verdict import InvalidSubmission

BOM = codecs.BOM_UTF8
CHUNK = 1 << 20
# As most files begin: two records of a line each, since nothing is quoted.
TWO_LINES = re.compile(rb'[^"\r\n]++\r?\n[ \t]*+[^ \t"\r\n][^"\r\n]*+\r?\n')
LEADING_BLANKS = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n]*")

OTHER_FORMATS = (
    (b"\x1f\x8b", "a gzip file"),
    (b"\x28\xb5\x2f\xfd", "a zstd file"),
    (b"\xfd7zXZ\x00", "an xz file"),
    (b"PK\x03\x04", "a zip or Excel file"),
    (b"PK\x05\x06", "an empty zip file"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"SQLite format 3\x00", "an SQLite file"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x93NUMPY", "a NumPy file"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip file"),
)
# UTF-32 little-endian begins with the mark of UTF-16, so either way the cure is the same.
WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)


@dataclass(frozen=True)
class Limits:
    """Bounds in bytes on one CSV. Masks and box lists need longer lines; their competition files say so."""

    file_bytes: int = 2 << 30
    line_bytes: int = 64 << 10
    columns: int = 2000


def read_checked(source: Source, limits: Limits) -> bytes:
    """The bytes of the file, byte order mark removed. Raises InvalidSubmission where it cannot be a CSV."""
    size = size_of(source)
    if size > limits.file_bytes:
        raise InvalidSubmission(
            "file_too_large",
            f"The file has {size} bytes; at most {limits.file_bytes} are read. "
            "Leave out what is not asked for.",
        )
    data = read_source(source)
    check_bytes(data, limits)
    return data.removeprefix(BOM)


def check_bytes(data: bytes, limits: Limits) -> None:
    """Raises InvalidSubmission at the first of: other format, wide encoding, NUL, bad UTF-8, long line."""
    _refuse_other_formats(data)
    _refuse_nul(data)
    _require_utf8(data)
    _bound_lines(data, limits.line_bytes)
    _bound_columns(data, limits)


def _refuse_other_formats(data: bytes) -> None:
    for magic, what in OTHER_FORMATS:
        if data.startswith(magic):
            raise InvalidSubmission(
                "not_csv", f"The file is {what}, not a CSV. Write comma separated UTF-8 text."
            )
    if data.startswith(WIDE_MARKS):
        raise InvalidSubmission("not_utf8", "The file is UTF-16 or UTF-32 text. Save it as UTF-8.")


def _refuse_nul(data: bytes) -> None:
    position = data.find(b"\x00")
    if position >= 0:
        line = data.count(b"\n", 0, position) + 1
        raise InvalidSubmission(
            "nul_byte",
            f"Line {line} holds a zero byte, which no text file has. Save the file as UTF-8 text again.",
        )


def _require_utf8(data: bytes) -> None:
    if not is_utf8(data):
        raise InvalidSubmission(
            "not_utf8", "The file holds bytes that are not UTF-8. Save it as UTF-8 (with or without a mark)."
        )


def _bound_lines(data: bytes, limit: int) -> None:
    if _has_short_lines(data, limit):
        return
    bytes_ = np.frombuffer(data, dtype=np.uint8)
    start = line = 0
    for offset in range(0, len(data), CHUNK):
        block = bytes_[offset : offset + CHUNK]
        ends = np.flatnonzero((block == 10) | (block == 13)) + offset
        starts = np.concatenate(([start], ends + 1))
        lengths = np.concatenate((ends, [min(offset + CHUNK, len(data))])) - starts
        if lengths.max() > limit:
            line += int(np.argmax(lengths > limit)) + 1
            raise InvalidSubmission(
                "line_too_long",
                f"Line {line} is longer than {limit} bytes, the most this competition needs. "
                "Look for a missing line break or an unclosed quote.",
            )
        start, line = int(starts[-1]), line + len(ends)


def _has_short_lines(data: bytes, limit: int) -> bool:
    """Whether every stretch of so many bytes holds a line feed. Looks at few bytes of a file with short lines."""
    start = 0
    while len(data) - start > limit:
        end = data.rfind(b"\n", start, start + limit + 1)
        if end < 0:
            return False
        start = end + 1
    return True


def _bound_columns(data: bytes, limits: Limits) -> None:
    """Of the parsed header, which may span lines, and of the first row, by which all others are measured."""
    try:
        for name, record in zip(("The header", "Data row 1"), _first_records(data, limits), strict=False):
            if len(record) > limits.columns:
                raise InvalidSubmission(
                    "too_many_columns",
                    f"{name} has {count(len(record), 'column')}; at most {limits.columns} are read.",
                )
    except UnreadableFile as reason:
        # A row may go on behind the head; reading the whole file tells whether its quote is closed.
        if reason.code != "unclosed_quote":
            raise InvalidSubmission(reason.code, reason.message) from None


def _first_records(data: bytes, limits: Limits) -> Iterator[list[str]]:
    """The first two records, or what there is of them. Raises as `read_records` does."""
    blank = LEADING_BLANKS.match(data)
    start = blank.end() if blank else 0
    lines = TWO_LINES.match(data, start)
    head = lines[0] if lines else _head(data, start, 4 * limits.line_bytes)
    return islice(read_records(head, limits.line_bytes), 2)


def _head(data: bytes, start: int, size: int) -> bytes:
    """So many bytes from there on, whole characters only."""
    return data[start : start + size].decode("utf-8", "ignore").encode()
