"""A stream of pieces, read forwards only, with a view of what comes next."""

from __future__ import annotations

from collections.abc import Iterator

PIECE = 1 << 17


class EndOfStream(Exception):
    """The pieces ended before the bytes that were asked for."""


class Window:
    """Bytes of `pieces` in order. Holds one piece and at most one peek more; `offset` counts bytes given."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._buffer = b""
        self._at = 0
        self.offset = 0

    def some(self, limit: int = PIECE) -> bytes:
        """The next 1 to `limit` bytes; b"" at the end."""
        if self._at == len(self._buffer):
            self._buffer, self._at = next((piece for piece in self._pieces if piece), b""), 0
        data = self._buffer[self._at : self._at + limit]
        self._at += len(data)
        self.offset += len(data)
        return data

    def give_back(self, count: int) -> None:
        """Undo the last `count` bytes of the latest `some`: they still lie in the buffer."""
        self._at -= count
        self.offset -= count

    def peek(self, count: int) -> bytes:
        """The next `count` bytes without taking them; fewer at the end."""
        while len(self._buffer) - self._at < count:
            piece = next((piece for piece in self._pieces if piece), b"")
            if not piece:
                break
            self._buffer, self._at = self._buffer[self._at :] + piece, 0
        return self._buffer[self._at : self._at + count]

    def take(self, count: int) -> Iterator[bytes]:
        """Pieces of together `count` bytes. Raises EndOfStream."""
        while count:
            data = self.some(min(count, PIECE))
            if not data:
                raise EndOfStream
            count -= len(data)
            yield data

    def exactly(self, count: int) -> bytes:
        """The next `count` bytes, for small counts. Raises EndOfStream."""
        return b"".join(self.take(count))

    def rest_is_zero(self) -> bool:
        """True if nothing but zero bytes is left. Reads to the end, or to the first other byte's piece."""
        while data := self.some():
            if data.count(0) != len(data):
                return False
        return True
