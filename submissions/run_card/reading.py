"""What a reader of either format hands on: the document, and where each value stood in the file."""

import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

from .problems import Path, Problem, dotted, shorten

MAX_DEPTH = 20
MAX_DIGITS = 18
MAX_VALUES = 20_000
# Unicode Standard Annex #9: the marks and the explicit formatting characters.
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# Printable to Unicode, and drawn as nothing: joiners, fillers, the blank of Braille, and some variation selectors.
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\U000e0100-\U000e01ef]")
# Of a keycap nothing is caught; else what stands before a variation selector, and the selector.
_SELECTED = re.compile("[0-9#*]\ufe0f\u20e3|(.?)([\ufe00-\ufe0f])", re.DOTALL)
# Unicode, emoji-variation-sequences.txt: signs with a form as text and one as emoji, before the arrows or of another
# category than symbols.
_TWO_FORMS = frozenset("\u00a9\u00ae\u203c\u2049\u2122\u2139\u3030\u303d")
_ARROWS = "\u2190"
_LAID_OUT = str.maketrans("", "", "\t\n\r")

TOO_DEEP = ("too_deep", f"is nested more than {MAX_DEPTH} levels deep")
TOO_MANY = ("too_many", f"holds more than {MAX_VALUES:,} values")


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

    def stop(self, code: str, message: str, line: int | None, path: Path = ()) -> NoReturn:
        self.report(code, path, line, message)
        raise Unreadable

    def enter(self, path: Path, line: int) -> None:
        """Counts a value before it is read. Raises Unreadable past a depth or number no run card needs."""
        self.values += 1
        if len(path) > MAX_DEPTH:
            self.stop(*TOO_DEEP, line)
        if self.values > MAX_VALUES:
            self.stop(*TOO_MANY, line)

    def line_of(self, path: Path) -> int | None:
        """The line of the value, or of the nearest one around it."""
        while path and path not in self.spots:
            path = path[:-1]
        spot = self.spots.get(path)
        return spot.line if spot else None

    def check_key(self, key: str, path: Path, line: int, seen: dict[str, Any]) -> None:
        if key in seen:
            self.report("duplicate_key", path, line, f"'{shorten(key)}' is given twice; keep one")


def find_excess(document: object) -> tuple[str, str] | None:
    """Code and message for a document deeper or of more values than any reader takes; None for all others."""
    waiting: list[tuple[object, int]] = [(document, 0)]
    values = 0
    while waiting:
        value, depth = waiting.pop()
        values += 1
        if depth > MAX_DEPTH:
            return TOO_DEEP
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        if values + len(waiting) + len(inner) > MAX_VALUES:
            return TOO_MANY
        waiting += ((each, depth + 1) for each in inner)
    return None


def parse_number(text: str) -> int | float | None:
    """The number, or None if it is not finite or an integer of more than 18 digits."""
    if text.lstrip("+-").isdecimal():
        return int(text) if len(text.lstrip("+-")) <= MAX_DIGITS else None
    value = float(text)
    return value if math.isfinite(value) else None


def unreadable_text(document: object, path: Path = ()) -> Iterator[tuple[Path, str, str]]:
    """Path, code and message of every text, key or value, that shows otherwise than it is written.

    That is: with control characters, half a surrogate pair, characters that turn the direction of text, or
    invisible ones.
    """
    if isinstance(document, dict):
        for key, value in document.items():
            yield from unreadable_text(key, (*path, key))
            yield from unreadable_text(value, (*path, key))
    elif isinstance(document, list):
        for index, value in enumerate(document):
            yield from unreadable_text(value, (*path, index))
    elif isinstance(document, str) and (fault := _character_fault(document)):
        yield path, *fault


def _character_fault(text: str) -> tuple[str, str] | None:
    """Code and message of the worst character of a text."""
    plain = text.translate(_LAID_OUT)
    if plain.isprintable() and (plain.isascii() or not _has_unseen(plain)):  # Far quicker for nearly all.
        return None
    categories = {unicodedata.category(char) for char in plain}
    if categories & {"Cc", "Cs", "Zl", "Zp"}:
        return "control_characters", "holds control characters; remove them"
    if _BIDI.search(plain):
        return "bidi_characters", "holds characters that turn the direction of text; remove them"
    if "Cf" in categories or _has_unseen(plain):
        return "invisible_characters", "holds invisible characters, such as a zero width space; remove them"
    return None


def _has_unseen(text: str) -> bool:
    return bool(_UNSEEN.search(text)) or any(map(_is_unseen, _SELECTED.finditer(text)))


def _is_unseen(selected: re.Match[str]) -> bool:
    """A variation selector that does not choose between two forms of a sign shows nothing."""
    base, selector = selected.groups()
    return selector is not None and not (selector in "\ufe0e\ufe0f" and _has_two_forms(base))


def _has_two_forms(base: str) -> bool:
    """At least perhaps: it is known of a few, and of the others only that they are symbols."""
    return base in _TWO_FORMS or (base >= _ARROWS and unicodedata.category(base) in ("So", "Sm"))
