"""What a reader asks of a board, by the words of an address. Pure. (answering.py: the rows that answer.)

Page, CSV, Parquet and API read the same words, so a view has one address up to its beginning.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from operator import itemgetter
from typing import Any

from leaderboard.columns import ALWAYS, COLUMNS, RANK, USUAL
from leaderboard.statistics.masks import Mask, may_be_mask

Row = dict[str, Any]
Query = Mapping[str, Sequence[str]]
Take = Callable[[Row], Any]
# What is taken out of each row, in their order.
Look = Callable[[Take], Iterable[Any]]
NO_MASK, NO_SORT = Mask.NONE.value, RANK
MASK_WORDS = (
    "There are none, known-leaks, known-issues, known-grading, known-thresholds, known-preparation, without- and the "
    "id of a competition with a known issue, and closed-from- and a year, such as closed-from-2019."
)
LONGEST, MOST_VALUES = 200, 20


@dataclass(frozen=True)
class Wrong:
    """A word of the query that makes no sense: which, and what would."""

    where: str
    message: str


class BadView(Exception):
    """Shown to whoever asked: every word of the query that makes no sense."""

    def __init__(self, problems: Sequence[Wrong]) -> None:
        self.problems = list(problems)
        super().__init__(" ".join(problem.message for problem in problems))


@dataclass(frozen=True)
class Condition:
    """One thing asked of what is taken out of a row. `text` says it in words, for a chip and for what to relax.

    `take` is the same for all conditions of a kind, so that what it takes out of the rows of a board can be kept.
    """

    name: str
    text: str
    take: Take
    accepts: Callable[[Any], bool]


@dataclass(frozen=True)
class View:
    """A board as asked for. `query`: the words that say so, those that change nothing left out."""

    conditions: tuple[Condition, ...] = ()
    mask: str = NO_MASK
    category: str = ""
    sort: str = NO_SORT
    falling: bool = False
    columns: tuple[str, ...] = USUAL
    query: tuple[tuple[str, str], ...] = field(default=())

    @property
    def is_narrowed(self) -> bool:
        """Whether rows or figures are other than on the whole board, so that intervals do not apply."""
        return bool(self.conditions) or self.has_part

    @property
    def has_part(self) -> bool:
        """Whether only a part of the competitions counts."""
        return self.mask != NO_MASK or bool(self.category)


def parse_view(query: Query) -> View:
    """The view that the words ask for; words of other things are passed over. Raises BadView with all that is wrong."""
    wrong: list[Wrong] = []
    said = {name: _values(query, name, wrong) for name in WORDS}
    conditions = []
    for name, values in said.items():
        if values and name in READERS:
            try:
                conditions.append(READERS[name](name, values))
            except ValueError as error:
                wrong.append(Wrong(name, f"{name}: {error}"))
    mask = _mask(said["mask"], wrong)
    sort = _one_of(
        {"sort": [word.removeprefix("-") for word in said["sort"]]}, "sort", COLUMNS, NO_SORT, wrong
    )
    columns = _columns(said["columns"], wrong)
    category = said["category"][0] if said["category"] else ""
    if category and mask != NO_MASK:
        wrong.append(
            Wrong("category", "category: it cannot be combined with a mask. Leave one of the two out.")
        )
    if wrong:
        raise BadView(wrong)
    falling = bool(said["sort"]) and said["sort"][0].startswith("-")
    view = View(tuple(conditions), mask, category, sort, falling, columns)
    return View(**{**view.__dict__, "query": _canonical(said, view)})


def _values(query: Query, name: str, wrong: list[Wrong]) -> list[str]:
    """What is said under a name, blanks left out."""
    values = [value.strip() for value in query.get(name, ()) if value.strip()]
    if len(values) > MOST_VALUES or any(len(value) > LONGEST for value in values):
        wrong.append(
            Wrong(name, f"{name}: at most {MOST_VALUES} values of at most {LONGEST} characters each.")
        )
        return []
    return values


def _one_of(
    said: Mapping[str, Sequence[str]], name: str, choices: Iterable[str], usual: str, wrong: list[Wrong]
) -> str:
    word = said[name][0] if said[name] else usual
    if word in choices:
        return word
    wrong.append(Wrong(name, f"{name}: {word!r} is none of {', '.join(choices)}."))
    return usual


def _mask(values: Sequence[str], wrong: list[Wrong]) -> str:
    """A mask that some board has; whether this one does shows when its rows are read."""
    word = values[0] if values else NO_MASK
    if may_be_mask(word):
        return word
    wrong.append(Wrong("mask", f"mask: {word!r} is no mask. {MASK_WORDS}"))
    return NO_MASK


def _columns(values: Sequence[str], wrong: list[Wrong]) -> tuple[str, ...]:
    """The chosen columns in the order of the board; a name once or many times, or several with commas."""
    chosen = {name.strip() for value in values for name in value.split(",")} - {""}
    unknown = sorted(chosen - set(COLUMNS))
    if unknown:
        wrong.append(Wrong("columns", f"columns: {unknown[0]!r} is none of {', '.join(COLUMNS)}."))
    if not chosen:
        return USUAL
    return tuple(name for name in COLUMNS if name in chosen or name in ALWAYS)


def _canonical(said: Mapping[str, Sequence[str]], view: View) -> tuple[tuple[str, str], ...]:
    """The words in one order, without those that change nothing."""
    words = [(name, value) for name, values in said.items() if name in READERS for value in values]
    if view.category:
        words.append(("category", view.category))
    if view.mask != NO_MASK:
        words.append(("mask", view.mask))
    if (view.sort, view.falling) != (NO_SORT, False):
        words.append(("sort", f"-{view.sort}" if view.falling else view.sort))
    if view.columns != USUAL:
        words.append(("columns", ",".join(view.columns)))
    return tuple(words)


def _q(name: str, values: Sequence[str]) -> Condition:
    words = values[0].casefold().split()

    def accepts(text: str) -> bool:
        return all(word in text for word in words)

    return Condition(name, f"text “{values[0]}”", _searched, accepts)


def _searched(row: Row) -> str:
    parts = (row["agent"], row["version"], row["organisation"], *row["llms"], row["gpu_model"], row["slug"])
    return "\n".join(part for part in parts if part).casefold()


def _any_of(values: Sequence[str]) -> Callable[[Iterable[str]], bool]:
    wanted = {value.casefold() for value in values}
    return lambda words: not wanted.isdisjoint(words)


def _llm(name: str, values: Sequence[str]) -> Condition:
    return Condition(name, f"LLM {' or '.join(values)}", _llms_of, _any_of(values))


def _llms_of(row: Row) -> Sequence[str]:
    """As declared; "none" where the team says so, "undisclosed" where it says nothing."""
    if row["llms"]:
        return [llm.casefold() for llm in row["llms"]]
    return ("none",) if row["no_llm"] else ("undisclosed",)


def _organisation(name: str, values: Sequence[str]) -> Condition:
    return Condition(name, f"organisation {' or '.join(values)}", _organisation_of, _any_of(values))


def _organisation_of(row: Row) -> Sequence[str]:
    return (row["organisation"].casefold(), row["organisation_slug"])


def _gpu(name: str, values: Sequence[str]) -> Condition:
    wanted = values[0].casefold()
    return Condition(name, f"GPU {values[0]}", _gpu_of, lambda model: wanted in model)


def _gpu_of(row: Row) -> str:
    return (row["gpu_model"] or "").casefold()


# Kept, so that there is one of each.
_field = lru_cache(itemgetter)


def _bound(column: str, what: str, unit: str, is_least: bool) -> Callable[[str, Sequence[str]], Condition]:
    """A reader of a least or largest number. Rows that do not disclose theirs do not answer it."""

    def read(name: str, values: Sequence[str]) -> Condition:
        limit = _number(values[0])

        def accepts(number: float | None) -> bool:
            return number is not None and (number >= limit if is_least else number <= limit)

        words = f"{what} {'at least' if is_least else 'at most'} {limit:g} {unit}".strip()
        return Condition(name, words, _field(column), accepts)

    return read


def _number(text: str) -> float:
    try:
        number = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        number = math.nan
    if not 0 <= number < 1e12:
        raise ValueError(f"{text!r} is not a number from 0 on.")
    return number


def _yes_or_no(
    column: str, yes: object, texts: tuple[str, str], no: object = None
) -> Callable[[str, Sequence[str]], Condition]:
    """A reader of 1 or 0. `no`: what 0 asks for, anything but `yes` if not given."""

    def read(name: str, values: Sequence[str]) -> Condition:
        if values[0] not in ("0", "1"):
            raise ValueError(f"{values[0]!r} is neither 1 (yes) nor 0 (no).")
        if values[0] == "1":
            return Condition(name, texts[0], _field(column), lambda value: value == yes)
        return Condition(name, texts[1], _field(column), lambda value: value == no)

    return read


def _day(is_first: bool) -> Callable[[str, Sequence[str]], Condition]:
    def read(name: str, values: Sequence[str]) -> Condition:
        day = _date(values[0])
        if is_first:
            return Condition(name, f"from {day}", _field("run_on"), lambda value: value >= day)
        return Condition(name, f"until {day}", _field("run_on"), lambda value: value <= day)

    return read


def _date(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ValueError(f"{text!r} is not a day such as 2026-03-01.") from None


BOUNDED = {
    "gpus": ("gpus", "GPUs", ""),
    "vcpus": ("vcpus", "vCPUs", ""),
    "ram_gb": ("ram_gb", "RAM", "GB"),
    "hours": ("hours", "time", "h"),
    "cost_usd": ("cost_usd", "cost", "USD"),
}
READERS: Mapping[str, Callable[[str, Sequence[str]], Condition]] = {
    "q": _q,
    "llm": _llm,
    "organisation": _organisation,
    "gpu": _gpu,
    **{
        f"{name}_{end}": _bound(*of, is_least=end == "min")
        for name, of in BOUNDED.items()
        for end in ("min", "max")
    },
    "open_code": _yes_or_no("source_available", True, ("open code", "code not open"), no=False),
    "graded_here": _yes_or_no("source", "graded", ("graded here", "graded elsewhere"), no="imported"),
    "date_from": _day(is_first=True),
    "date_to": _day(is_first=False),
}
WORDS = (*READERS, "category", "mask", "sort", "columns")
