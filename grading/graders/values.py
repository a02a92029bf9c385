"""How the cells of a target column are read: one function per word `values` may be.

Each returns a column or raises InvalidSubmission with the column, the count and the first data rows.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from .columns import INT64, STRING, Array, Column, Kind
from .messages import count, list_rows
from .verdict import InvalidSubmission

ValueReader = Callable[[str, Column], Column]


def read_numbers(name: str, column: Column) -> Column:
    """Finite numbers; true/false words are 1 and 0. Text anywhere makes the column invalid."""
    if not column.is_numeric:
        _refuse_text(name, column)
    return _finite(name, column.floats(), column.missing)


def read_numbers_or_blanks(name: str, column: Column) -> Column:
    """Numbers, infinite ones too; missing ones become NaN. Text anywhere makes the column invalid."""
    if column.kind is Kind.TEXT:
        _refuse_text(name, column)
    return Column(Kind.FLOAT, np.where(column.missing, np.nan, column.floats()), column.missing)


def read_present(name: str, column: Column) -> Column:
    """Whatever can be ranked: numbers, infinite ones too, true/false words, or text; none missing."""
    if column.missing.any():
        _refuse_missing(name, column.missing)
    return column


def read_parsable(name: str, column: Column) -> Column:
    """Finite numbers; a column of text counts if every cell parses as a number (`1_0` is 10)."""
    if column.is_numeric:
        return _finite(name, column.floats(), column.missing)
    parsed = [_general_float(cell) for cell in column.values.tolist()]
    unparsed = np.array([value is None for value in parsed], dtype=np.bool_) & ~column.missing
    if column.kind is Kind.BOOLEAN or unparsed.any():
        _refuse_text(name, column, unparsed)
    values = np.array([np.nan if value is None else value for value in parsed], dtype=np.float64)
    return _finite(name, values, column.missing)


def read_whole(name: str, column: Column) -> Column:
    """Finite whole numbers (2 and 2.0, not 2.5)."""
    numbers = read_numbers(name, column)
    if column.kind is Kind.FLOAT:
        _require_whole(name, numbers.values)
    return numbers


def read_truncated(name: str, column: Column) -> Column:
    """Integers: numbers cut toward zero, text that looks like an integer (`1_0` is 10)."""
    if column.is_numeric:
        _finite(name, column.floats(), column.missing)
        # Numbers beyond 64 bits become some other class, as in the benchmark; only text beyond them is
        # refused.
        with np.errstate(invalid="ignore"):
            return Column(Kind.INTEGER, column.values.astype(np.int64), column.missing)
    return _integers_from_text(name, column, column.values.tolist())


def read_first_integer(name: str, column: Column) -> Column:
    """Integers, or text whose first token, up to a space, is one. Decimal points are refused."""
    if column.kind is Kind.INTEGER:
        return column
    if column.is_numeric or column.kind is not Kind.TEXT:
        raise InvalidSubmission(
            "not_integers",
            f"Column {name} is read as {column.kind.value}, not as integers. Write 3, not 3.0, in every row.",
        )
    return _integers_from_text(name, column, [cell.split(" ")[0] for cell in column.values.tolist()])


def read_labels(name: str, column: Column) -> Column:
    """Class labels: text, true/false words or whole numbers, none missing."""
    if column.missing.any():
        _refuse_missing(name, column.missing)
    if column.kind is Kind.FLOAT:
        return read_whole(name, column)
    return column


def read_labels_or_blanks(name: str, column: Column) -> Column:
    """Labels as read_labels does, but a missing one is the empty word, also where all are missing."""
    if column.kind is Kind.TEXT:
        return column.filled("")
    return _empty_words(column) if column.missing.all() else read_labels(name, column)


def read_text_or_blanks(name: str, column: Column) -> Column:
    """Text in which missing cells stay missing; a column without any text is refused."""
    if column.kind is Kind.TEXT:
        return column
    raise InvalidSubmission(
        "not_text",
        f"Column {name} holds no text at all (read as {column.kind.value}). "
        "Write text such as the sample submission's.",
    )


def read_text(name: str, column: Column) -> Column:
    """Text, none missing; a column without any text is refused."""
    if column.missing.any():
        _refuse_missing(name, column.missing)
    return read_text_or_blanks(name, column)


def read_text_or_empty(name: str, column: Column) -> Column:
    """Text in which a missing cell is the empty text, also where all are missing; else text is needed."""
    if column.missing.all():
        return _empty_words(column)
    return read_text_or_blanks(name, column).filled("")


def read_as_text(name: str, column: Column) -> Column:
    """Every cell printed as text: missing ones `nan`, numbers in shortest form (1.50 as 1.5, 007 as 7)."""
    return column.filled("nan")


def read_as_text_or_empty(name: str, column: Column) -> Column:
    """Every cell printed as read_as_text does, but a missing one is the empty text."""
    return column.filled("")


def _empty_words(column: Column) -> Column:
    return Column(Kind.TEXT, np.full(len(column), "", dtype=STRING), np.zeros_like(column.missing))


def _refuse_text(name: str, column: Column, unparsed: npt.NDArray[np.bool_] | None = None) -> None:
    if unparsed is None:
        words = [_general_float(cell) is None for cell in column.values.tolist()]
        unparsed = np.array(words, dtype=np.bool_) & ~column.missing
    rows = np.flatnonzero(unparsed)
    where = f" in {count(rows.size, 'cell')} (data row {list_rows(rows)})" if rows.size else ""
    raise InvalidSubmission(
        "not_numeric", f"Column {name} holds text{where}. Every cell must be a plain number such as 0.25."
    )


def _general_float(cell: str | bool) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


def _finite(name: str, values: npt.NDArray[np.float64], missing: npt.NDArray[np.bool_]) -> Column:
    empty = missing | np.isnan(values)
    if empty.any():
        _refuse_missing(name, empty)
    infinite = np.flatnonzero(np.isinf(values))
    if infinite.size:
        raise InvalidSubmission(
            "infinite_value",
            f"Column {name}: {count(infinite.size, 'value')} not finite (data row {list_rows(infinite)}). "
            "Write an ordinary number.",
        )
    return Column(Kind.FLOAT, values, missing)


def _refuse_missing(name: str, missing: npt.NDArray[np.bool_]) -> None:
    rows = np.flatnonzero(missing)
    raise InvalidSubmission(
        "missing_value",
        f"Column {name}: {count(rows.size, 'value')} missing (data row {list_rows(rows)}). "
        "Words such as NA, null, None and nan count as missing too. Predict every row.",
    )


def _require_whole(name: str, values: npt.NDArray[np.float64]) -> None:
    # A float beyond 64 bits changes when it is made an integer, and so is no class either.
    whole = (values == np.trunc(values)) & (values >= -(2.0**63)) & (values < 2.0**63)
    rows = np.flatnonzero(~whole)
    if rows.size:
        raise InvalidSubmission(
            "not_whole",
            f"Column {name}: {count(rows.size, 'value')} not whole (data row {list_rows(rows)}). "
            "Give classes, not probabilities.",
        )


def _integers_from_text(name: str, column: Column, cells: list[str]) -> Column:
    if column.missing.any():
        _refuse_missing(name, column.missing)
    parsed = [_general_integer(cell) for cell in cells]
    rows = np.flatnonzero([value is None for value in parsed])
    if rows.size:
        _refuse_integers(name, rows)
    integers: Array = np.array(parsed, dtype=np.int64)
    return Column(Kind.INTEGER, integers, column.missing)


def _refuse_integers(name: str, rows: npt.NDArray[np.intp]) -> None:
    raise InvalidSubmission(
        "not_integers",
        f"Column {name}: {count(rows.size, 'value')} no 64-bit integer (data row {list_rows(rows)}). "
        "Write one class number per row.",
    )


def _general_integer(cell: str | bool) -> int | None:
    """An integer of at most 64 bits as int() reads it, or None."""
    if isinstance(cell, bool):
        return int(cell)
    try:
        value = int(cell)
    except ValueError:
        return None
    return value if INT64.min <= value <= INT64.max else None


VALUE_READERS: dict[str, ValueReader] = {
    "numbers": read_numbers,
    "numbers_or_blanks": read_numbers_or_blanks,
    "present": read_present,
    "parsable": read_parsable,
    "whole": read_whole,
    "truncated": read_truncated,
    "first_integer": read_first_integer,
    "labels": read_labels,
    "labels_or_blanks": read_labels_or_blanks,
    "text": read_text,
    "text_or_blanks": read_text_or_blanks,
    "text_or_empty": read_text_or_empty,
    "as_text": read_as_text,
    "as_text_or_empty": read_as_text_or_empty,
}
