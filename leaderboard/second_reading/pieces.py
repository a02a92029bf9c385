"""Texts cut into pieces that are asked about one by one. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

# Lines of a piece that the next one begins with, so that nothing is torn in two.
OVERLAP: Final = 5
WIDTH: Final = 2_000


@dataclass(frozen=True)
class Piece:
    """Some lines of one file. `line`: the number of the first, from 1."""

    path: str
    kind: str
    line: int
    text: str
    is_outer: bool = False


def cut(path: str, kind: str, text: str, size: int) -> list[Piece]:
    """Pieces of at most `size` characters, or of one line. Lines longer than WIDTH are cut off there."""
    pieces = [Piece(path, kind, line, chunk) for line, chunk in _chunks(text, size) if chunk.strip()]
    if not pieces:
        return []
    outer = {0, len(pieces) - 1}
    return [Piece(path, kind, piece.line, piece.text, at in outer) for at, piece in enumerate(pieces)]


def _chunks(text: str, size: int) -> Iterator[tuple[int, str]]:
    lines = [line[:WIDTH] for line in text.split("\n")]
    start = 0
    while start < len(lines):
        end = _fill(lines, start, size)
        yield start + 1, "\n".join(lines[start:end])
        if end == len(lines):
            return
        start = max(end - OVERLAP, start + 1)


def _fill(lines: list[str], start: int, size: int) -> int:
    """One past the last line that fits; always at least one line further."""
    used, end = 0, start
    while end < len(lines) and (end == start or used + len(lines[end]) + 1 <= size):
        used += len(lines[end]) + 1
        end += 1
    return end


def most_telling_first(pieces: Iterable[Piece]) -> list[Piece]:
    """The beginning and the end of every file before all middles, since the budget may end anywhere."""
    return sorted(pieces, key=lambda piece: not piece.is_outer)
