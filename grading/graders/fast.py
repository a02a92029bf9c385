"""The quick way to read a CSV: Arrow splits and converts, and what it might read otherwise than we do is left to us.

`read_fast` returns exactly the table that `reader.read_table` and `columns.infer_column` would, or raises
NotPlain, and the caller reads the file the exact way. Each rule below names the difference it shuts out; a test
compares both ways over the whole oracle and over made-up files.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from .columns import (
    BLANKS,
    BLOCK_CELLS,
    FLOAT,
    INTEGER,
    MISSING_WORDS,
    Column,
    Kind,
    add_missing,
    infer_column,
)
from .packed import PackedColumn, bits_of, numbers_of, pack_text, unpack_text
from .reader import Table, UnreadableFile, name_columns, read_records
from .threads import THREADS

pa.set_cpu_count(THREADS)
pa.set_io_thread_count(1)

SAMPLED_LINES = 200
RETRIES = 4
SMALLEST_BLOCK, LARGEST_BLOCK = 1 << 18, 1 << 22
WORTH_THREADS = 1 << 20
WORDS = pack_text(sorted(MISSING_WORDS))
CONVERSION_ERROR = re.compile(
    r"In CSV column #(\d+): .*CSV conversion error to \w+: invalid value '(.*)'", re.S
)
# From here on a whole number might not fit 64 bits, which makes the column something else.
INTEGER_BOUND = 2.0**63


class NotPlain(Exception):
    """The file shows something that must be read the exact way; the reason is for whoever tunes this."""


class Plan(Enum):
    """What Arrow is told a column is. Not all that is read as strings is text in the end."""

    INTEGERS = "integers"
    FLOATS = "floats"
    STRINGS = "strings"


ARROW_TYPES = {Plan.INTEGERS: pa.int64(), Plan.FLOATS: pa.float64(), Plan.STRINGS: pa.string()}


@dataclass(frozen=True)
class Layout:
    """The file below its header: where it begins, the names by position, and the positions that are wanted."""

    start: int
    names: list[str]
    wanted: list[int]


@dataclass
class Guess:
    """What one column is read as. `is_proven`: a cell is known that makes it floats, or text, for certain."""

    plan: Plan
    is_proven: bool = False


def read_fast(data: bytes, wanted: Callable[[str], bool], rows_at_most: int | None = None) -> Table:
    """The table in UTF-8 bytes that passed the pre-check, without byte order mark. Raises NotPlain."""
    if THREADS == 1:
        raise NotPlain("Arrow reads ahead in a thread, and none may be started here")
    _require_ordinary_line_ends(data)
    layout = read_layout(data, wanted)
    lines = count_lines(data, layout.start)
    if rows_at_most is not None and lines > rows_at_most:
        raise NotPlain("more rows than may be")
    guesses = guess_columns(data, layout)
    read = _read_all(data, layout, guesses)
    _require_one_line_per_row(lines, read.num_rows)
    if any(guess.plan is Plan.INTEGERS for guess in guesses.values()):
        _require_decimal_numbers(data, layout.start)
    typed = {layout.names[i]: _typed(read, i, guess) for i, guess in guesses.items()}
    return Table(layout.names, lines, {}, typed=typed)


def _require_ordinary_line_ends(data: bytes) -> None:
    """A carriage return on its own ends a line too, but blank lines between such are another matter."""
    if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):
        raise NotPlain("a carriage return on its own")


def read_layout(data: bytes, wanted: Callable[[str], bool]) -> Layout:
    """The header, which must be the first line and hold at least two names. Raises NotPlain."""
    end = data.find(b"\n") + 1
    if not end or end == len(data):
        raise NotPlain("no rows")
    (header,) = _split([data[:end]], 1)
    # In a file of one column Arrow takes a line of blanks for a cell.
    if len(header) < 2:
        raise NotPlain("one column")
    names = name_columns(header)
    return Layout(end, names, [i for i, name in enumerate(names) if wanted(name)])


def _split(lines: list[bytes], records: int) -> list[list[str]]:
    """The fields of lines that must be records of their own, of equal length, none of them blank."""
    try:
        found = list(read_records(b"".join(lines), len(max(lines, key=len))))
    except UnreadableFile as reason:
        raise NotPlain(reason.code) from None
    if len(found) != records or len({len(each) for each in found}) != 1:
        raise NotPlain("rows of several lines, or of unequal length")
    return found


def guess_columns(data: bytes, layout: Layout) -> dict[int, Guess]:
    """By position, what lines from all over the file look like. Raises NotPlain."""
    rows = _split(lines := sample_lines(data, layout.start), len(lines))
    if len(rows[0]) != len(layout.names):
        raise NotPlain("rows of another length than the header")
    return {i: guess_column([row[i] for row in rows]) for i in layout.wanted}


def sample_lines(data: bytes, start: int) -> list[bytes]:
    """Some whole lines, each with its line end: always the first and the last, and others in between."""
    places = np.linspace(start, max(start, len(data) - 1), SAMPLED_LINES).astype(np.int64).tolist()
    begins = sorted({start} | {data.rfind(b"\n", start, place) + 1 or start for place in places})
    lines = [data[begin : data.find(b"\n", begin) + 1 or len(data)] for begin in begins]
    return [line if line.endswith(b"\n") else line + b"\n" for line in lines]


def guess_column(cells: list[str]) -> Guess:
    """The guess from some cells of a column, in the order of the file."""
    present = [cell for cell in cells if cell not in MISSING_WORDS]
    if all(_is_integer(cell) for cell in present):
        return Guess(Plan.INTEGERS)
    if all(_is_number(cell) for cell in present):
        return Guess(Plan.FLOATS, is_proven=True)
    return Guess(Plan.STRINGS, is_proven=any(_is_surely_text(cell) for cell in present))


def _is_integer(cell: str) -> bool:
    return INTEGER.fullmatch(cell.strip(BLANKS)) is not None


def _is_number(cell: str) -> bool:
    return FLOAT.fullmatch(cell.strip(BLANKS)) is not None


def _is_surely_text(cell: str) -> bool:
    """Whether this one cell makes its column text, whatever the others hold.

    Not where it begins with a minus: behind one that is beyond 64 bits the benchmark looks at nothing else.
    """
    if cell.lstrip(BLANKS).startswith("-"):
        return False
    words = np.array([cell], dtype=np.dtypes.StringDType())
    return infer_column(words).kind is Kind.TEXT and not _is_number(cell)


def _read_all(data: bytes, layout: Layout, guesses: dict[int, Guess]) -> pa.Table:
    """All wanted columns as Arrow reads them. A guess that a cell contradicts is mended, in place."""
    for _ in range(RETRIES):
        try:
            return _read_once(data, layout, guesses)
        except pa.ArrowInvalid as error:
            failed = CONVERSION_ERROR.search(str(error))
            if failed is None:
                raise NotPlain("Arrow cannot split it") from None
            _mend(guesses, int(failed[1]), failed[2])
    raise NotPlain("columns of many kinds")


def _mend(guesses: dict[int, Guess], position: int, cell: str) -> None:
    """The next wider guess for a column in which Arrow could not convert this cell."""
    if guesses[position].plan is Plan.INTEGERS and _is_number(cell):
        # Where the cell is a number but no integer, the column is floats; else this is not known.
        guesses[position] = Guess(Plan.FLOATS, is_proven=not _is_integer(cell))
    else:
        guesses[position] = Guess(Plan.STRINGS, is_proven=_is_surely_text(cell))


def _read_once(data: bytes, layout: Layout, guesses: dict[int, Guess]) -> pa.Table:
    labels = [str(i) for i in range(len(layout.names))]
    size = len(data) - layout.start
    return pyarrow.csv.read_csv(
        pa.BufferReader(pa.py_buffer(data)[layout.start :]),
        read_options=pyarrow.csv.ReadOptions(
            column_names=labels,
            block_size=min(max(size // 8, SMALLEST_BLOCK), LARGEST_BLOCK),
            use_threads=size > WORTH_THREADS,
        ),
        convert_options=pyarrow.csv.ConvertOptions(
            check_utf8=False,  # The pre-check did.
            column_types={labels[i]: ARROW_TYPES[guess.plan] for i, guess in guesses.items()},
            include_columns=[labels[i] for i in layout.wanted],
            null_values=sorted(MISSING_WORDS),
            strings_can_be_null=False,  # Their text is wanted all the same.
        ),
    )


def _require_one_line_per_row(lines: int, rows: int) -> None:
    """With quotes a row may span lines, and behind one that is never closed Arrow drops rows without a word.

    No row takes less than a line, so where there are as many of both, each line is one row. Only at the end of the
    file does Arrow take an open quote for closed; that line is among the samples.
    """
    if rows != lines:
        raise NotPlain("rows of several lines, or blank lines")


def _require_decimal_numbers(data: bytes, start: int) -> None:
    """Arrow reads 0x10 as 16."""
    # One letter is found many times faster than two, and most files have no x at all.
    for letter in (b"x", b"X"):
        if data.find(letter, start) >= 0 and data.find(b"0" + letter, start) >= 0:
            raise NotPlain("perhaps hexadecimal numbers")


def count_lines(data: bytes, start: int) -> int:
    """Lines from there on, blank ones too; the last may lack its end. Counted in blocks: quicker than bytes.count."""
    view = np.frombuffer(data, dtype=np.uint8)
    edges = [*range(start, len(view), 1 << 20), len(view)]
    ends = sum(int(np.count_nonzero(view[a:b] == 10)) for a, b in pairwise(edges))
    return ends + (not data.endswith(b"\n"))


def _typed(read: pa.Table, position: int, guess: Guess) -> Column:
    chunks = read.column(str(position))
    if guess.plan is Plan.STRINGS:
        return _text(chunks.combine_chunks(), guess)
    missing = _missing(chunks)
    if guess.plan is Plan.INTEGERS:
        return add_missing(_joined([numbers_of(chunk, np.int64) for chunk in chunks.chunks]), missing)
    floats = _joined([numbers_of(chunk, np.float64) for chunk in chunks.chunks])
    if chunks.null_count:
        floats = np.where(missing, np.nan, floats)
    _require_ordinary_floats(floats, missing, guess)
    return Column(Kind.FLOAT, floats, missing)


def _missing(chunks: pa.ChunkedArray) -> npt.NDArray[np.bool_]:
    if not chunks.null_count:
        return np.zeros(len(chunks), dtype=np.bool_)
    return _joined([bits_of(chunk.is_null()) for chunk in chunks.chunks])


def _require_ordinary_floats(
    floats: npt.NDArray[np.float64], missing: npt.NDArray[np.bool_], guess: Guess
) -> None:
    """Words for infinity and NaN, overflows, and whole numbers of any length have rules of their own."""
    if not guess.is_proven:
        raise NotPlain("floats, or perhaps integers")
    with np.errstate(invalid="ignore"):
        ordinary = np.count_nonzero(np.abs(floats) < INTEGER_BOUND)
    if ordinary + np.count_nonzero(missing) != len(floats):
        raise NotPlain("numbers that are not finite, or very large")


def _joined(parts: list[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _text(cells: pa.Array, guess: Guess) -> Column:
    if not isinstance(cells, pa.StringArray):
        raise NotPlain("more than 2 GiB of text")
    if guess.is_proven:
        return PackedColumn(cells, bits_of(pc.is_in(cells, value_set=WORDS)))
    return _from_distinct(cells)


def _from_distinct(cells: pa.StringArray) -> Column:
    """The column as its distinct cells tell, in the order in which they first occur: no rule looks at more."""
    encoded = cells.dictionary_encode()
    if len(encoded.dictionary) > BLOCK_CELLS:
        raise NotPlain("many distinct cells, none of which tells what they are")
    distinct = infer_column(unpack_text(encoded.dictionary))
    rows = numbers_of(encoded.indices, np.int32)
    if distinct.kind is Kind.TEXT:
        return PackedColumn(cells, distinct.missing[rows])
    return Column(distinct.kind, distinct.values[rows], distinct.missing[rows])
