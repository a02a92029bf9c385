"""What a reader asks of a board, from the words of an address to the rows that answer. Pure.

Page, CSV, Parquet and API read the same words, so a view has one address up to its beginning.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache, partial
from operator import itemgetter
from typing import Any, overload

from leaderboard.columns import ALWAYS, COLUMNS, RANK, USUAL, order_rows
from leaderboard.mask_view import MaskRanks, figures_under, place_under
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


NO_RANKS = MaskRanks()


class Answers(Sequence[Row]):
    """The rows that answer, each made as it is looked at: of thousands a page shows a hundred."""

    def __init__(
        self, rows: Sequence[Row], order: Sequence[int], view: View, ranks: MaskRanks = NO_RANKS
    ) -> None:
        """`order`: the places of those that answer among the rows."""
        self._rows, self._order, self._view, self._ranks = rows, order, view, ranks

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | list[Row]:
        places = range(len(self._order))[at]
        return self._row(places) if isinstance(places, int) else [self._row(place) for place in places]

    def _row(self, at: int) -> Row:
        row, view = self._rows[self._order[at]], self._view
        if view.has_part:
            row = _refigured(row, view, self._ranks)
        # They hold for the board they were computed for.
        gone: Row = {"statistics": None} if view.is_narrowed else {}
        return {**row, **gone, "view_position": at + 1}


def find_order(view: View, rows: Sequence[Row], ranks: MaskRanks = NO_RANKS) -> Sequence[int]:
    """The places of all rows in the order asked for, the same whatever the conditions are."""
    if (view.sort, view.falling) != (NO_SORT, False):
        look = partial(_refigured, view=view, ranks=ranks) if view.has_part else _as_it_is
        return order_rows(rows, view.sort, view.falling, look)
    if view.has_part:
        return order_rows(rows, "any_medal", True, partial(_mean_of_part, view=view))
    return range(len(rows))


def _as_it_is(row: Row) -> Row:
    return row


def apply_view(
    view: View,
    rows: Sequence[Row],
    ranks: MaskRanks = NO_RANKS,
    order: Sequence[int] | None = None,
    look: Look | None = None,
) -> Answers:
    """The rows that answer, in the order asked for, numbered by `view_position`.

    `rank` and `position` stay those of the whole board; under a mask the figures and the rank are the mask's.
    `ranks`: under a mask whose ranks the rows do not have. `order`, `look`: what is known of it already.
    """
    order = find_order(view, rows, ranks) if order is None else order
    if view.conditions:
        # No condition looks at a figure that a mask changes.
        answers = list(_all_of(_marks(view, rows, look)))
        order = [at for at in order if answers[at]]
    return Answers(rows, order, view, ranks)


def _marks(view: View, rows: Sequence[Row], look: Look | None) -> list[list[bool]]:
    """By condition whether each row answers it."""
    taken = look or (lambda take: map(take, rows))
    return [list(map(condition.accepts, taken(condition.take))) for condition in view.conditions]


def _all_of(marks: Sequence[Sequence[bool]]) -> Iterable[bool]:
    return map(all, zip(*marks, strict=True)) if len(marks) > 1 else marks[0]


def _mean_of_part(row: Row, view: View) -> Row:
    """As much of the row with the figures of the part as its order takes."""
    figures = _part(row, view)
    return {"result": {"any_medal_mean": figures["mean"]} if figures and row["result"] else None}


def _part(row: Row, view: View) -> Mapping[str, Any] | None:
    if view.mask != NO_MASK:
        return figures_under(row, view.mask)
    return (row["categories"] or {}).get(view.category)


def _refigured(row: Row, view: View, ranks: MaskRanks) -> Row:
    """The row with the figures of a part of the competitions; without figures where they are not known."""
    figures = _part(row, view)
    if figures is None or row["result"] is None:
        return {**row, "rank": None, "result": None}
    result = {
        **dict.fromkeys(row["result"]),
        "any_medal_mean": figures["mean"],
        "any_medal_sem": figures["sem"],
        "seeds": row["result"]["seeds"],
    }
    rank, shift = (row["rank"], None) if view.mask == NO_MASK else place_under(row, view.mask, ranks)
    return {**row, "rank": rank, "rank_shift": shift, "result": result}


def to_relax(view: View, rows: Sequence[Row], look: Look | None = None) -> list[tuple[Condition, int]]:
    """Each condition with the number of rows that would answer without it, the most helpful first."""
    marks = _marks(view, rows, look)
    others = [marks[:at] + marks[at + 1 :] for at in range(len(marks))]
    counts = [sum(_all_of(each)) if each else len(rows) for each in others]
    return sorted(zip(view.conditions, counts, strict=True), key=lambda pair: -pair[1])
