"""docs/run-card.md, written from the schema by `python -m submissions.run_card.reference`."""

import json
from collections.abc import Iterator

from .schema import SCHEMA, Schema, kind_of, properties

_INTRODUCTION = """\
# Run card

Written from `submissions/run_card/schema.json`; change it there, then run
`python -m submissions.run_card.reference > docs/run-card.md`.

The run card is `run_card.yaml` (or `.json`) at the top of a bundle, or a form on the site; both ask the same.
[run_card.example.yaml](run_card.example.yaml) is a complete one; the schema is served at
`/schemas/run-card/1.json`.

- **Malformed** is rejected, with every fault by path and line: a field that is not listed here, a value of
  the wrong kind, a key given twice, anchors, type tags, more than 256 KB.
- **Undisclosed** is accepted, and named as the reason where it keeps an entry off a track: a field left
  out, null, or a placeholder such as `n/a`, `none`, `tbd`, `latest`, `unknown` or `-`. 0 and false are
  answers, and so is `none` where it is one of the choices.
- **YAML reads some words in more than one way.** Quote versions and numbers that are text (`"1.10"`,
  `"0123"`), write `true` or `false` for yes and no, and plain digits for numbers. Dates need no quotes.

"For Clean" marks questions that the Clean track needs answered, "for No Private LB" those that track needs.
"""
_KINDS = {
    "section": "fields",
    "rows": "list of rows",
    "list": "list of texts",
    "map": "text to text",
    "choice": "one of",
    "bool": "true or false",
    "number": "number",
    "date": "date, year-month-day",
    "long": "text, up to 4,000 characters",
    "text": "text",
}
_TRACKS = {"clean": "Clean", "no-private-lb": "No Private LB"}


def run_card_reference() -> str:
    """The page as Markdown: a heading per section, a paragraph per field in the order of the form."""
    parts = [line for name, schema in properties(SCHEMA).items() for line in _section(name, schema)]
    return "\n".join([_INTRODUCTION, *parts])


def _section(name: str, schema: Schema) -> Iterator[str]:
    yield from (f"## {schema['title']}", "")
    yield from _entry(name, schema)


def _entry(name: str, schema: Schema) -> Iterator[str]:
    """The field, then those inside it; rows are written `llms[]`."""
    yield from (f"**`{name}`** ({_facts(schema)}). {schema['description']}{_example(schema)}", "")
    yield from (f"- `{word}`: {label}" for word, label in schema.get("x-choices", {}).items())
    yield from [""] if "x-choices" in schema else []
    kind = kind_of(schema)
    inner = properties(schema["items"] if kind == "rows" else schema)
    for key, field in inner.items():
        yield from _entry(f"{name}{'[]' if kind == 'rows' else ''}.{key}", field)


def _facts(schema: Schema) -> str:
    needed = [f"for {_TRACKS[slug]}" for slug in schema.get("x-required-for", ())]
    when = [f"if `{name}` is {_words(values)}" for name, values in schema.get("x-when", {}).items()]
    unless = [f"unless `{name}` is {_words(values)}" for name, values in schema.get("x-unless", {}).items()]
    return ", ".join([_KINDS[kind_of(schema)], *needed, *when, *unless])


def _words(values: list[object] | str) -> str:
    return "given" if values == "*" else " or ".join(json.dumps(value) for value in values)


def _example(schema: Schema) -> str:
    examples = schema.get("examples", [])
    return f" For example: {', '.join(f'`{json.dumps(value)}`' for value in examples)}." if examples else ""


if __name__ == "__main__":
    print(run_card_reference(), end="")
