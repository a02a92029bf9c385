"""The form above a board: what can be chosen there, and what is chosen. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leaderboard.columns import ALWAYS, COLUMNS
from leaderboard.filters import BOUNDED, MASKS, View

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Option:
    value: str
    text: str
    chosen: bool = False


@dataclass(frozen=True)
class Choice:
    """One of a few. `several`: more than one is chosen now, so that the form must be able to say so."""

    name: str
    label: str
    options: Sequence[Option]

    @property
    def several(self) -> bool:
        return sum(option.chosen for option in self.options) > 1


@dataclass(frozen=True)
class Range:
    """From and to of a number; texts as they were given."""

    name: str
    label: str
    least: str
    most: str


@dataclass(frozen=True)
class BoardForm:
    """`said`: what plain fields hold now, by name."""

    said: Mapping[str, str]
    choices: Sequence[Choice]
    ranges: Sequence[Range]
    columns: Sequence[Option]
    kept_columns: Sequence[str]


def make_form(
    view: View, words: Iterable[tuple[str, str]], rows: Sequence[Row], usable: Sequence[str]
) -> BoardForm:
    """The form for a board of those rows. `usable`: the columns that have something to show on it."""
    said: dict[str, list[str]] = {}
    for name, value in words:
        said.setdefault(name, []).append(value)
    return BoardForm(
        said={name: values[0] for name, values in said.items()},
        choices=[choice for choice in _choices(view, said, rows) if len(choice.options) > 1],
        ranges=[_range(name, said) for name in BOUNDED],
        columns=[
            Option(name, COLUMNS[name].title, name in view.columns) for name in usable if name not in ALWAYS
        ],
        kept_columns=[name for name in view.columns if name not in usable],
    )


def _choices(view: View, said: Mapping[str, Sequence[str]], rows: Sequence[Row]) -> list[Choice]:
    organisations = {row["organisation_slug"]: row["organisation"] for row in rows}
    gpus = {row["gpu_model"]: row["gpu_model"] for row in rows if row["gpu_model"]}
    categories = {name: name for row in rows for name in row["categories"] or ()}
    has_masks = any(row["masks"] for row in rows)
    return [
        _choice("llm", "LLM", _llms(rows), said),
        _choice("organisation", "Organisation", organisations, said),
        _choice("gpu", "GPU model", gpus, said),
        _choice("graded_here", "Graded", {"1": "here", "0": "elsewhere, imported"}, said),
        _choice("open_code", "Code", {"1": "open", "0": "not open"}, said),
        _choice("category", "Category of competition", categories, said),
        Choice(
            "mask", "Competitions counted", [Option(*pair, pair[0] == view.mask) for pair in MASKS.items()]
        )
        if has_masks
        else Choice("mask", "Competitions counted", []),
    ]


def _llms(rows: Sequence[Row]) -> dict[str, str]:
    names = {llm: llm for row in rows for llm in row["llms"]}
    if any(row["no_llm"] for row in rows):
        names["none"] = "none"
    if any(not row["llms"] and not row["no_llm"] for row in rows):
        names["undisclosed"] = "undisclosed"
    return names


def _choice(name: str, label: str, texts: Mapping[str, str], said: Mapping[str, Sequence[str]]) -> Choice:
    """Any, or one of the texts by their words; what is asked for but not there stays a choice."""
    chosen = list(said.get(name, ()))
    known = {word.casefold() for word in chosen}
    options = [
        Option(value, text, value.casefold() in known or text.casefold() in known)
        for value, text in sorted(texts.items(), key=lambda pair: pair[1].casefold())
    ]
    there = {part.casefold() for option in options for part in (option.value, option.text)}
    missing = [Option(word, word, True) for word in chosen if word.casefold() not in there]
    return Choice(name, label, [Option("", "any", not chosen), *options, *missing])


def _range(name: str, said: Mapping[str, Sequence[str]]) -> Range:
    _, what, unit = BOUNDED[name]
    label = f"{what[0].upper() if what not in ('vCPUs',) else what[0]}{what[1:]}{f', {unit}' if unit else ''}"
    least, most = (said.get(f"{name}_{end}", [""])[0] for end in ("min", "max"))
    return Range(name, label, least, most)
