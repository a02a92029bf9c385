"""The boards of snapshots as they are read: the order of each, and the rows of the entries on it."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from leaderboard.board_lines import Lines, read_lines
from leaderboard.kept import Shelf
from leaderboard.models import StoredBoard, StoredRow

Json = dict[str, Any]
# Of a snapshot, of a track, on a split.
Place = tuple[int, str, str]
# What is stored never changes, so that what was read of it is kept: by digests, which say what it is.
_lines: Shelf[Lines] = Shelf(150_000, lambda lines: 1 + len(lines))
_rows: Shelf[Json] = Shelf(45_000, lambda _: 1)
_by_entry: Shelf[dict[int, Json]] = Shelf(45_000, lambda rows: 1 + len(rows))
# The current snapshot of a row's benchmark.
NOW = ("benchmark__snapshots", "benchmark__snapshots__digest")
# Up to so many rows are asked for one by one.
FEW = 500


@dataclass(frozen=True)
class Standing:
    """Where an entry stands on one board. `parts`: those of its competitions, for `parts.read_named`."""

    entry: int
    track: str
    split: str
    position: int
    rank: int | None
    row: Json
    parts: Mapping[str, str]


def count_lines(snapshot: int | None) -> dict[tuple[str, str], int]:
    """The number of lines by track and split. One query."""
    found = StoredBoard.objects.filter(snapshot=snapshot).order_by().values_list("track", "split", "count")
    return {(track, split): count for track, split, count in found}


def read_board(snapshot: int, digest: str, track: str, split: str) -> list[Standing]:
    """One of the boards of a snapshot in its order, empty where nobody stands on it."""
    lines = _read_lines({(snapshot, track, split): digest})[snapshot, track, split]
    rows = read_rows(snapshot, digest, split) if len(lines) else {}
    return [
        Standing(entry, track, split, position, rank, lines.complete(position - 1, rows[entry]), lines.parts)
        for position, rank, entry in lines.places()
    ]


def find_standings(rows: QuerySet[StoredRow]) -> list[Standing]:
    """Where entries stand now on the boards of their own tracks. `rows`: of theirs, those that are shown now."""
    shown = rows.filter(benchmark__snapshots__is_current=True).order_by("entry", "split")
    found = list(shown.values_list(*NOW, "track", "split", "entry", "row"))
    digests = {(snapshot, track, split): digest for snapshot, digest, track, split, _, _ in found}
    boards = _read_lines(digests) if found else {}
    return [
        _stand(entry, track, split, boards[snapshot, track, split], json.loads(row))
        for snapshot, _, track, split, entry, row in found
    ]


def _stand(entry: int, track: str, split: str, lines: Lines, row: Json) -> Standing:
    at = lines.entry.index(entry)
    return Standing(entry, track, split, at + 1, lines.rank[at], lines.complete(at, row), lines.parts)


def _read_lines(places: Mapping[Place, str]) -> dict[Place, Lines]:
    """By place its lines. `places`: with the digest of the snapshot. One query for those not read yet."""
    found = {place: _lines.get((digest, *place)) for place, digest in places.items()}
    missing = [place for place, lines in found.items() if lines is None]
    for place, text in _stored_lines(missing) if missing else ():
        found[place] = lines = read_lines(text)
        _lines.put((places[place], *place), lines)
    return {place: lines or Lines() for place, lines in found.items()}


def _stored_lines(places: Iterable[Place]) -> list[tuple[Place, str]]:
    wanted = Q()
    for snapshot, track, split in places:
        wanted |= Q(snapshot=snapshot, track=track, split=split)
    found = StoredBoard.objects.filter(wanted).order_by()
    return [
        ((snapshot, track, split), lines)
        for snapshot, track, split, lines in found.values_list("snapshot", "track", "split", "lines")
    ]


def read_rows(snapshot: int, digest: str, split: str) -> dict[int, Json]:
    """By entry what the snapshot shows of it, shared by all who ask."""
    return _by_entry.get_or_make((snapshot, digest, split), lambda: _read_rows(snapshot, split))


def _read_rows(snapshot: int, split: str) -> dict[int, Json]:
    """What an earlier snapshot showed too is not read again."""
    shown = StoredRow.objects.filter(benchmark__snapshots=snapshot, split=split, since__lte=snapshot)
    shown = shown.filter(Q(until=None) | Q(until__gt=snapshot)).order_by()
    keys = {entry: (split, entry, digest) for entry, digest in shown.values_list("entry", "digest")}
    found = {entry: _rows.get(key) for entry, key in keys.items()}
    missing = [entry for entry, row in found.items() if row is None]
    some = shown.filter(entry__in=missing) if len(missing) <= FEW else shown
    for entry, text in some.values_list("entry", "row") if missing else ():
        found[entry] = row = json.loads(text)
        _rows.put(keys[entry], row)
    return {entry: row for entry, row in found.items() if row is not None}
