"""What a reader of either format hands on: the document, and where each value stood in the file."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

from submissions.run_card.problems import Path, Problem, dotted, shorten

MAX_DEPTH = 20
MAX_DIGITS = 18
MAX_VALUES = 20_000


class Unreadable(Exception):
    """Reading cannot go on; the problem has been reported."""


@dataclass(frozen=True)
class Spot:
    """The line a value stands on, from 1, and its text if it was written without quotes."""

    line: int
    plain: str | None = None


@dataclass
class Reading:
    """A document with the spot of every value by path. With a fatal problem the document is None."""

    document: Any = None
    spots: dict[Path, Spot] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    values: int = 0

    def report(self, code: str, path: Path, line: int | None, message: str) -> None:
        self.problems.append(Problem(code, dotted(path), line, message))

    def stop(self, code: str, path: Path, line: int | None, message: str) -> NoReturn:
        self.report(code, path, line, message)
        raise Unreadable

    def enter(self, path: Path, line: int) -> None:
        """Counts a value before it is read. Raises Unreadable past a depth or number no run card needs."""
        self.values += 1
        if len(path) > MAX_DEPTH:
            self.stop("too_deep", (), line, f"is nested more than {MAX_DEPTH} levels deep")
        if self.values > MAX_VALUES:
            self.stop("too_many", (), line, f"holds more than {MAX_VALUES:,} values")

    def line_of(self, path: Path) -> int | None:
        """The line of the value, or of the nearest one around it."""
        while path and path not in self.spots:
            path = path[:-1]
        spot = self.spots.get(path)
        return spot.line if spot else None

    def check_key(self, key: str, path: Path, line: int, seen: dict[str, Any]) -> None:
        if key in seen:
            self.report("duplicate_key", path, line, f"'{shorten(key)}' is given twice; keep one")


def parse_number(text: str) -> int | float | None:
    """The number, or None if it is not finite or an integer of more than 18 digits."""
    if text.lstrip("+-").isdecimal():
        return int(text) if len(text.lstrip("+-")) <= MAX_DIGITS else None
    value = float(text)
    return value if math.isfinite(value) else None


def unreadable_text(document: object, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Path and message of every text, key or value, with control characters or half a surrogate pair."""
    if isinstance(document, dict):
        for key, value in document.items():
            yield from unreadable_text(key, (*path, key))
            yield from unreadable_text(value, (*path, key))
    elif isinstance(document, list):
        for index, value in enumerate(document):
            yield from unreadable_text(value, (*path, index))
    elif isinstance(document, str) and not all(map(_is_readable, document)):
        yield path, "holds control characters; remove them"


def _is_readable(char: str) -> bool:
    code = ord(char)
    return char in "\t\n\r" or (code >= 32 and not 0x7F <= code <= 0x9F and not 0xD800 <= code <= 0xDFFF)
