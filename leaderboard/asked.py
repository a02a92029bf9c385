"""A board as somebody asked for it: which one, as of when, narrowed and ordered how. Page and API both ask here."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from urllib.parse import urlencode

from leaderboard.answering import Answers, apply_view, find_order
from leaderboard.as_of import Later, past_board, read_as_of
from leaderboard.boards import Board, Boards, find_boards, find_split, load_board
from leaderboard.facets import Facets, find_facets
from leaderboard.filters import (
    NO_SORT,
    BadView,
    Look,
    Query,
    Take,
    View,
    Wrong,
    parse_view,
)
from leaderboard.kept import Shelf
from leaderboard.mask_view import MaskRanks, rank_under
from leaderboard.statistics.masks import Mask

NO_MASKS = "none here: no entry of this board was graded here"
# Of the rows of boards: their places by an order, and what filters take out of them.
_orders: Shelf[Sequence[int]] = Shelf(300_000, len)
_taken: Shelf[list[Any]] = Shelf(150_000, len)
# Two ranks for each row.
_mask_ranks: Shelf[MaskRanks] = Shelf(100_000, lambda ranks: 1 + len(ranks.masked))


@dataclass(frozen=True)
class Place:
    """Which board: words of an address, each of which may be empty."""

    benchmark: str = ""
    track: str = ""
    split: str = ""


@dataclass(frozen=True)
class Asked:
    """`board` is the whole one, `rows` what answers the view. `as_of` and `later` are set for a board of the past.

    `words`: all that the address says beside the place, those that change nothing left out. `look`: into the rows of
    the board; what it sees is kept.
    """

    board: Board
    view: View
    rows: Answers
    words: tuple[tuple[str, str], ...] = ()
    as_of: datetime | None = None
    later: Later | None = None
    look: Look | None = None

    @property
    def is_reordered(self) -> bool:
        """Whether a row's place among those shown is another than on the whole board."""
        return self.view.is_narrowed or self.view.sort != NO_SORT or self.view.falling

    def query(self, without: Collection[str] = (), **words: str) -> str:
        """The query string, with some words in place of those of the same name, or left out."""
        kept = [(name, value) for name, value in self.words if name not in without and name not in words]
        return urlencode([*kept, *words.items()])

    @property
    def has_statistics(self) -> bool:
        """Whether intervals, rank ranges and ties apply: they were computed for the whole board of a snapshot."""
        return self.as_of is None and not self.view.is_narrowed and not self.board.is_exact


def ask(found: Sequence[Boards], place: Place, query: Query, now: datetime) -> Asked:
    """What answers. Raises NoSuchBoard, and BadView with everything in the query that makes no sense."""
    boards = find_boards(list(found), place.benchmark)
    split = find_split(boards, place.split)
    view, as_of, is_exact = _read(query, now)
    board = load_board(boards, place.track, split, is_exact)
    later = None
    if as_of is not None:
        board, later = past_board(board, as_of)
    words = [("exact", "1")] * is_exact + [("as_of", _first(query, "as_of"))] * (as_of is not None)
    ranks = _ranks(board, view.mask)
    look = partial(_look, board)
    rows = apply_view(view, board.rows, ranks, _order(board, view, ranks), look)
    return _checked(Asked(board, view, rows, (*view.query, *words), as_of, later, look))


def _read(query: Query, now: datetime) -> tuple[View, datetime | None, bool]:
    wrong: list[Wrong] = []
    view, as_of, said = View(), None, _first(query, "as_of")
    try:
        view = parse_view(query)
    except BadView as error:
        wrong += error.problems
    try:
        as_of = read_as_of(said, now) if said else None
    except BadView as error:
        wrong += error.problems
    exact = _first(query, "exact") or "0"
    if exact not in ("0", "1"):
        wrong.append(Wrong("exact", f"exact: {exact[:60]!r} is neither 1 (yes) nor 0 (no)."))
    if wrong:
        raise BadView(wrong)
    return view, as_of, exact == "1"


def _first(query: Mapping[str, Sequence[str]], name: str) -> str:
    return next((value.strip() for value in query.get(name, ()) if value.strip()), "")


def _order(board: Board, view: View, ranks: MaskRanks) -> Sequence[int]:
    """All rows in the order asked for, sorted once for each state of a board: what a filter leaves keeps its order."""
    key = (*board.state, view.mask, view.category, view.sort, view.falling)
    return _orders.get_or_make(key, lambda: find_order(view, board.rows, ranks))


def _look(board: Board, take: Take) -> list[Any]:
    """Taken out of the rows once for each state of a board: they lie far apart in memory, what is taken does not."""
    return _taken.get_or_make((*board.state, take), lambda: list(map(take, board.rows)))


def _ranks(board: Board, mask: str) -> MaskRanks:
    """Under a mask whose ranks no snapshot keeps, made once for each state of a board."""
    if mask in list(Mask) or board.past:
        return MaskRanks()
    return _mask_ranks.get_or_make((*board.state, mask), lambda: rank_under(board.rows, mask))


def _checked(asked: Asked) -> Asked:
    """The same, unless it asks for a category or a mask that the board does not have."""
    mask = asked.view.mask
    if mask not in list(Mask) and mask not in (known := facets_of(asked.board).masks):
        raise BadView(
            [Wrong("mask", f"mask: {mask!r} is none of this board's ({', '.join(known) or NO_MASKS}).")]
        )
    return _checked_category(asked)


def _checked_category(asked: Asked) -> Asked:
    known = facets_of(asked.board).categories if asked.view.category else {}
    if asked.view.category and asked.view.category not in known:
        choices = ", ".join(known) or "none here: no entry of this board was graded here"
        raise BadView(
            [Wrong("category", f"category: {asked.view.category!r} is none of those known ({choices}).")]
        )
    return asked


def facets_of(board: Board) -> Facets:
    """What there is to choose from on the board."""
    return board.once(_find_facets)


def _find_facets(board: Board) -> Facets:
    return find_facets(board.rows)
