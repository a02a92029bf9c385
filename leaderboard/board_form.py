"""The form above a board: what can be chosen there, and what is chosen. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from leaderboard.columns import ALWAYS, COLUMNS
from leaderboard.facets import Facets
from leaderboard.filters import BOUNDED, View
from leaderboard.statistics.masks import CLOSED, say_mask

MOST_OPTIONS = 100
NO_MASKS = "No competitions can be left out here: no single runs of these entries are known."
NO_DATES = "Competitions cannot be narrowed by closing date: no closing dates that differ are known here."


@dataclass(frozen=True)
class Option:
    value: str
    text: str
    chosen: bool = False


@dataclass(frozen=True)
class Choice:
    """One of a few. `several`: more than one is chosen now, so that the form must be able to say so.

    `is_long`: there are more than anybody would look through: a field to type in serves better, and of the options
    only those chosen are here.
    """

    name: str
    label: str
    options: tuple[Option, ...]
    is_long: bool = False

    @property
    def several(self) -> bool:
        return sum(option.chosen for option in self.options) > 1

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
    """`said`: what plain fields hold now, by name; `mask_note`: why a kind of mask is not offered."""

    said: Mapping[str, str]
    choices: Sequence[Choice]
    ranges: Sequence[Range]
    columns: Sequence[Option]
    kept_columns: Sequence[str]
    mask_note: str = ""


def make_form(
    view: View, words: Iterable[tuple[str, str]], facets: Facets, usable: Sequence[str]
) -> BoardForm:
    """The form for a board with these facets. `usable`: the columns that have something to show on it."""
    said: dict[str, list[str]] = {}
    for name, value in words:
        said.setdefault(name, []).append(value)
    return BoardForm(
        said={name: values[0] for name, values in said.items()},
        choices=[
            choice for choice in _choices(view, said, facets) if choice.is_long or len(choice.options) > 1
        ],
        ranges=[_range(name, said) for name in BOUNDED],
        columns=[
            Option(name, COLUMNS[name].title, name in view.columns) for name in usable if name not in ALWAYS
        ],
        kept_columns=[name for name in view.columns if name not in usable],
        mask_note=_mask_note(facets),
    )


def _mask_options(chosen: str, masks: Mapping[str, str]) -> list[Option]:
    """One that hides nothing here stays a choice while it is asked for."""
    offered = {**masks, chosen: masks.get(chosen) or say_mask(chosen)} if masks else {}
    return [Option(name, words, name == chosen) for name, words in offered.items()]


def _mask_note(facets: Facets) -> str:
    if not facets.masks:
        return NO_MASKS
    return "" if any(name.startswith(CLOSED) for name in facets.masks) else NO_DATES


def _choices(view: View, said: Mapping[str, Sequence[str]], facets: Facets) -> list[Choice]:
    return [
        _choice("llm", "LLM", facets.llms, said),
        _choice("organisation", "Organisation", facets.organisations, said),
        _choice("gpu", "GPU model", facets.gpus, said),
        _choice("graded_here", "Graded", {"1": "here", "0": "elsewhere, imported"}, said),
        _choice("open_code", "Code", {"1": "open", "0": "not open"}, said),
        _choice("category", "Category of competition", facets.categories, said),
        Choice(
            "mask",
            "Competitions counted",
            tuple(_mask_options(view.mask, facets.masks)),
        ),
    ]


def _choice(name: str, label: str, texts: Mapping[str, str], said: Mapping[str, Sequence[str]]) -> Choice:
    """Any, or one of the texts by their words; what is asked for but not there stays a choice."""
    chosen = list(said.get(name, ()))
    known = {word.casefold() for word in chosen}
    is_long = len(texts) > MOST_OPTIONS
    options = [
        Option(value, text, is_chosen)
        for value, text in (texts.items() if known or not is_long else ())
        if (is_chosen := bool(known) and (value.casefold() in known or text.casefold() in known))
        or not is_long
    ]
    there = {part.casefold() for pair in texts.items() for part in pair} if chosen else set()
    missing = [Option(word, word, True) for word in chosen if word.casefold() not in there]
    return Choice(name, label, (Option("", "any", not chosen), *options, *missing), is_long)


def _range(name: str, said: Mapping[str, Sequence[str]]) -> Range:
    _, what, unit = BOUNDED[name]
    label = f"{what[0].upper() if what not in ('vCPUs',) else what[0]}{what[1:]}{f', {unit}' if unit else ''}"
    least, most = (said.get(f"{name}_{end}", [""])[0] for end in ("min", "max"))
    return Range(name, label, least, most)
