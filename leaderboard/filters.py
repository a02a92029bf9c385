"""What a reader asks of a board, from the words of an address to the rows that answer. Pure.

Page, CSV, Parquet and API read the same words, so a view has one address up to its beginning.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import Any, overload

from leaderboard.columns import ALWAYS, COLUMNS, RANK, USUAL, sort_rows
from leaderboard.mask_view import MaskRanks, figures_under, place_under
from leaderboard.statistics.masks import Mask, may_be_mask

Row = dict[str, Any]
Query = Mapping[str, Sequence[str]]
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
    """One thing asked of a row. `text` says it in words, for a chip and for what to relax."""

    name: str
    text: str
    keeps: Callable[[Row], bool]


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

    def keeps(row: Row) -> bool:
        text = _searched(row)
        return all(word in text for word in words)

    return Condition(name, f"text “{values[0]}”", keeps)


def _searched(row: Row) -> str:
    return _folded(
        row["agent"], row["version"], row["organisation"], *row["llms"], row["gpu_model"], row["slug"]
    )


@lru_cache(maxsize=2**15)
def _folded(*parts: str | None) -> str:
    """Kept, since whoever types a search asks for the same rows with every letter."""
    return "\n".join(part for part in parts if part).casefold()


def _llm(name: str, values: Sequence[str]) -> Condition:
    wanted = {value.casefold() for value in values}
    return Condition(name, f"LLM {' or '.join(values)}", lambda row: bool(wanted & _llms_of(row)))


def _llms_of(row: Row) -> set[str]:
    """As declared; "none" where the team says so, "undisclosed" where it says nothing."""
    if row["llms"]:
        return {llm.casefold() for llm in row["llms"]}
    return {"none"} if row["no_llm"] else {"undisclosed"}


def _organisation(name: str, values: Sequence[str]) -> Condition:
    wanted = {value.casefold() for value in values}

    def keeps(row: Row) -> bool:
        return bool(wanted & {row["organisation"].casefold(), row["organisation_slug"]})

    return Condition(name, f"organisation {' or '.join(values)}", keeps)


def _gpu(name: str, values: Sequence[str]) -> Condition:
    wanted = values[0].casefold()
    return Condition(name, f"GPU {values[0]}", lambda row: wanted in (row["gpu_model"] or "").casefold())


def _bound(column: str, what: str, unit: str, is_least: bool) -> Callable[[str, Sequence[str]], Condition]:
    """A reader of a least or largest number. Rows that do not disclose theirs do not answer it."""

    def read(name: str, values: Sequence[str]) -> Condition:
        limit = _number(values[0])

        def keeps(row: Row) -> bool:
            number = row[column]
            return number is not None and (number >= limit if is_least else number <= limit)

        words = f"{what} {'at least' if is_least else 'at most'} {limit:g} {unit}".strip()
        return Condition(name, words, keeps)

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
            return Condition(name, texts[0], lambda row: row[column] == yes)
        return Condition(name, texts[1], lambda row: row[column] == no)

    return read


def _day(is_first: bool) -> Callable[[str, Sequence[str]], Condition]:
    def read(name: str, values: Sequence[str]) -> Condition:
        day = _date(values[0])
        if is_first:
            return Condition(name, f"from {day}", lambda row: row["run_on"] >= day)
        return Condition(name, f"until {day}", lambda row: row["run_on"] <= day)

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

    def __init__(self, rows: Sequence[Row], view: View, ranks: MaskRanks = NO_RANKS) -> None:
        self._rows, self._view, self._ranks = rows, view, ranks

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | list[Row]:
        places = range(len(self._rows))[at]
        return self._row(places) if isinstance(places, int) else [self._row(place) for place in places]

    def _row(self, at: int) -> Row:
        row, view = self._rows[at], self._view
        if view.has_part:
            row = _refigured(row, view, self._ranks)
        # They hold for the board they were computed for.
        gone: Row = {"statistics": None} if view.is_narrowed else {}
        return {**row, **gone, "view_position": at + 1}


def sorts_alike(view: View) -> bool:
    """Whether the order asked for is another than the board's, and the same whatever else is asked."""
    return not view.has_part and (view.sort, view.falling) != (NO_SORT, False)


def apply_view(
    view: View, rows: Sequence[Row], ranks: MaskRanks = NO_RANKS, is_sorted: bool = False
) -> Answers:
    """The rows that answer, in the order asked for, numbered by `view_position`.

    `rank` and `position` stay those of the whole board; under a mask the figures and the rank are the mask's.
    `ranks`: under a mask whose ranks the rows do not have. `is_sorted`: whether the rows are in that order already.
    """
    # No condition looks at a figure that a mask changes.
    kept = list(rows)
    for condition in view.conditions:
        kept = list(filter(condition.keeps, kept))
    if view.has_part and view.sort == NO_SORT:
        kept = sort_rows(kept, "any_medal", True, lambda row: _mean_of_part(row, view))
    if is_sorted or (view.sort, view.falling) == (NO_SORT, False):
        return Answers(kept, view, ranks)
    if view.has_part:
        ordered = sort_rows(kept, view.sort, view.falling, lambda row: _refigured(row, view, ranks))
        return Answers(ordered, view, ranks)
    return Answers(sort_rows(kept, view.sort, view.falling), view)


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


def to_relax(view: View, rows: Sequence[Row]) -> list[tuple[Condition, int]]:
    """Each condition with the number of rows that would answer without it, the most helpful first."""
    found = [
        (condition, sum(_answers(row, view.conditions, without=condition) for row in rows))
        for condition in view.conditions
    ]
    return sorted(found, key=lambda pair: -pair[1])


def _answers(row: Row, conditions: Iterable[Condition], without: Condition) -> bool:
    return all(condition.keeps(row) for condition in conditions if condition is not without)
