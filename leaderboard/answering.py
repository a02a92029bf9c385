"""The rows of a board that answer a view, in its order and with its figures. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, overload

from leaderboard.columns import order_rows
from leaderboard.filters import NO_MASK, NO_SORT, Condition, Look, Row, View
from leaderboard.mask_view import MaskRanks, figures_under, place_under

NO_RANKS = MaskRanks()
# What a figure of a part of the competitions is called that is not there, though the whole has one.
NOT_KNOWN, NOTHING_COUNTED = "not known here", "nothing counted"


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
    figures = figures_of_part(row, view)
    return {"result": {"any_medal_mean": figures["mean"]} if figures and row["result"] else None}


def figures_of_part(row: Row, view: View) -> Mapping[str, Any] | None:
    """Mean, SEM and number of competitions; None where the runs are not known or nothing is left."""
    if view.mask != NO_MASK:
        return figures_under(row, view.mask)
    return (row["categories"] or {}).get(view.category)


def _refigured(row: Row, view: View, ranks: MaskRanks) -> Row:
    """The row with the figures of a part of the competitions; without figures where they are not known."""
    figures = figures_of_part(row, view)
    if row["result"] is None:
        return {**row, "rank": None}
    if figures is None:
        # It was attempted; only of imported rows nobody here knows the single runs.
        absent = NOTHING_COUNTED if row["masks"] else NOT_KNOWN
        return {**row, "rank": None, "result": None, "absent": absent}
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
