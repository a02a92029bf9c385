"""Reading a human leaderboard: a CSV with one row per team, best first. Pure.

Generous in its columns, strict in what they hold: a wrong cut-off would give wrong medals without a word.
"""

import csv
import io
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from grading.medals import Direction, LeaderboardError

SCORE = ("score", "privatescore", "scorenullable", "privateleaderboardscore")
RANK = ("rank", "teamrank", "privaterank", "place", "position", "#")
TEAM = ("teamid",)
# What Git leaves in place of a large file that was not fetched.
POINTER = b"version https://git-lfs"
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
PLACE = re.compile(r"\d{1,9}", re.ASCII)
MOST_BYTES = 64 * 2**20


@dataclass(frozen=True)
class _Row:
    line: int
    score: str
    rank: str
    team: str


def read_leaderboard(content: bytes, direction: Direction, keep_order: bool = False) -> tuple[float, ...]:
    """The scores of all teams, best first. `keep_order`: take a board that is not sorted as it stands.

    Raises LeaderboardError with the line that is wrong and how to mend it.
    """
    rows = list(_rows(_text(content)))
    if not rows:
        raise LeaderboardError("The leaderboard holds no row. Give a file with one row per team, best first.")
    _check_teams(rows)
    _check_ranks(rows)
    scores = tuple(_score(row) for row in rows)
    if not keep_order:
        _check_order(rows, scores, direction)
    return scores


def _text(content: bytes) -> str:
    if content.startswith(POINTER):
        raise LeaderboardError("This is a Git LFS pointer, not the file. Fetch it with `git lfs pull`.")
    if len(content) > MOST_BYTES:
        raise LeaderboardError(f"The file is larger than {MOST_BYTES:,} bytes, so it is no leaderboard.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LeaderboardError(
            f"The file is not UTF-8 text (byte {error.start}). Save it as UTF-8."
        ) from error


def _rows(text: str) -> Iterator[_Row]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(reader, [])
        columns = [_plain(name) for name in header]
        score, rank, team = (_find(columns, names) for names in (SCORE, RANK, TEAM))
        if score is None:
            raise LeaderboardError(
                f"No column holds the score. It has {', '.join(filter(None, header)) or 'none'}; "
                "name the column of the private score `score`."
            )
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield _Row(reader.line_num, _cell(cells, score), _cell(cells, rank), _cell(cells, team))
    except csv.Error as error:
        raise LeaderboardError(f"Line {reader.line_num} is not CSV: {error}.") from error


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).casefold()


def _find(columns: Sequence[str], names: Sequence[str]) -> int | None:
    """Where the first of the names stands that is there at all. Raises LeaderboardError if it stands there twice."""
    name = next((name for name in names if name in columns), None)
    if name is None:
        return None
    if columns.count(name) > 1:
        raise LeaderboardError(f"The column {name} is there more than once. Leave only the one that counts.")
    return columns.index(name)


def _cell(cells: Sequence[str], at: int | None) -> str:
    return cells[at].strip() if at is not None and at < len(cells) else ""


def _score(row: _Row) -> float:
    number = float(row.score) if NUMBER.fullmatch(row.score) else math.nan
    if not math.isfinite(number):
        raise LeaderboardError(
            f"Line {row.line} has no finite score. Every team needs one; leave out those without."
        )
    return number


def _check_teams(rows: Sequence[_Row]) -> None:
    seen: dict[str, int] = {}
    for row in rows:
        if row.team and row.team in seen:
            raise LeaderboardError(
                f"Lines {seen[row.team]} and {row.line} are the same team. Leave each team's final row only."
            )
        seen[row.team] = row.line


def _check_ranks(rows: Sequence[_Row]) -> None:
    """Ranks, where given, must not fall from one row to the next; equals may share one."""
    ranked = [row for row in rows if PLACE.fullmatch(row.rank)]
    for before, row in pairwise(ranked):
        if int(row.rank) < int(before.rank):
            raise LeaderboardError(
                f"Line {row.line} has rank {row.rank} below rank {before.rank}. Sort the file by rank."
            )


def _check_order(rows: Sequence[_Row], scores: Sequence[float], direction: Direction) -> None:
    for (before, score), row in zip(pairwise(scores), rows[1:], strict=True):
        if score < before if direction is Direction.LOWER else score > before:
            raise LeaderboardError(
                f"Line {row.line} is better than the line above it, but {direction} is better in this "
                "competition. Sort the leaderboard best first, or mend `direction` in the competition's file. If "
                "the file's own order is what counted, say --keep-order."
            )
