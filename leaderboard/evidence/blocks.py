"""The bytes of a file nobody vouches for, in blocks of whole lines. Pure.

Nothing here depends on how long a line is, or on whether the bytes are text: memory is that of one block.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

BLOCK: Final = 1 << 16
# Of a line longer than a block: what is seen again at the start of its next part, so that no short match is cut.
OVERLAP: Final = 512
# By their first bytes: files whose content would have to be unpacked first, or is no text.
UNREADABLE: Final = (
    (b"\x1f\x8b", "compressed (gzip)"),
    (b"\x28\xb5\x2f\xfd", "compressed (zstd)"),
    (b"\xfd7zXZ\x00", "compressed (xz)"),
    (b"BZh", "compressed (bzip2)"),
    (b"PK\x03\x04", "a zip file"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z file"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3\x00", "a SQLite file"),
    (b"\xff\xfe", "UTF-16 text, not UTF-8"),
    (b"\xfe\xff", "UTF-16 text, not UTF-8"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
)


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class Unreadable(Exception):
    """The file is of a kind that is not read. Says of which."""


@dataclass(frozen=True)
class Budget:
    """What reading may cost. Sizes in bytes; `seconds` by `clock`, for all files together."""

    clock: Callable[[], float]
    file_bytes: int
    total_bytes: int
    lines: int
    seconds: float


@dataclass
class Spent:
    """What all files together have cost so far, and since when."""

    started: float
    bytes: int = 0
    lines: int = 0

    def what_is_over(self, budget: Budget) -> str:
        """Which limit of all files together is reached; empty if none is."""
        if self.bytes >= budget.total_bytes:
            return f"the limit of {budget.total_bytes:,} bytes for all files together was reached"
        if self.lines >= budget.lines:
            return f"the limit of {budget.lines:,} lines for all files together was reached"
        if budget.clock() - self.started >= budget.seconds:
            return f"the limit of {budget.seconds:,.0f} seconds for all files together was reached"
        return ""


@dataclass(frozen=True)
class Block:
    """Some lines, or a part of one that is too long. `first`: the number of its first line, from 1.

    `is_rest`: its first line goes on from the block before, of which it repeats the last bytes.
    """

    first: int
    data: bytes
    is_rest: bool = False


def read_blocks(source: Readable, limit: int) -> Iterator[Block]:
    """The first `limit` bytes. Raises Unreadable for a file that is no text by its first bytes."""
    left, number, kept, is_rest = limit, 1, b"", False
    while left > 0 and (piece := source.read(min(BLOCK, left))):
        if left == limit:
            _require_text(piece)
        left -= len(piece)
        data = kept + piece
        cut = data.rfind(b"\n") + 1
        if cut:
            yield Block(number, data[:cut], is_rest)
            number += data.count(b"\n", 0, cut)
            kept, is_rest = data[cut:], False
        elif len(data) >= BLOCK:
            yield Block(number, data, is_rest)
            kept, is_rest = data[-OVERLAP:], True
        else:
            kept = data
    if kept and not (is_rest and len(kept) <= OVERLAP):
        yield Block(number, kept, is_rest)


def _require_text(start: bytes) -> None:
    for magic, what in UNREADABLE:
        if start.startswith(magic):
            raise Unreadable(what)
