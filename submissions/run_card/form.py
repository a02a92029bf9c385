"""The run card as an HTML form: what a page draws, and a document as posted names and values.

Names are dotted paths (`compute.default.vcpus`, `llms.0.role`), the same that problems carry. Rows are
numbered; a page draws a few empty ones more, so that adding one needs no JavaScript.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .answers import undisclosed
from .form_values import draft_form, map_schema, to_form
from .normal import drop_stale_digest
from .parse import check_document, check_size
from .schema import SCHEMA, Document, Schema, kind_of, properties

__all__ = ["Choice", "Field", "Group", "Section", "apply_form", "draft_form", "form_fields", "to_form"]


@dataclass(frozen=True)
class Choice:
    """One answer to choose, and what it means."""

    value: str
    label: str


@dataclass(frozen=True)
class Field:
    """One question. Kinds: text, long, number, date, bool ("true", "false"), choice, list (one per line)."""

    name: str
    label: str
    help: str
    kind: str
    value: str
    choices: tuple[Choice, ...]
    example: str
    required_for: tuple[str, ...]
    is_open: bool


@dataclass(frozen=True)
class Group:
    """Rows of equal questions, the empty ones for additions last."""

    name: str
    label: str
    help: str
    rows: tuple[tuple[Field, ...], ...]


@dataclass(frozen=True)
class Section:
    """A headed part of the form with its questions in order."""

    name: str
    label: str
    help: str
    items: tuple[Field | Group, ...]


def form_fields(document: Mapping[str, Any] | None = None, blank_rows: int = 2) -> list[Section]:
    """The form's sections with the answers filled in; questions that keep it off Clean are `is_open`."""
    document = document or {}
    drawing = _Drawing(to_form(document), frozenset(undisclosed(document)), blank_rows)
    return [
        Section(name, schema["title"], schema["description"], tuple(drawing.items(name, schema)))
        for name, schema in properties(SCHEMA).items()
    ]


def apply_form(document: Mapping[str, Any], posted: Mapping[str, list[str]]) -> Document:
    """The normalised document with the posted answers; what was not posted stays, emptied rows go.

    A digest given for other answers goes too. Raises RunCardError whose paths are field names of the draft
    (`draft_form`), which a page shows again.
    """
    check_size(sum(len(text.encode()) for texts in posted.values() for text in texts))
    return drop_stale_digest(check_document(draft_form(document, posted), is_form=True))


@dataclass(frozen=True)
class _Drawing:
    values: Mapping[str, list[str]]
    open_names: frozenset[str]
    blank_rows: int

    def items(self, name: str, schema: Schema) -> Iterator[Field | Group]:
        match kind_of(schema):
            case "section":
                yield from self.section(name, schema)
            case "rows":
                yield self.group(name, schema, schema["items"])
            case "map":
                yield self.group(name, schema, map_schema(schema))
            case _ if "x-computed" not in schema:
                yield self.field(name, schema)

    def section(self, name: str, schema: Schema) -> Iterator[Field | Group]:
        for key, inner in properties(schema).items():
            # A part within a part, such as the default hardware, is drawn inline, its title in the labels.
            prefix = f"{schema['title']}: " if "." in name else ""
            yield from self.items(f"{name}.{key}", {**inner, "title": prefix + inner["title"]})

    def group(self, name: str, schema: Schema, row: Schema) -> Group:
        # A refused post is drawn again; rows that no run card may have would only cost time.
        most = schema.get("maxItems", schema.get("maxProperties", 0))
        numbers = range(min(_row_count(self.values, name), most) + self.blank_rows)
        rows = tuple(tuple(self.row(f"{name}.{number}", row)) for number in numbers)
        return Group(name, schema["title"], schema["description"], rows)

    def row(self, name: str, schema: Schema) -> Iterator[Field]:
        for key, field in properties(schema).items():
            yield self.field(f"{name}.{key}", field)

    def field(self, name: str, schema: Schema) -> Field:
        return Field(
            name=name,
            label=schema["title"],
            help=schema.get("x-form-help", schema["description"]),
            kind=kind_of(schema),
            value=self.values.get(name, [""])[0],
            choices=_choices(schema),
            example=_example(schema),
            required_for=tuple(schema.get("x-required-for", ())),
            is_open=name in self.open_names,
        )


def _row_count(values: Mapping[str, list[str]], name: str) -> int:
    rows = {key.removeprefix(f"{name}.").split(".")[0] for key in values if key.startswith(f"{name}.")}
    return len(rows)


def _choices(schema: Schema) -> tuple[Choice, ...]:
    if kind_of(schema) == "bool":
        return (Choice("true", "Yes"), Choice("false", "No"))
    return tuple(Choice(value, label) for value, label in schema.get("x-choices", {}).items())


def _example(schema: Schema) -> str:
    example = schema.get("examples", [""])[0]
    if isinstance(example, bool):
        return ""
    return "\n".join(example) if isinstance(example, list) else str(example)
