"""Between a document and the flat names and texts of a posted form."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from .reading import parse_number
from .schema import SCHEMA, Document, Schema, kind_of, properties, resolve

MAP_KEY: Final = "key"
MAP_VALUE: Final = "value"
_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORDS: Final = {"true": True, "false": False}

Posted = Mapping[str, list[str]]


def map_schema(schema: Schema) -> Schema:
    """A map as a form sees it: rows of a key and a value."""
    key = {"type": "string", "title": schema["x-key"], "description": ""}
    value = {**resolve(schema["additionalProperties"]), "title": schema["x-value"], "description": ""}
    return {"properties": {MAP_KEY: key, MAP_VALUE: value}}


def to_form(document: Mapping[str, Any]) -> dict[str, list[str]]:
    """The answers as posted names and texts; open questions are left out."""
    return {name: [text] for name, text in _pairs(SCHEMA, document, "")}


def draft_form(document: Mapping[str, Any], posted: Posted) -> Document:
    """The document with the posted answers, unchecked; texts that are no number or word stay text."""
    return _filled(SCHEMA, document, posted, "")


def _pairs(schema: Schema, section: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for name, field in properties(schema).items():
        value, here = section.get(name), prefix + name
        match kind_of(field):
            case _ if value is None:
                continue
            case "section":
                yield from _pairs(field, value, f"{here}.")
            case "rows":
                yield from _row_pairs(field["items"], value, here)
            case "map":
                rows = [{MAP_KEY: key, MAP_VALUE: inner} for key, inner in value.items()]
                yield from _row_pairs(map_schema(field), rows, here)
            case _:
                yield here, _text_of(value)


def _row_pairs(schema: Schema, rows: Sequence[Mapping[str, Any]], name: str) -> Iterator[tuple[str, str]]:
    for number, row in enumerate(rows):
        yield from _pairs(schema, row, f"{name}.{number}.")


def _text_of(value: object) -> str:
    if isinstance(value, list):
        return "\n".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _filled(schema: Schema, section: Mapping[str, Any], posted: Posted, prefix: str) -> Document:
    filled = dict(section)
    for name, field in properties(schema).items():
        value = _posted_answer(field, section.get(name), posted, prefix + name)
        if value is not None and "x-computed" not in field:
            filled[name] = value
    return {name: value for name, value in filled.items() if value not in (None, "", [], {})}


def _posted_answer(field: Schema, old: Any, posted: Posted, name: str) -> Any:
    """The answer after the post: what was posted, else the old one. "" takes an answer back."""
    match kind_of(field):
        case "section":
            return _filled(field, old or {}, posted, f"{name}.")
        case "rows":
            return _posted_rows(field["items"], old, posted, name)
        case "map":
            rows = _posted_rows(map_schema(field), None, posted, name)
            return old if rows is None else _map_of(rows)
    return _posted_value(field, posted[name]) if name in posted else old


def _posted_rows(schema: Schema, old: Any, posted: Posted, name: str) -> Any:
    """The rows that are not empty, in order of their numbers; the old ones if the post has none at all."""
    pattern = re.compile(re.escape(name) + r"\.([0-9]{1,6})\.")
    numbers = {int(match[1]) for match in map(pattern.match, posted) if match}
    if not numbers:
        return old
    rows = [_filled(schema, {}, posted, f"{name}.{number}.") for number in sorted(numbers)]
    return [row for row in rows if row]


def _map_of(rows: list[Document]) -> Document:
    return {str(row.get(MAP_KEY, "")): row.get(MAP_VALUE) for row in rows}


def _posted_value(field: Schema, texts: list[str]) -> Any:
    text = "\n".join(texts).strip()
    match kind_of(field):
        case "list":
            return [line.strip() for line in text.splitlines() if line.strip()]
        case "bool":
            return _WORDS.get(text.lower(), text)
        case "number" if _NUMBER.fullmatch(text):
            number = parse_number(text)
            return text if number is None else number
    return text
