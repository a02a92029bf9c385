"""Bytes on their way: digests of files, iterators read as files, progress along the way."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

CHUNK = 1 << 20


def digest_file(path: Path) -> str:
    """SHA-256 of a file, 64 hex digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class ReadFrom:
    """Pieces of bytes, read like a file, forwards only."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._rest = pieces, b""

    def read(self, size: int, /) -> bytes:
        if not self._rest:
            self._rest = next(self._pieces, b"")
        given, self._rest = self._rest[:size], self._rest[size:]
        return given


class Counted:
    """A file whose reading is told to `progress`."""

    def __init__(self, file: BinaryIO, progress: Callable[[int], None]) -> None:
        self._file, self._progress = file, progress

    def read(self, size: int, /) -> bytes:
        data = self._file.read(size)
        self._progress(len(data))
        return data
