"""Which boards there are and what stands on one, from the current snapshots.

Two queries say which snapshot is current, at most every half a second; what stands in a snapshot never changes, so
its rows are read once and kept.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import Any, TypeVar

from django.conf import settings
from django.db.models import Count, F, FilteredRelation, Q

from grading.models import Benchmark
from grading.splits import Split
from leaderboard.collector import paused_collector
from leaderboard.kept import Shelf
from leaderboard.models import Track
from leaderboard.shown import Row, only_own, show_rows
from leaderboard.stored_boards import count_lines, read_board

Thing = TypeVar("Thing")
ALL = "all"
# Rows of a board weigh some kilobytes each in memory.
KEPT_ROWS = 30_000
# What is known serves so often its age while somebody asks for newer: with the age less than a second.
WHILE_ASKED = 1.5


class NoSuchBoard(Exception):
    """Shown to whoever asked: what there is no board for, and what there is."""

    def __init__(self, where: str, word: str, choices: Iterable[str]) -> None:
        self.where, self.choices = where, list(choices)
        super().__init__(f"There is no {where} {word!r} here. Choose one of: {', '.join(self.choices)}.")


@dataclass(frozen=True)
class BoardTrack:
    """A track with the number of its rows; `slug` "all" stands for every track. `also`: it shows stricter ones too."""

    slug: str
    title: str
    summary: str
    is_ranked: bool
    is_warned: bool
    also: bool
    count: int


@dataclass(frozen=True)
class Boards:
    """A benchmark with its current snapshot, if it has one, and the number of competitions by split.

    `tracks`: those there are, not counted yet.
    """

    slug: str
    title: str
    description: str
    answers_public: bool
    competitions: Mapping[Split, int]
    snapshot: int | None
    digest: str
    built_at: datetime | None
    grader_version: str
    tracks: tuple[BoardTrack, ...] = ()

    @property
    def splits(self) -> list[Split]:
        return list(self.competitions)

    @property
    def main_split(self) -> Split:
        """The split a reader wants if they name none."""
        return Split.ALL if Split.ALL in self.competitions else next(iter(self.competitions), Split.ALL)


@dataclass(frozen=True)
class Board:
    """What one board shows. `is_exact`: entries of the stricter tracks it shows also are left out.

    `past`: of a board of the past, what its rows depend on; None of one of now.
    """

    boards: Boards
    track: BoardTrack
    split: Split
    is_exact: bool
    tracks: list[BoardTrack]
    rows: list[Row]
    past: Hashable = None

    @property
    def competitions(self) -> int:
        return self.boards.competitions[self.split]

    def once(self, make: Callable[["Board"], Thing]) -> Thing:
        """What is made of all its rows, made once; `make` must depend on nothing else."""
        made: Thing = _made.get_or_make((make, self.competitions, *self.state), lambda: make(self))
        return made

    @property
    def state(self) -> tuple[Hashable, ...]:
        """What its rows depend on."""
        boards = self.boards
        return boards.slug, boards.snapshot, boards.digest, self.track, self.split, self.is_exact, self.past


@dataclass(frozen=True)
class Known:
    """What boards there are, as of a moment of this process's clock. `state` changes with anything boards show."""

    boards: list[Boards]
    state: str
    read_at: float


_known: list[Known] = []
_asking = Lock()
_rows: Shelf[list[Row]] = Shelf(KEPT_ROWS, len)
_made: Shelf[Any] = Shelf(300, lambda _: 1)
_counts: Shelf[dict[tuple[str, str], int]] = Shelf(100, lambda _: 1)


def known_boards() -> Known:
    """The benchmarks and tracks there are now; asked of the database when the last answer is too old."""
    return _fresh() or _ask_anew()


def fresh_state() -> str | None:
    """The state of the boards where what was last read of them still holds. Asks nothing of the database."""
    known = _fresh()
    return known.state if known else None


def _fresh(times: float = 1.0) -> Known | None:
    """What was last read, unless it is too old. `times`: so often the usual age is not too old yet."""
    is_fresh = _known and monotonic() - _known[0].read_at < times * settings.BOARD_CHECK_S
    return _known[0] if is_fresh else None


def _ask_anew() -> Known:
    """One thread asks. The others go on with what they know a little longer, and then wait for it."""
    if not _asking.acquire(blocking=False):
        if known := _fresh(WHILE_ASKED):
            return known
        _asking.acquire()
    try:
        known = _fresh() or _read_boards()
        _known[:] = [known]
    finally:
        _asking.release()
    return known


