"""The schema itself: valid, explained field by field, and the page written from it current."""

from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from submissions.run_card import SCHEMA, choice_text, title_of
from submissions.run_card.reference import run_card_reference
from submissions.run_card.schema import kind_of, properties
from tests.submissions.run_cards import complete

PAGE = Path(__file__).parents[2] / "docs" / "run-card.md"


def fields(schema=SCHEMA, prefix=""):
    for name, field in properties(schema).items():
        yield prefix + name, field
        yield from fields(field["items"] if kind_of(field) == "rows" else field, f"{prefix}{name}.")


FIELDS = dict(fields())
LEAVES = {path: field for path, field in FIELDS.items() if kind_of(field) not in ("section", "rows")}


def test_the_schema_is_valid_and_has_its_address():
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"] == "/schemas/run-card/1.json"


def test_a_plain_validator_accepts_the_example():
    Draft202012Validator(SCHEMA).validate(complete())


@pytest.mark.parametrize("path", FIELDS)
def test_every_field_has_title_and_help(path):
    assert FIELDS[path]["title"]
    assert FIELDS[path]["description"].endswith(".")


@pytest.mark.parametrize("path", LEAVES)
def test_every_answer_has_an_example_that_is_valid(path):
    plain = {key: value for key, value in LEAVES[path].items() if key != "$ref"}
    assert plain["examples"]
    for example in plain["examples"]:
        Draft202012Validator(plain).validate(example)


@pytest.mark.parametrize("path", [path for path, field in LEAVES.items() if "pattern" in field])
def test_every_pattern_is_said_in_words(path):
    assert LEAVES[path]["x-pattern-words"]


@pytest.mark.parametrize("path", [path for path, field in LEAVES.items() if "enum" in field])
def test_every_choice_is_explained(path):
    assert list(LEAVES[path]["x-choices"]) == LEAVES[path]["enum"]


def test_the_page_is_current():
    assert PAGE.read_text("utf-8") == run_card_reference(), "run python -m submissions.run_card.reference"


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("cost.tokens_in", "Tokens in"),
        ("compute.default.vcpus", "vCPUs"),
        ("llms", "LLMs"),
        ("llms.0.id", "LLM 1: Exact id"),
        ("seeds.missing.3.seed", "Missing run 4: Seed"),
        ("nope.nothing", "nope.nothing"),
    ],
)
def test_questions_have_a_name_for_people(path: str, title: str) -> None:
    assert title_of(path) == title


def test_choices_have_words_for_people() -> None:
    assert choice_text("integrity.predictions_by", "trained_model") == "models the agent trained"
    assert choice_text("integrity.test_set_signal", "selection").startswith("results were chosen")
