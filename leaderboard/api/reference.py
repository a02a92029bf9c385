"""The OpenAPI schema as a page is made of it: groups of routes, their parameters, bodies and answers. Pure."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

Node = Mapping[str, Any]
JSON: Final = "application/json"
VERBS: Final = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Kind:
    """What a value is: words for it, and the named shape that it leads to, if any."""

    words: str
    shape: str = ""


@dataclass(frozen=True)
class Field:
    """A parameter of a route (`place`: path, query or header) or a field of a shape."""

    name: str
    kind: Kind
    description: str
    required: bool
    place: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    status: str
    description: str
    kind: Kind | None
    media: tuple[str, ...]


@dataclass(frozen=True)
class Operation:
    """One verb on one path. `example` and `answer_example` are JSON as text, empty where the schema has none."""

    anchor: str
    verb: str
    path: str
    description: str
    needs_token: bool
    fields: tuple[Field, ...]
    body: Kind | None
    example: str
    answers: tuple[Answer, ...]
    answer_example: str

    @property
    def takes(self) -> str:
        """What its parameters are called; no two on the page alike."""
        return f"What {self.verb} {self.path} takes"

    @property
    def can_be_opened(self) -> bool:
        """Whether a browser shows it by its address alone."""
        return self.verb == "GET" and not self.needs_token and "{" not in self.path

    @property
    def curl(self) -> tuple[str, ...]:
        """The words after `curl` and before the address."""
        verb = () if self.verb == "GET" else ("-X", self.verb)
        token = ("-H", "'Authorization: Token …'") if self.needs_token else ()
        return verb + token + (("--json", "@body.json") if self.body and self.body.shape else ())


@dataclass(frozen=True)
class Shape:
    """A named object with its fields, or a choice of words."""

    name: str
    description: str
    fields: tuple[Field, ...]
    choices: tuple[str, ...]


def read_operations(schema: Node) -> dict[str, list[Operation]]:
    """Every route by its group, both in the order of the schema."""
    groups: dict[str, list[Operation]] = {}
    for path, item in schema["paths"].items():
        for verb in VERBS:
            if verb in item:
                operation = item[verb]
                groups.setdefault(operation["tags"][0], []).append(_read_operation(path, verb, operation))
    return groups


def read_shapes(schema: Node) -> list[Shape]:
    """Every named shape, by name. A choice's description is a list of its words once more, and left out."""
    return [
        Shape(
            name,
            "" if "enum" in shape else shape.get("description", ""),
            tuple(_fields(shape)),
            tuple(map(str, shape.get("enum", ()))),
        )
        for name, shape in sorted(schema["components"]["schemas"].items())
    ]


def _read_operation(path: str, verb: str, operation: Node) -> Operation:
    body = operation.get("requestBody", {}).get("content", {})
    answers = operation["responses"]
    good = [answers[status] for status in sorted(answers) if status.startswith("2")]
    return Operation(
        anchor=operation["operationId"],
        verb=verb.upper(),
        path=path,
        description=operation.get("description", ""),
        needs_token={} not in operation.get("security", [{}]),
        fields=tuple(_parameters(operation.get("parameters", ()))),
        body=_body(body),
        example=_example([body]),
        answers=tuple(_answer(status, answers[status]) for status in sorted(answers)),
        answer_example=_example(answer.get("content", {}) for answer in good),
    )


def _parameters(parameters: Iterable[Node]) -> Iterator[Field]:
    for parameter in sorted(parameters, key=lambda each: (each["in"] != "path", each["in"], each["name"])):
        yield _field(
            parameter["name"],
            {**parameter["schema"], "description": parameter.get("description", "")},
            parameter.get("required", False),
            parameter["in"],
        )


def _fields(shape: Node) -> Iterator[Field]:
    required = shape.get("required", ())
    for name, schema in shape.get("properties", {}).items():
        yield _field(name, schema, name in required)


def _field(name: str, schema: Node, required: bool, place: str = "") -> Field:
    choices = schema.get("enum") or schema.get("items", {}).get("enum") or ()
    said = tuple(str(choice) for choice in choices if choice not in ("", None))
    return Field(name, kind_of(schema), schema.get("description", ""), required, place, said)


def kind_of(schema: Node) -> Kind:
    """The type in words: "list of number or null", say, and the shape it ends in."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return Kind(name, name)
    for several in ("oneOf", "anyOf", "allOf"):
        if several in schema:
            return _joined([kind_of(part) for part in schema[several]])
    types = schema.get("type", "any")
    return _joined([_typed(each, schema) for each in ([types] if isinstance(types, str) else types)])


def _typed(name: str, schema: Node) -> Kind:
    if name == "array":
        inner = kind_of(schema.get("items", {}))
        return Kind(f"list of {inner.words}", inner.shape)
    if name == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        inner = kind_of(schema["additionalProperties"])
        return Kind(f"object of {inner.words}", inner.shape)
    return Kind(schema.get("format", name) if name != "null" else name)


def _joined(kinds: list[Kind]) -> Kind:
    shapes = [kind.shape for kind in kinds if kind.shape]
    return Kind(" or ".join(dict.fromkeys(kind.words for kind in kinds)), shapes[0] if shapes else "")


def _body(content: Node) -> Kind | None:
    """JSON where it takes that; else the kind of file."""
    if JSON in content:
        return kind_of(content[JSON].get("schema", {}))
    return Kind(", ".join(content)) if content else None


def _answer(status: str, answer: Node) -> Answer:
    content = answer.get("content", {})
    kind = kind_of(content[JSON].get("schema", {})) if JSON in content else None
    return Answer(status, answer.get("description", ""), kind, tuple(content))


def _example(contents: Iterable[Node]) -> str:
    """The first example of a JSON body, indented."""
    for content in contents:
        for example in content.get(JSON, {}).get("examples", {}).values():
            return json.dumps(example["value"], indent=2, ensure_ascii=False)
    return ""
