"""YAML as a run card may use it: one document of plain data, nothing that two readers could read differently.

PyYAML gives events and marks; the meaning of plain words is decided here, since YAML 1.1 and 1.2 disagree on
`no`, `1e3`, `010` and `12:30`. Those are refused with how to write them; a date is text, as in YAML 1.2.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import yaml

from .problems import Path, shorten
from .reading import Reading, Spot, Unreadable, parse_number

_WORDS: Final[dict[str, bool | None]] = {
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
    "null": None, "Null": None, "NULL": None, "~": None, "": None,
}  # fmt: skip
_NUMBER = re.compile(r"[-+]?(0|[1-9][0-9]*)|[-+]?[0-9]+\.[0-9]*([eE][-+][0-9]+)?|[-+]?\.[0-9]+")
_AMBIGUOUS: Final = (
    (re.compile(r"(yes|no|on|off)", re.IGNORECASE), "true or false"),
    (re.compile(r"[-+]?\.?[0-9][0-9_]*(\.[0-9_]*)?[eE][-+]?[0-9]+"), "a number with an exponent"),
    (re.compile(r"[-+]?(0[0-9_]+|0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+)"), "a number of another base"),
    (re.compile(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?"), "a number of sixties"),
    (re.compile(r"[-+]?[0-9]+_[0-9_]*(\.[0-9_]*)?"), "a number"),
    (re.compile(r"[-+]?\.(inf|nan)", re.IGNORECASE), "a number that is not finite"),
    (re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \t]+)[0-9].*"), "a point in time"),
)
_QUOTE = "quote it if it is text"


def read_yaml(text: str) -> Reading:
    """The document with every problem found; broken syntax or too deep nesting leaves it unread.

    Built from events: anchors are never followed, and depth is known before anything recurses.
    """
    reading = Reading()
    try:
        _read_documents(yaml.parse(text, Loader=yaml.BaseLoader), reading)
    except Unreadable:
        reading.document = None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else None
        reading.report("syntax", (), line, f"is not YAML: {shorten(str(error.problem))}")
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        reading.report("syntax", (), line, "is not YAML: it holds characters that YAML does not allow")
    return reading


def _read_documents(events: Iterator[yaml.Event], reading: Reading) -> None:
    documents = 0
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                message = "holds more than one document; remove what follows '---'"
                return reading.report("documents", (), _line(event), message)
        elif isinstance(event, yaml.NodeEvent):
            reading.document = _value(event, events, (), reading)
    return None


def _value(event: yaml.Event, events: Iterator[yaml.Event], path: Path, reading: Reading) -> Any:
    line = _line(event)
    reading.enter(path, line)
    reading.spots.setdefault(path, Spot(line))
    if getattr(event, "anchor", None) is not None:
        reading.report("anchor", path, line, "uses an anchor (&) or alias (*); write the value out")
    if getattr(event, "tag", None) is not None:
        reading.report("tag", path, line, "uses a type tag (!); write the value without it")
    match event:
        case yaml.MappingStartEvent():
            return _mapping(events, path, reading)
        case yaml.SequenceStartEvent():
            return _sequence(events, path, reading)
        case yaml.ScalarEvent():
            return _scalar(event, path, reading)
    return None


def _mapping(events: Iterator[yaml.Event], path: Path, reading: Reading) -> dict[str, Any]:
    document: dict[str, Any] = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        line, key = _line(event), _key(event, events, path, reading)
        here = (*path, key)
        reading.check_key(key, here, line, document)
        # A mapping starts on the line after its key; people look for the key.
        reading.spots[here] = Spot(line)
        document[key] = _value(next(events), events, here, reading)
    return document


def _key(event: yaml.Event, events: Iterator[yaml.Event], path: Path, reading: Reading) -> str:
    if isinstance(event, yaml.ScalarEvent):
        here = (*path, event.value)
        if not isinstance(_value(event, events, here, reading), str):
            reading.report("key", here, _line(event), "is not text; put the key in quotes")
        return str(event.value)
    _value(event, events, (*path, "?"), reading)
    reading.report("key", path, _line(event), "has a key that is not text")
    return "?"


def _sequence(events: Iterator[yaml.Event], path: Path, reading: Reading) -> list[Any]:
    items: list[Any] = []
    while not isinstance(event := next(events), yaml.SequenceEndEvent):
        items.append(_value(event, events, (*path, len(items)), reading))
    return items


def _scalar(event: yaml.ScalarEvent, path: Path, reading: Reading) -> Any:
    if event.style is not None:
        return event.value
    reading.spots[path] = Spot(reading.spots[path].line, event.value)
    return _plain(event.value, path, _line(event), reading)


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 0


def _plain(text: str, path: Path, line: int, reading: Reading) -> Any:
    """What an unquoted word means; an ambiguous one is reported, and null so that it is reported once."""
    if text in _WORDS:
        return _WORDS[text]
    if _NUMBER.fullmatch(text):
        number = parse_number(text)
        if number is None:
            reading.report("ambiguous", path, line, f"is a number with too many digits; {_QUOTE}")
        return number
    for pattern, meaning in _AMBIGUOUS:
        if pattern.fullmatch(text):
            reading.report("ambiguous", path, line, _advice(text, meaning))
            return None
    return text


def _advice(text: str, meaning: str) -> str:
    word = shorten(text)
    instead = (
        "true or false if it is a yes or no"
        if meaning == "true or false"
        else "it in plain digits if it is a number"
    )
    return (
        f"`{word}` is read as {meaning} by some and as text by others; {_QUOTE} ('{word}'), write {instead}"
    )
