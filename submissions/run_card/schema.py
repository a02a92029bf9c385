"""The run card's JSON Schema, and how to look around in it and in a document."""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

Schema = Mapping[str, Any]
Document = dict[str, Any]

SCHEMA: Final[Schema] = json.loads(files(__package__).joinpath("schema.json").read_text("utf-8"))


def properties(schema: Schema) -> dict[str, Schema]:
    """The fields of an object in the order of the form, references resolved."""
    return {name: resolve(field) for name, field in schema.get("properties", {}).items()}


def resolve(schema: Schema) -> Schema:
    """The schema with its `$ref` into `$defs` replaced by what it names; keywords beside it win."""
    if "$ref" not in schema:
        return schema
    named = SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    return {**named, **{key: value for key, value in schema.items() if key != "$ref"}}


def kind_of(schema: Schema) -> str:
    """One of section, rows, list, map, choice, bool, number, date, long, text."""
    if schema.get("type") == "object":
        return "section" if "properties" in schema else "map"
    if schema.get("type") == "array":
        return "rows" if "properties" in schema["items"] else "list"
    if "enum" in schema:
        return "choice"
    kinds = {"boolean": "bool", "number": "number", "integer": "number"}
    return kinds.get(str(schema.get("type")), str(schema.get("x-kind", "text")))


def choice_text(path: str, value: str) -> str:
    """What a value of a choice means, in the words of the form; the value itself where the schema has none."""
    field: Schema = SCHEMA
    for part in path.split("."):
        field = resolve(resolve(field)["properties"][part])
    return str(field.get("x-choices", {}).get(value, value))


def title_of(path: str) -> str:
    """What people call the question at a dotted path: `llms.0.id` is `LLM 1: Exact id`. The path where it is none."""
    field: Schema = SCHEMA
    titles: list[str] = []
    for part in path.split("."):
        field = resolve(field)
        if part.isdigit() and "items" in field:
            field = field["items"]
            titles[-1:] = [f"{titles[-1].removesuffix('s')} {int(part) + 1}"]
            continue
        if part not in field.get("properties", {}):
            return path
        field = field["properties"][part]
        titles.append(str(resolve(field).get("title", part)))
    numbered = [title for title in titles[:-1] if title[-1:].isdigit()]
    return ": ".join([*numbered, titles[-1]])


def value_at(document: object, path: str) -> Any:
    """The value at a dotted path through objects, or None where there is none."""
    for part in path.split("."):
        document = document.get(part) if isinstance(document, Mapping) else None
    return document
