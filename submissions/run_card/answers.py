"""Which values are answers, and which questions are still open."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from .problems import Path, dotted
from .schema import SCHEMA, Schema, kind_of, properties, value_at

_STAND_INS: Final = """
- | -- | --- | – | — | . | .. | ... | … | ? | ?? | ??? | / | _ | x | xx | xxx | na | n.a | n.a. | n/a | n\\a
n-a | none | null | nil | nan | tba | tbc | tbd | todo | fixme | wip | unknown | undisclosed | unspecified
undefined | unavailable | unreleased | confidential | private | proprietary | secret | redacted | withheld
hidden | latest | later | pending | soon | placeholder | missing | empty | blank | not applicable
not available | not disclosed | not known | not public | not specified | not stated | no answer | no comment
to be announced | to be confirmed
to be determined | to be done | coming soon | code soon | don't know | will follow | to follow | in progress
"""
PLACEHOLDERS: Final = frozenset(word.strip() for line in _STAND_INS.splitlines() for word in line.split("|"))

_WRAPPING = "\"'`()[]<>{}*!: \t\r\n"


def is_placeholder(text: str) -> bool:
    """True if the text only stands in for an answer: empty, "n/a", "TBD", "<unknown>" and the like."""
    word = " ".join(text.strip(_WRAPPING).lower().split())
    return not word or word in PLACEHOLDERS or word.rstrip(".!") in PLACEHOLDERS


def is_answer(value: object, schema: Schema | None = None) -> bool:
    """True if the value answers its question. 0 and false do, and so does a word its choices list."""
    schema = schema or {}
    if isinstance(value, str):
        # A seed may be called "x": labels are names, not answers that could be dodged.
        return value in schema.get("enum", ()) or (
            bool(value.strip()) if "x-text" in schema else not is_placeholder(value)
        )
    if isinstance(value, Mapping):
        # A word that is a choice of its own field answers, although it would be a placeholder elsewhere.
        fields, others = properties(schema), schema.get("additionalProperties") or {}
        return any(is_answer(item, fields.get(name, others)) for name, item in value.items())
    if isinstance(value, list):
        return any(is_answer(item, schema.get("items")) for item in value)
    return value is not None


def undisclosed(document: Mapping[str, Any], track: str = "clean") -> list[str]:
    """Dotted paths of the questions the track needs answered and the document leaves open, in form order."""
    return [dotted(path) for path in _open_questions(SCHEMA, document, (), document, track)]


def _open_questions(
    schema: Schema, value: object, path: Path, document: Mapping[str, Any], track: str
) -> Iterator[Path]:
    siblings = value if isinstance(value, Mapping) else {}
    for name, field in properties(schema).items():
        answer, here = siblings.get(name), (*path, name)
        if kind_of(field) == "section":
            yield from _open_questions(field, answer, here, document, track)
        elif is_answer(answer, field):
            yield from _open_in_rows(field, answer, here, document, track)
        elif track in field.get("x-required-for", ()) and _is_asked(field, siblings, document):
            yield here


def _open_in_rows(
    field: Schema, rows: object, path: Path, document: Mapping[str, Any], track: str
) -> Iterator[Path]:
    if kind_of(field) == "rows" and isinstance(rows, list):
        for index, row in enumerate(rows):
            yield from _open_questions(field["items"], row, (*path, index), document, track)


def _is_asked(field: Schema, siblings: Mapping[str, Any], document: Mapping[str, Any]) -> bool:
    """False where `x-when` does not hold, or an answer named by `x-unless` makes the question idle."""

    def holds(name: str, accepted: Any) -> bool:
        value = value_at(siblings, name)
        value = value_at(document, name) if value is None else value
        # `0 in [False]` is true in Python, so the types are compared as well.
        return is_answer(value) if accepted == "*" else any(
            value == word and type(value) is type(word) for word in accepted
        )  # fmt: skip

    when, unless = field.get("x-when", {}), field.get("x-unless", {})
    return all(holds(*item) for item in when.items()) and not any(holds(*item) for item in unless.items())
