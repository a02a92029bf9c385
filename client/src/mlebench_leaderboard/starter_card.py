"""A run card to fill in: every question with its help as a comment, and the seeds as the folders show them."""

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .rules import SCHEMA, kind_of, properties

INTRODUCTION = """\
# The run card of this bundle. Fill in what you can; what is left empty counts as undisclosed, which is accepted and
# keeps an entry off the tracks that need the answer (named in brackets). It can also be filled in on the site.
"""
TRACKS = {"clean": "Clean", "no-private-lb": "No Private LB"}
SKIPPED = frozenset({"digest"})
WIDTH = 110


def starter_card(seeds: Sequence[str], run_groups: Sequence[str]) -> str:
    """YAML for `run_card.yaml`. Run groups, in the order of their names, become the seeds 0, 1, 2 and so on."""
    mapping = {group: str(number) for number, group in enumerate(run_groups)}
    labels = sorted({mapping.get(seed, seed) for seed in seeds}, key=_natural)
    known = {"seeds.labels": labels, "seeds.run_groups": mapping or None}
    lines = [line for name, field in properties(SCHEMA).items() for line in _field(name, field, "", known)]
    return INTRODUCTION + "\n".join(lines) + "\n"


def _natural(label: str) -> tuple[int, str]:
    return (int(label), "") if label.isdecimal() else (-1, label)


def _field(name: str, field: Mapping[str, Any], above: str, known: Mapping[str, Any]) -> Iterator[str]:
    path = f"{above}{name}"
    if path.rpartition(".")[2] in SKIPPED:
        return
    indent = "  " * path.count(".")
    if not above:
        yield ""
    yield from _comment(field, indent)
    kind = kind_of(field)
    if kind == "section":
        yield f"{indent}{name}:"
        for inner, schema in properties(field).items():
            yield from _field(inner, schema, f"{path}.", known)
    elif kind == "rows":
        yield f"{indent}{name}: []"
        yield from (f"{indent}#  {line}" for line in _row(field))
    else:
        value = known.get(path)
        yield f"{indent}{name}:" + (f" {json.dumps(value, ensure_ascii=False)}" if value else "")


def _comment(field: Mapping[str, Any], indent: str) -> Iterator[str]:
    needed = [TRACKS[track] for track in field.get("x-required-for", ()) if track in TRACKS]
    text = field.get("description", field.get("title", "")) + (f" [{', '.join(needed)}]" if needed else "")
    yield from (f"{indent}# {line}" for line in textwrap.wrap(text, WIDTH - len(indent)))
    for word, label in field.get("x-choices", {}).items():
        yield f"{indent}#   {word}: {label}"


def _row(field: Mapping[str, Any]) -> Iterator[str]:
    """What one row would look like."""
    for index, (name, schema) in enumerate(properties(field["items"]).items()):
        example = next(iter(schema.get("examples", [])), "")
        yield f"{'- ' if index == 0 else '  '}{name}: {json.dumps(example, ensure_ascii=False)}"
