"""Strict JSON with lines: no repeated keys, no NaN, nothing after the document.

The standard reader keeps no positions and takes the last of repeated keys, so containers are walked here.
"""

import re
from bisect import bisect_right
from json import JSONDecodeError, JSONDecoder
from typing import Any, Final, NoReturn

from .problems import Path
from .reading import Reading, Spot, Unreadable, parse_number

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORD = re.compile(r"[A-Za-z]+")
_TEXT: Final = JSONDecoder()
_WORDS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None}


def read_json(text: str) -> Reading:
    """The document with every problem found on the way; broken syntax or too deep nesting ends it at once."""
    walker = _Walker(text)
    try:
        value, end = walker.value(0, ())
        end = walker.skip(end)
        if end != len(text):
            walker.stop(end, (), "syntax", "has something after its end")
        walker.reading.document = value
    except Unreadable:
        walker.reading.document = None
    return walker.reading


class _Walker:
    """Reads one text; every method takes a position and returns the position after what it read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.reading = Reading()
        self.line_starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def line(self, at: int) -> int:
        return bisect_right(self.line_starts, at)

    def skip(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at

    def stop(self, at: int, path: Path, code: str, message: str) -> NoReturn:
        self.reading.stop(code, message, self.line(at), path)

    def expect(self, char: str, at: int, path: Path) -> int:
        at = self.skip(at)
        if self.text[at : at + 1] != char:
            self.stop(at, path, "syntax", f"is not JSON: '{char}' was expected here")
        return at + 1

    def value(self, at: int, path: Path) -> tuple[Any, int]:
        at = self.skip(at)
        self.reading.enter(path, self.line(at))
        self.reading.spots[path] = Spot(self.line(at))
        match self.text[at : at + 1]:
            case "{":
                return self.mapping(at + 1, path)
            case "[":
                return self.sequence(at + 1, path)
            case '"':
                return self.string(at, path)
        return self.scalar(at, path)

    def mapping(self, at: int, path: Path) -> tuple[dict[str, Any], int]:
        document: dict[str, Any] = {}
        if self.text[self.skip(at) : self.skip(at) + 1] == "}":
            return document, self.skip(at) + 1
        while True:
            at = self.expect('"', at, path) - 1
            key, end = self.string(at, path)
            self.reading.check_key(key, (*path, key), self.line(at), document)
            document[key], at = self.value(self.expect(":", end, path), (*path, key))
            at = self.skip(at)
            if self.text[at : at + 1] != ",":
                return document, self.expect("}", at, path)
            at += 1

    def sequence(self, at: int, path: Path) -> tuple[list[Any], int]:
        items: list[Any] = []
        if self.text[self.skip(at) : self.skip(at) + 1] == "]":
            return items, self.skip(at) + 1
        while True:
            item, at = self.value(at, (*path, len(items)))
            items.append(item)
            at = self.skip(at)
            if self.text[at : at + 1] != ",":
                return items, self.expect("]", at, path)
            at += 1

    def string(self, at: int, path: Path) -> tuple[str, int]:
        try:
            return _TEXT.raw_decode(self.text, at)
        except JSONDecodeError:
            self.stop(at, path, "syntax", "is not JSON: this text does not end, or holds a bad escape")

    def scalar(self, at: int, path: Path) -> tuple[Any, int]:
        word, number = _WORD.match(self.text, at), _NUMBER.match(self.text, at)
        if word and word[0] in _WORDS:
            return _WORDS[word[0]], word.end()
        if word and word[0] in ("NaN", "Infinity"):
            self.reading.report("not_finite", path, self.line(at), "is not a finite number; leave it out")
            return None, word.end()
        if not number:
            self.stop(at, path, "syntax", "is not JSON: a value was expected here")
        self.reading.spots[path] = Spot(self.line(at), number[0])
        value = parse_number(number[0])
        if value is None:
            self.reading.report("ambiguous", path, self.line(at), "is a number with too many digits")
        return value, number.end()