def list_boards() -> list[Boards]:
    """Every benchmark, the default one first."""
    return known_boards().boards


def _read_boards() -> Known:
    """In two queries."""
    read_at = monotonic()
    boards = _list_boards(tuple(_list_tracks()))
    return Known(boards, sha256(repr(boards).encode()).hexdigest(), read_at)


def _list_tracks() -> list[BoardTrack]:
    """Every track, strictest first, and one that shows everything. Nothing is counted yet."""
    found = Track.objects.annotate(also=Count("shows_also")).order_by("position")
    tracks = [
        BoardTrack(t.slug, t.title, t.summary, t.is_ranked, t.is_warned, bool(t.also), 0) for t in found
    ]
    return [*tracks, BoardTrack(ALL, "All", "Every entry, with badges.", True, False, False, 0)]


def _list_boards(tracks: tuple[BoardTrack, ...]) -> list[Boards]:
    found = Benchmark.objects.annotate(
        current=FilteredRelation("snapshots", condition=Q(snapshots__is_current=True)),
        snapshot=F("current__pk"),
        digest=F("current__digest"),
        built_at=F("current__built_at"),
        grader_version=F("current__grader_version"),
        **{
            split.value: Count("memberships", filter=Q(memberships__split=split.value))
            for split in Split.stored()
        },
    )
    # Counting drops the order of the model.
    return [_boards(benchmark, tracks) for benchmark in found.order_by("position", "slug")]


def _boards(row: Any, tracks: tuple[BoardTrack, ...]) -> Boards:
    counts = {split: sum(getattr(row, part.value) for part in split.members) for split in Split}
    return Boards(
        slug=row.slug,
        title=row.title,
        description=row.description,
        answers_public=row.answers_public,
        competitions={split: count for split, count in counts.items() if count},
        snapshot=row.snapshot,
        digest=row.digest or "",
        built_at=row.built_at,
        grader_version=row.grader_version or "",
        tracks=tracks,
    )


def find_boards(found: list[Boards], slug: str) -> Boards:
    """The benchmark of that name, the first if the name is empty. Raises NoSuchBoard."""
    for boards in found:
        if slug in ("", boards.slug):
            return boards
    raise NoSuchBoard("benchmark", slug, (boards.slug for boards in found))


def find_split(boards: Boards, word: str) -> Split:
    """The split of that name, the benchmark's main one if empty. Raises NoSuchBoard."""
    if not word:
        return boards.main_split
    if word not in list(boards.competitions):
        raise NoSuchBoard("split", word, (split.value for split in boards.splits))
    return Split(word)


def load_board(boards: Boards, track: str, split: Split, is_exact: bool = False) -> Board:
    """The board of a track. An empty name stands for the first that a newcomer should see. Raises NoSuchBoard.

    Its rows are shared by everybody who asks: make others instead of changing them.
    """
    tracks = _tracks(boards, split)
    chosen = _choose(tracks, track)
    return Board(
        boards=boards,
        track=chosen,
        split=split,
        is_exact=is_exact,
        tracks=tracks,
        rows=rows_of(boards, chosen.slug, split, is_exact),
    )


def _choose(tracks: Sequence[BoardTrack], word: str) -> BoardTrack:
    """The named track. Without a name: the strictest if anything stands on it, else the strictest that shows it."""
    if not word:
        ranked = [track for track in tracks if track.is_ranked and track.slug != ALL]
        return next((track for track in ranked if track.count), ranked[0])
    for track in tracks:
        if track.slug == word:
            return track
    raise NoSuchBoard("track", word, (track.slug for track in tracks))


def _tracks(boards: Boards, split: Split) -> list[BoardTrack]:
    """Every track with the number of its rows on the split."""
    counts = _counts.get_or_make((boards.snapshot, boards.digest), lambda: count_lines(boards.snapshot))
    return [replace(track, count=counts.get((track.slug, split.value), 0)) for track in boards.tracks]


def rows_of(boards: Boards, track: str, split: Split, is_exact: bool = False) -> list[Row]:
    """The rows of a board in its order, shared by all who ask. Queries only the first time."""
    key = (boards.snapshot, boards.digest, track, split.value, is_exact)
    if is_exact:
        return _rows.get_or_make(key, lambda: only_own(rows_of(boards, track, split), track))
    return _rows.get_or_make(key, lambda: _read_rows(boards, track, split))


def _read_rows(boards: Boards, track: str, split: Split) -> list[Row]:
    if boards.snapshot is None:
        return []
    with paused_collector():
        return show_rows(read_board(boards.snapshot, boards.digest, track, split.value))
