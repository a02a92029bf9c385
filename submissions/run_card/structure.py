"""Is a document built as the schema says? Every fault at once, in words a team can act on.

Only structure is judged: a question left open, or answered with a placeholder, is never a fault here.
"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError

from .answers import is_answer
from .problems import Path, Problem, dotted, shorten
from .reading import Reading, Spot, unreadable_text
from .schema import SCHEMA, kind_of

_VALIDATOR = Draft202012Validator(SCHEMA, format_checker=FormatChecker(["date"]))
_TYPE_WORDS: Final = {
    "object": "must hold fields of its own, not a single value or a list",
    "array": "must be a list",
    "string": "must be text",
    "number": "must be a number",
    "integer": "must be a whole number",
    "boolean": "must be true or false",
}


def structure_problems(
    document: object, reading: Reading | None = None, *, is_form: bool = False
) -> Iterator[Problem]:
    """Every fault of the document, with lines where a reading of a file is given.

    `is_form`: in words for those who see fields, to whom quotes and leaving out say nothing.
    """
    reading = reading or Reading()
    for path, code, message in unreadable_text(document):
        yield Problem(code, dotted(path), reading.line_of(path), message)
    errors = list(_VALIDATOR.iter_errors(document))
    misspelt = {tuple(error.absolute_path) for error in errors if error.validator == "pattern"}
    for error in errors:
        where: Path = tuple(error.absolute_path)
        if error.validator == "additionalProperties":
            yield from _unknown_keys(error, where, reading)
        elif _is_open(error) or (error.validator == "format" and where in misspelt):
            continue  # What is not written as a date is not said to be no day as well.
        else:
            line = reading.line_of(where)
            message = _message(error, reading.spots.get(where), is_form)
            yield Problem(str(error.validator), dotted(where), line, message)


def _is_open(error: ValidationError) -> bool:
    """A placeholder or null is an open question whatever type the schema wants; the whole document is not."""
    scalar = isinstance(error.instance, str) or error.instance is None
    return bool(error.absolute_path) and scalar and not is_answer(error.instance, error.schema)


def _unknown_keys(error: ValidationError, path: Path, reading: Reading) -> Iterator[Problem]:
    known = list(error.schema["properties"])
    for key in error.instance:
        if key not in known:
            here = (*path, key)
            yield Problem("unknown_key", dotted(here), reading.line_of(here), _unknown_message(key, known))


def _unknown_message(key: str, known: list[str]) -> str:
    near = get_close_matches(key[:100].lower(), known, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"known here: {', '.join(known)}"
    return f"is not a field of the run card; {hint}"


def _message(error: ValidationError, spot: Spot | None, is_form: bool) -> str:
    schema, wanted, value = error.schema, error.validator_value, error.instance
    match error.validator:
        case "type":
            return _type_message(schema, value, spot, is_form)
        case "enum":
            return _choice_message(value, wanted)
        case "minimum" | "maximum":
            return f"must be at {'least' if error.validator == 'minimum' else 'most'} {wanted:,}"
        case "maxLength":
            return f"is {len(value):,} characters long; at most {wanted:,} are kept"
        case "maxItems" | "maxProperties":
            return f"has {len(value):,} entries; at most {wanted:,} are kept"
        case "format":
            return "is not a day of the calendar"
    return f"must be {schema['x-pattern-words']}"


def _type_message(schema: Mapping[str, Any], value: object, spot: Spot | None, is_form: bool) -> str:
    wanted = schema["type"]
    words = _TYPE_WORDS["string" if isinstance(wanted, list) else wanted]
    if wanted == "string" and spot and spot.plain is not None:
        quoted = shorten(spot.plain)
        return (
            f'{words}, and {quoted} without quotes is read as {_name_of(value)}: write "{quoted}" in quotes'
        )
    if kind_of(schema) in ("bool", "number") and isinstance(value, str):
        bare, out = ("units", "empty") if is_form else ("quotes, units", "out")
        return f"{words}, not text; write it without {bare} or separators, or leave it {out} if unknown"
    return words


def _name_of(value: object) -> str:
    return "true or false" if isinstance(value, bool) else "a number"


def _choice_message(value: object, choices: list[str]) -> str:
    near = get_close_matches(str(value)[:100].lower().replace(" ", "_"), choices, n=1)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    return f"must be one of {', '.join(choices)}{hint}"
