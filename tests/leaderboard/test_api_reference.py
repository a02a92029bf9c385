"""The API reference shows what the OpenAPI schema says: every route, parameter, answer and shape."""

import re
from typing import Any

import pytest
from django.test import Client

from leaderboard.api.docs import reference
from leaderboard.api.reference import Kind, kind_of, read_operations, read_shapes

REF = {"$ref": "#/components/schemas/Row"}


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "integer"}, Kind("integer")),
        ({"type": "string", "format": "date-time"}, Kind("date-time")),
        ({"type": ["number", "null"], "format": "double"}, Kind("double or null")),
        (REF, Kind("Row", "Row")),
        ({"type": "array", "items": REF}, Kind("list of Row", "Row")),
        ({"oneOf": [REF, {"type": "null"}]}, Kind("Row or null", "Row")),
        ({"oneOf": [REF, {"type": "null"}, REF]}, Kind("Row or null", "Row")),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, Kind("object of integer")),
        ({"type": "object", "additionalProperties": {}}, Kind("object of any")),
        ({"type": "object"}, Kind("object")),
        ({}, Kind("any")),
    ],
)
def test_kinds_in_words(schema: dict[str, Any], kind: Kind) -> None:
    assert kind_of(schema) == kind


ROUTE = {
    "operationId": "things_create",
    "tags": ["things"],
    "description": "Makes a thing.",
    "security": [{"knoxApiToken": []}],
    "parameters": [
        {"in": "query", "name": "b", "schema": {"type": "string", "enum": ["x", "y"]}},
        {"in": "path", "name": "number", "schema": {"type": "integer"}, "required": True},
    ],
    "requestBody": {
        "content": {"application/json": {"schema": REF, "examples": {"One": {"value": {"name": "é"}}}}}
    },
    "responses": {
        "404": {"description": "None of that number."},
        "201": {"description": "", "content": {"application/json": {"schema": REF}, "text/csv": {}}},
    },
}
SCHEMA = {
    "paths": {"/things/{number}": {"post": ROUTE, "get": {**ROUTE, "security": [{"knoxApiToken": []}, {}]}}},
    "components": {
        "schemas": {
            "Row": {"properties": {"name": {"type": "string"}}, "required": ["name"]},
            "Word": {"enum": ["x", "y"], "description": "* `x` - x"},
        }
    },
}


def test_a_route_is_read_whole() -> None:
    (get, post) = read_operations(SCHEMA)["things"]
    assert (post.verb, post.path, post.anchor) == ("POST", "/things/{number}", "things_create")
    assert (get.needs_token, post.needs_token) == (False, True)
    assert [(field.name, field.place, field.choices) for field in post.fields] == [
        ("number", "path", ()),
        ("b", "query", ("x", "y")),
    ]
    assert post.body == Kind("Row", "Row")
    assert post.example == '{\n  "name": "é"\n}'
    assert [(answer.status, answer.media) for answer in post.answers] == [
        ("201", ("application/json", "text/csv")),
        ("404", ()),
    ]
    assert post.curl == ("-X", "POST", "-H", "'Authorization: Token …'", "--json", "@body.json")
    assert not get.can_be_opened  # It needs a number first.


def test_shapes_say_which_fields_are_always_there() -> None:
    row, word = read_shapes(SCHEMA)
    assert [(field.name, field.required) for field in row.fields] == [("name", True)]
    assert (word.fields, word.choices, word.description) == ((), ("x", "y"), "")


def test_the_page_has_every_route_and_every_link_has_its_end(client: Client, db: None) -> None:
    html = client.get("/api/v1/docs/").content.decode()
    groups, shapes = reference()
    operations = [operation for group in groups.values() for operation in group]
    schema = client.get("/api/v1/schema?format=json").json()
    assert len(operations) == sum(len(item) for item in schema["paths"].values())
    anchors = re.findall(r'\bid="([^"]+)"', html)
    assert len(anchors) == len(set(anchors))
    assert {operation.anchor for operation in operations} <= set(anchors)
    assert {f"shape-{shape.name}" for shape in shapes} <= set(anchors)
    assert set(re.findall(r'href="#([^"]+)"', html)) <= set(anchors)


def test_what_can_be_opened_opens(client: Client, db: None) -> None:
    for operations in reference()[0].values():
        for operation in operations:
            if operation.can_be_opened:
                assert client.get(operation.path).status_code == 200, operation.path
