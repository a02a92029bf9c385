"""The form above a board: what can be chosen there, and what is chosen. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from leaderboard.columns import ALWAYS, COLUMNS
from leaderboard.facets import Facets
from leaderboard.filters import BOUNDED, MASKS, View

MOST_OPTIONS = 100


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

    @property
    def is_long(self) -> bool:
        """More than anybody would look through: a field to type in serves better."""
        return len(self.options) > MOST_OPTIONS

    @property
    def chosen(self) -> list[str]:
        """What is chosen, as it would be typed; nothing where any will do."""
        return [option.text for option in self.options if option.chosen and option.value]


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
    view: View, words: Iterable[tuple[str, str]], facets: Facets, usable: Sequence[str]
) -> BoardForm:
    """The form for a board with these facets. `usable`: the columns that have something to show on it."""
    said: dict[str, list[str]] = {}
    for name, value in words:
        said.setdefault(name, []).append(value)
    return BoardForm(
        said={name: values[0] for name, values in said.items()},
        choices=[choice for choice in _choices(view, said, facets) if len(choice.options) > 1],
        ranges=[_range(name, said) for name in BOUNDED],
        columns=[
            Option(name, COLUMNS[name].title, name in view.columns) for name in usable if name not in ALWAYS
        ],
        kept_columns=[name for name in view.columns if name not in usable],
    )


def _choices(view: View, said: Mapping[str, Sequence[str]], facets: Facets) -> list[Choice]:
    return [
        _choice("llm", "LLM", facets.llms, said),
        _choice("organisation", "Organisation", facets.organisations, said),
        _choice("gpu", "GPU model", facets.gpus, said),
        _choice("graded_here", "Graded", {"1": "here", "0": "elsewhere, imported"}, said),
        _choice("open_code", "Code", {"1": "open", "0": "not open"}, said),
        _choice("category", "Category of competition", facets.categories, said),
        Choice(
            "mask", "Competitions counted", [Option(*pair, pair[0] == view.mask) for pair in MASKS.items()]
        )
        if facets.has_masks
        else Choice("mask", "Competitions counted", []),
    ]


def _choice(name: str, label: str, texts: Mapping[str, str], said: Mapping[str, Sequence[str]]) -> Choice:
    """Any, or one of the texts by their words; what is asked for but not there stays a choice."""
    chosen = list(said.get(name, ()))
    known = {word.casefold() for word in chosen}
    options = [
        Option(value, text, bool(known) and (value.casefold() in known or text.casefold() in known))
        for value, text in texts.items()
    ]
    there = {part.casefold() for pair in texts.items() for part in pair} if chosen else set()
    missing = [Option(word, word, True) for word in chosen if word.casefold() not in there]
    return Choice(name, label, [Option("", "any", not chosen), *options, *missing])


def _range(name: str, said: Mapping[str, Sequence[str]]) -> Range:
    _, what, unit = BOUNDED[name]
    label = f"{what[0].upper() if what not in ('vCPUs',) else what[0]}{what[1:]}{f', {unit}' if unit else ''}"
    least, most = (said.get(f"{name}_{end}", [""])[0] for end in ("min", "max"))
    return Range(name, label, least, most)
