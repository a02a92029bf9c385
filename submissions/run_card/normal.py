"""One spelling per document: what is stored, compared and digested."""

import hashlib
import json
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from .answers import is_answer
from .problems import Path, Problem, RunCardError, dotted
from .reading import unreadable_text
from .schema import SCHEMA, Document, Schema, kind_of, properties, resolve


def normalise(document: Mapping[str, Any]) -> Document:
    """The document with open questions left out, text trimmed, labels as text; the same for equal answers.

    Fields stand in the schema's order. Takes a document whose structure holds; twice is the same as once.
    """
    return _section(document, SCHEMA)


def canonical_digest(document: Mapping[str, Any]) -> str:
    """SHA-256 (64 hexadecimal digits) of the normalised document without `attestation.digest`."""
    plain = normalise(document)
    plain.get("attestation", {}).pop("digest", None)
    text = json.dumps(
        normalise(plain), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return hashlib.sha256(text.encode()).hexdigest()


def attest(document: Mapping[str, Any], name: str, date: str) -> Document:
    """The document attested by this person on this day (YYYY-MM-DD), with the digest of just that.

    Raises RunCardError for a name that shows otherwise than it is written.
    """
    if faults := list(unreadable_text(name, ("attestation", "name"))):
        raise RunCardError(Problem(code, dotted(path), None, message) for path, code, message in faults)
    attested = normalise({**document, "attestation": {"name": name, "date": date}})
    attested["attestation"]["digest"] = canonical_digest(attested)
    return attested


def drop_stale_digest(document: Mapping[str, Any]) -> Document:
    """The normalised document, without the attestation's digest if it was given for other answers."""
    plain = normalise(document)
    if plain.get("attestation", {}).get("digest") not in (None, canonical_digest(plain)):
        del plain["attestation"]["digest"]
    return normalise(plain)


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The changed answers in form order, as `path`, `before` and `after`; None stands for no answer."""
    before, after = dict(_leaves(normalise(old))), dict(_leaves(normalise(new)))
    paths = list(after) + [path for path in before if path not in after]
    changed = [path for path in paths if not _same(before.get(path), after.get(path))]
    return [{"path": dotted(path), "before": before.get(path), "after": after.get(path)} for path in changed]


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other


def _leaves(value: object, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Single answers by path; a plain list is one answer, rows are taken apart by position."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, (*path, key))
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        for index, item in enumerate(value):
            yield from _leaves(item, (*path, index))
    else:
        yield path, value


def _section(section: Mapping[str, Any], schema: Schema) -> Document:
    fields = {name: _answer(section.get(name), field) for name, field in properties(schema).items()}
    return {name: value for name, value in fields.items() if value is not None}


def _answer(value: Any, schema: Schema) -> Any:
    """The answer in its one spelling, or None for an open question."""
    if not is_answer(value, schema):
        return None
    match kind_of(schema):
        case "section":
            return _section(value, schema) or None
        case "rows":
            return [row for row in (_section(row, schema["items"]) for row in value) if row] or None
        case "list":
            return [
                item for item in (_answer(item, schema["items"]) for item in value) if item is not None
            ] or None
        case "map":
            item = resolve(schema["additionalProperties"])
            pairs = {_text(key): _answer(inner, item) for key, inner in sorted(value.items())}
            return {key: inner for key, inner in pairs.items() if inner is not None} or None
        case "long":
            return _long_text(value)
    return _scalar(value, schema)


def _scalar(value: Any, schema: Schema) -> Any:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if "x-text" in schema or isinstance(value, str):
        return _text(str(value))
    return value


def _text(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _long_text(text: str) -> str:
    lines = unicodedata.normalize("NFC", text).strip().splitlines()
    return "\n".join(line.rstrip() for line in lines)
