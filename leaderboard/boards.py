"""Which boards there are and what stands on one, all from the current snapshots: three queries for any board."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, FilteredRelation, IntegerField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from grading.models import Benchmark
from grading.splits import Split
from leaderboard.models import Standing, Track
from leaderboard.shown import Row, rank_anew, show_row

ALL = "all"


class NoSuchBoard(Exception):
    """Shown to whoever asked: what there is no board for, and what there is."""

    def __init__(self, where: str, word: str, choices: Iterable[str]) -> None:
        self.where, self.choices = where, list(choices)
        super().__init__(f"There is no {where} {word!r} here. Choose one of: {', '.join(self.choices)}.")


@dataclass(frozen=True)
class Boards:
    """A benchmark with its current snapshot, if it has one, and the number of competitions by split."""

    slug: str
    title: str
    description: str
    answers_public: bool
    competitions: Mapping[Split, int]
    snapshot: int | None
    digest: str
    built_at: datetime | None
    grader_version: str

    @property
    def splits(self) -> list[Split]:
        return list(self.competitions)

    @property
    def main_split(self) -> Split:
        """The split a reader wants if they name none."""
        return Split.ALL if Split.ALL in self.competitions else next(iter(self.competitions), Split.ALL)


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
class Board:
    """What one board shows. `is_exact`: entries of the stricter tracks it shows also are left out."""

    boards: Boards
    track: BoardTrack
    split: Split
    is_exact: bool
    tracks: list[BoardTrack]
    rows: list[Row]

    @property
    def competitions(self) -> int:
        return self.boards.competitions[self.split]


def list_boards() -> list[Boards]:
    """Every benchmark, the default one first. One query."""
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
    return [_boards(benchmark) for benchmark in found.order_by("position", "slug")]


def _boards(row: Any) -> Boards:
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
    """The board of a track. An empty name stands for the first that a newcomer should see. Raises NoSuchBoard."""
    tracks = _tracks(boards, split)
    chosen = _choose(tracks, track)
    rows = [show_row(*each) for each in _standings(boards, chosen.slug, split)]
    if is_exact and chosen.slug != ALL:
        rows = rank_anew([row for row in rows if row["track"] == chosen.slug])
    return Board(
        boards=boards,
        track=chosen,
        split=split,
        is_exact=is_exact,
        tracks=tracks,
        rows=rows,
    )


def _choose(tracks: list[BoardTrack], word: str) -> BoardTrack:
    """The named track. Without a name: the strictest if anything stands on it, else the strictest that shows it."""
    if not word:
        ranked = [track for track in tracks if track.is_ranked and track.slug != ALL]
        return next((track for track in ranked if track.count), ranked[0])
    for track in tracks:
        if track.slug == word:
            return track
    raise NoSuchBoard("track", word, (track.slug for track in tracks))


def _tracks(boards: Boards, split: Split) -> list[BoardTrack]:
    """Every track with its count, and one that shows everything. One query."""
    found = Track.objects.annotate(
        shown=_counted(boards, split, OuterRef("slug")),
        everything=_counted(boards, split, Value(ALL)),
        also=Count("shows_also"),
    ).order_by("position")
    tracks = [
        BoardTrack(t.slug, t.title, t.summary, t.is_ranked, t.is_warned, bool(t.also), t.shown) for t in found
    ]
    everything = max((track.everything for track in found), default=0)
    return [*tracks, BoardTrack(ALL, "All", "Every entry, with badges.", True, False, False, everything)]


def _counted(boards: Boards, split: Split, track: Any) -> Coalesce:
    """The number of rows of a board, as part of a query."""
    standings = Standing.objects.filter(snapshot=boards.snapshot, split=split.value, track=track)
    counted = standings.order_by().values("track").annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def _standings(boards: Boards, track: str, split: Split) -> QuerySet[Standing, tuple[Any, ...]]:
    found = Standing.objects.filter(snapshot=boards.snapshot, track=track, split=split.value)
    return found.order_by("position").values_list("position", "rank", "row")
