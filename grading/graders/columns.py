"""What a column of text cells is: integers, floats, booleans or text, as the benchmark infers it.

The order is: 64-bit integers, else floats, else booleans, else text; the first cell that is not an integer
decides whether the overflow rules below apply. Details and probes: docs/grading.md, "Types".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

STRING = np.dtypes.StringDType()
Text = npt.NDArray[Any]
Array = npt.NDArray[Any]
Rows = npt.NDArray[np.intp]

NAN_WORDS = ("NaN", "nan", "-NaN", "-nan", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN")
MISSING_WORDS = frozenset(
    ["", "NA", "N/A", "n/a", "<NA>", "#NA", "#N/A", "#N/A N/A", "NULL", "null", "None", *NAN_WORDS]
)
BLOCK_CELLS = 1 << 16
INT64 = np.iinfo(np.int64)
ABSENT = -1  # In the place of the row of an id that is not there.
UINT64_MAX = int(np.iinfo(np.uint64).max)

BLANKS = " \t\n\v\f\r"
INTEGER = re.compile(r"[+-]?[0-9]++")
# Possessive quantifiers: a long run of digits with one odd character must not cost quadratic time.
FLOAT = re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?")
SHORT_INTEGERS = re.compile(r"[+-]?[0-9]{1,18}+(?:\n[+-]?[0-9]{1,18}+)*+")
FLOATS = re.compile(rf"{FLOAT.pattern}(?:\n{FLOAT.pattern})*+")
INFINITIES = {
    **dict.fromkeys(["inf", "+inf", "infinity", "+infinity"], np.inf),
    **dict.fromkeys(["-inf", "-infinity"], -np.inf),
}


class Kind(Enum):
    INTEGER = "integers"
    FLOAT = "numbers"
    BOOLEAN = "true/false words"
    TEXT = "text"


class Finder(Protocol):
    """Knows at once where each id of the answers stands (`id_index`)."""

    def find(self, ids: Column) -> Rows | None:
        """For each id its row; None if one is not there, or cannot be looked up so."""

    def locate(self, ids: Column) -> Rows | None:
        """For each id its row or ABSENT; None if they cannot be looked up so."""


@dataclass(frozen=True)
class Column:
    """Typed cells, shape (rows,). `missing` marks cells without a value; a missing float is NaN as well.

    `finder`: in the ids of digested answers, all distinct.
    """

    kind: Kind
    values: Array
    missing: npt.NDArray[np.bool_]
    finder: Finder | None = field(default=None, compare=False)

    @property
    def is_numeric(self) -> bool:
        """Booleans count as numbers (1 and 0) unless one is missing, as in the benchmark."""
        return self.kind in (Kind.INTEGER, Kind.FLOAT) or self.is_complete_boolean

    @property
    def is_complete_boolean(self) -> bool:
        return self.kind is Kind.BOOLEAN and not self.missing.any()

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Rows) -> Column:
        """The cells at these positions, in this order."""
        return self if rows is all_rows(len(self)) else self._taken(rows)

    def _taken(self, rows: Rows) -> Column:
        return Column(self.kind, self.values[rows], self.missing[rows])

    def floats(self) -> npt.NDArray[np.float64]:
        """The cells of a numeric column as float64, missing ones NaN. Not to be written to: it may be no copy."""
        return self.values.astype(np.float64, copy=False)

    def cleared(self, where: npt.NDArray[np.bool_]) -> Column:
        """The same with 0 in the cells where the mask is True, which are not missing then."""
        values = self.values.copy()
        values[where] = "0" if self.kind is Kind.TEXT else 0
        return Column(self.kind, values, self.missing & ~where)

    def filled(self, word: str) -> Column:
        """A column of text, as it stands but with the word where a cell is missing; others are printed."""
        printed = self.values if self.kind is Kind.TEXT else [str(value) for value in self.values.tolist()]
        cells = np.array(printed, dtype=STRING)
        cells[self.missing] = word
        return Column(Kind.TEXT, cells, np.zeros_like(self.missing))

    def sorted_rows(self) -> Rows:
        """Positions in ascending order of value, stable. Missing values are sorted by what stands in them."""
        return np.argsort(self.values, kind="stable")

    def equal_values(self, other: Column) -> npt.NDArray[np.bool_]:
        """True where the cells of both hold the same; missing cells are compared by what stands in them."""
        return np.asarray(self.values == other.values, dtype=np.bool_)


@lru_cache(maxsize=4)
def all_rows(number: int) -> Rows:
    """Every row in its place. One array for each number of rows, so that taking all of them costs nothing."""
    rows = np.arange(number)
    rows.flags.writeable = False
    return rows


class _TooLarge(Exception):
    """The first cell that is no 64-bit integer is an integer all the same."""


class _StaysText(Exception):
    def __init__(self, missing_words_are_text: bool) -> None:
        self.missing_words_are_text = missing_words_are_text


def infer_column(cells: Text) -> Column:
    """The typed column of text cells, shape (rows,)."""
    missing = find_missing(cells)
    if not len(cells):
        return Column(Kind.TEXT, cells, missing)
    present = cells[~missing] if missing.any() else cells
    try:
        return _infer_numeric(present, missing) or _infer_other(cells, present, missing)
    except _StaysText as reason:
        if reason.missing_words_are_text:
            missing = np.zeros_like(missing)
        return Column(Kind.TEXT, cells, missing)


def find_missing(cells: Text) -> npt.NDArray[np.bool_]:
    """True where a cell is exactly one of the missing-value words."""
    missing = np.zeros(len(cells), dtype=np.bool_)
    for start, words in _blocks(cells):
        if not MISSING_WORDS.isdisjoint(words):
            missing[start : start + len(words)] = [word in MISSING_WORDS for word in words]
    return missing


def _blocks(cells: Text) -> Iterator[tuple[int, list[str]]]:
    for start in range(0, len(cells), BLOCK_CELLS):
        yield start, cells[start : start + BLOCK_CELLS].tolist()


def _infer_numeric(present: Text, missing: npt.NDArray[np.bool_]) -> Column | None:
    try:
        integers = _parse(present, _integer_block, np.int64)
    except _TooLarge:
        integers = _unsigned(present, bool(missing.any()))
    if integers is not None:
        return add_missing(_spread(integers, missing, 0), missing)
    floats = _parse(present, _float_block, np.float64)
    return None if floats is None else Column(Kind.FLOAT, _spread(floats, missing, np.nan), missing)


def add_missing(integers: Array, missing: npt.NDArray[np.bool_]) -> Column:
    """The column of these integers, with anything where one is missing: then it is one of floats."""
    if not missing.any():
        return Column(Kind.INTEGER, integers, missing)
    floats = integers.astype(np.float64)
    # Upstream marks missing integers by the smallest one, so a real one among them is lost as well.
    floats[missing | (integers == INT64.min)] = np.nan
    return Column(Kind.FLOAT, floats, missing)


def _infer_other(cells: Text, present: Text, missing: npt.NDArray[np.bool_]) -> Column:
    booleans = _parse(present, _boolean_block, np.bool_)
    if booleans is None:
        return Column(Kind.TEXT, cells, missing)
    return Column(Kind.BOOLEAN, _spread(booleans, missing, False), missing)


def _spread(values: Array, missing: npt.NDArray[np.bool_], filler: object) -> Array:
    """The values of the present cells at their places, the filler elsewhere."""
    if not missing.any():
        return values
    full = np.full(len(missing), filler, dtype=values.dtype)
    full[~missing] = values
    return full


def _parse(cells: Text, parse_block: Callable[[list[str]], list[Any] | None], dtype: type) -> Array | None:
    """All cells parsed block by block, or None as soon as one block cannot be."""
    parts: list[Array] = []
    for _, words in _blocks(cells):
        values = parse_block(words)
        if values is None:
            return None
        parts.append(np.array(values, dtype=dtype))
    return np.concatenate(parts) if parts else np.array([], dtype=dtype)


def _all_match(words: list[str], pattern: re.Pattern[str]) -> bool:
    """One scan over a whole block. Cells holding a line break fail the count and take the slow way."""
    joined = "\n".join(words)
    return joined.count("\n") == len(words) - 1 and pattern.fullmatch(joined) is not None


def _integer_block(words: list[str]) -> list[int] | None:
    if _all_match(words, SHORT_INTEGERS):
        return list(map(int, words))
    values = []
    for word in words:
        value = _integer(word)
        if value is None:
            return None
        if not INT64.min <= value <= INT64.max:
            raise _TooLarge
        values.append(value)
    return values


def _integer(word: str) -> int | None:
    digits = word.strip(BLANKS)
    if not INTEGER.fullmatch(digits):
        return None
    # int() refuses very long strings; beyond 64 bits only the sign and "too large" matter.
    size = digits.lstrip("+-").lstrip("0")
    return int(digits) if len(size) <= 20 else (-1 if digits[0] == "-" else 1) << 70


def _unsigned(present: Text, any_missing: bool) -> Array | None:
    """Unsigned 64-bit integers; None if a cell is no integer; _StaysText if they do not fit."""
    values: list[int] = []
    negative = False
    for word in (word for _, words in _blocks(present) for word in words):
        if word.lstrip(BLANKS).startswith("-"):
            # Upstream looks at nothing behind the sign here.
            negative = True
            continue
        value = _integer(word)
        if value is None:
            return None
        if value > UINT64_MAX:
            raise _StaysText(missing_words_are_text=False)
        values.append(value)
    beyond_int64 = any(value > INT64.max for value in values)
    if negative or (beyond_int64 and any_missing):
        raise _StaysText(missing_words_are_text=beyond_int64)
    return np.array(values, dtype=np.uint64)


def _float_block(words: list[str]) -> list[float] | None:
    if _all_match(words, FLOATS):
        values = list(map(float, words))
        # 1e400 is an error upstream, -1e400 is minus infinity.
        return None if np.inf in values else values
    parsed: list[float] = []
    for word in words:
        value = _float(word)
        if value is None:
            return None
        parsed.append(value)
    return parsed


def _float(word: str) -> float | None:
    number = word.strip(BLANKS)
    if not FLOAT.fullmatch(number):
        return INFINITIES.get(word.lower())
    value = float(number)
    return None if value == np.inf else value


def _boolean_block(words: list[str]) -> list[bool] | None:
    lowered = [word.lower() for word in words]
    return [word == "true" for word in lowered] if {"true", "false"}.issuperset(lowered) else None
