"""A board as somebody asked for it: which one, as of when, narrowed and ordered how. Page and API both ask here."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from leaderboard.as_of import Later, past_board, read_as_of
from leaderboard.boards import Board, Boards, find_boards, find_split, load_board
from leaderboard.facets import Facets, find_facets
from leaderboard.filters import NO_SORT, Answers, BadView, Query, View, Wrong, apply_view, parse_view


@dataclass(frozen=True)
class Place:
    """Which board: words of an address, each of which may be empty."""

    benchmark: str = ""
    track: str = ""
    split: str = ""


@dataclass(frozen=True)
class Asked:
    """`board` is the whole one, `rows` what answers the view. `as_of` and `later` are set for a board of the past.

    `words`: all that the address says beside the place, those that change nothing left out.
    """

    board: Board
    view: View
    rows: Answers
    words: tuple[tuple[str, str], ...] = ()
    as_of: datetime | None = None
    later: Later | None = None

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
    rows = apply_view(view, board.rows)
    return _checked(Asked(board, view, rows, (*view.query, *words), as_of, later))


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


def _checked(asked: Asked) -> Asked:
    """The same, unless it asks for a category that no competition of the board has."""
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
