"""The bytes of a file given by its path, or by a descriptor that is already open (and stays the caller's)."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

Source = Path | int
Mapped = mmap.mmap | bytes
# One read call returns no more than this on Linux, whatever is asked for.
CHUNK = 1 << 30


def size_of(source: Source) -> int:
    return (os.fstat(source) if isinstance(source, int) else source.stat()).st_size


def read_source(source: Source) -> bytes:
    """The whole file, wherever a descriptor stands."""
    if isinstance(source, Path):
        return source.read_bytes()
    parts: list[bytes] = []
    # Python sets aside as much as is asked for: no more than the file has left, and a byte to see its end.
    while part := os.pread(source, min(CHUNK, _left(source, parts) + 1), sum(map(len, parts))):
        parts.append(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _left(source: int, parts: list[bytes]) -> int:
    return max(0, size_of(source) - sum(map(len, parts)))


def map_source(source: Source) -> Mapped:
    """The file mapped into memory, to be read where it is looked at; it outlives the descriptor."""
    if not size_of(source):
        return b""
    with _opened(source) as descriptor:
        return mmap.mmap(descriptor, 0, prot=mmap.PROT_READ)


@contextmanager
def _opened(source: Source) -> Iterator[int]:
    if isinstance(source, int):
        yield source
        return
    with source.open("rb") as file:
        yield file.fileno()


def lines_of(data: Mapped) -> Iterator[bytes]:
    """The lines with their ends, one at a time."""
    return iter(data.readline, b"") if isinstance(data, mmap.mmap) else iter(data.splitlines(keepends=True))
