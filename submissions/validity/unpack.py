"""The CSV in a file as it was sent, decompressed within the budget that bundles have."""

from collections.abc import Callable, Iterator
from typing import BinaryIO, Protocol

from submissions.bundle.budget import Budget
from submissions.bundle.collect import CODECS
from submissions.bundle.expand import expanded
from submissions.bundle.meter import Expansion, Meter
from submissions.bundle.problems import ArchiveFault, Code, size_text
from submissions.bundle.window import PIECE, Window

ENDINGS = {".gz": "gzip", ".zst": "zstd"}
CORRUPT = frozenset({Code.TRUNCATED, Code.CORRUPT_STREAM, Code.TRAILING_DATA})


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class Unreadable(Exception):
    """The compressed file holds no CSV we would take. Carries a code and a sentence for its sender."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def compression_of(filename: str) -> str:
    """`gzip`, `zstd`, or `none`: by its ending alone, as in bundles."""
    return next((name for ending, name in ENDINGS.items() if filename.lower().endswith(ending)), "none")


def unpack(filename: str, source: Readable, target: BinaryIO, limit: int, clock: Callable[[], float]) -> None:
    """Writes the CSV to `target`. Raises Unreadable for a damaged file, a bomb, and more than `limit` bytes."""
    budget = Budget(clock=clock, total_bytes=limit, seconds=600.0)
    try:
        for piece in _content(filename, source, budget):
            target.write(piece)
    except ArchiveFault as fault:
        raise _explain(fault, limit) from None
    target.flush()


def _content(filename: str, source: Readable, budget: Budget) -> Iterator[bytes]:
    pieces = iter(lambda: source.read(PIECE), b"")
    compression = compression_of(filename)
    if compression == "none":
        return pieces
    expansion = Expansion(Meter(budget), None, Code.NESTED_RATIO_EXCEEDED)
    return expanded(Window(pieces), CODECS[compression], budget, expansion, _fault)


def _fault(code: Code, message: str) -> ArchiveFault:
    return ArchiveFault(Code.NESTED_CORRUPT if code in CORRUPT else code, f"The file {message}")


def _explain(fault: ArchiveFault, limit: int) -> Unreadable:
    code, message = fault.problem.code, fault.problem.message
    if code is Code.TOTAL_TOO_LARGE:
        # By the name that the reader gives to a CSV of this size.
        return Unreadable(
            "file_too_large",
            f"The file expands to more than {size_text(limit)}, the most that is read here. "
            "Leave out what is not asked for.",
        )
    return Unreadable(code.value, message.replace("The archive expands", "The file expands"))
