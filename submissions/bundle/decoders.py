"""Decompressors that never give more than was asked for, whatever they are fed."""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import zstandard

from .budget import Budget

# A zstd block of 4 bytes may give 128 KiB, and the library cannot be told to stop: a slice gives up to 4 MiB.
ZSTD_SLICE = 128

DECODING_ERRORS = (zlib.error, lzma.LZMAError, zstandard.ZstdError, EOFError)


class Decoder(Protocol):
    """One compressed stream. Feed bytes when `hungry`, b"" otherwise, until `finished`."""

    @property
    def finished(self) -> bool: ...
    @property
    def hungry(self) -> bool: ...
    @property
    def unused(self) -> int:
        """How many of the latest bytes lie behind the end of the stream."""
        ...

    def feed(self, data: bytes, room: int) -> bytes: ...


class ZlibDecoder:
    def __init__(self, wbits: int) -> None:
        self._inner = zlib.decompressobj(wbits)

    @property
    def finished(self) -> bool:
        return self._inner.eof

    @property
    def hungry(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused(self) -> int:
        return len(self._inner.unused_data)

    def feed(self, data: bytes, room: int) -> bytes:
        return self._inner.decompress(data or self._inner.unconsumed_tail, room)


class XzDecoder:
    def __init__(self, memory: int) -> None:
        self._inner = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=memory)

    @property
    def finished(self) -> bool:
        return self._inner.eof

    @property
    def hungry(self) -> bool:
        return self._inner.needs_input

    @property
    def unused(self) -> int:
        return len(self._inner.unused_data)

    def feed(self, data: bytes, room: int) -> bytes:
        return self._inner.decompress(data, room)


class ZstdDecoder:
    """Gives up to `room` bytes and one slice's worth (4 MiB) more."""

    def __init__(self, window: int) -> None:
        self._inner = zstandard.ZstdDecompressor(max_window_size=window).decompressobj()
        self._waiting = b""
        self._at = 0

    @property
    def finished(self) -> bool:
        return bool(self._inner.eof)

    @property
    def hungry(self) -> bool:
        return self._at >= len(self._waiting)

    @property
    def unused(self) -> int:
        return len(self._inner.unused_data) + len(self._waiting) - self._at if self.finished else 0

    def feed(self, data: bytes, room: int) -> bytes:
        if data:
            self._waiting, self._at = data, 0
        given = bytearray()
        while not (self.hungry or self.finished) and len(given) < room:
            given += self._inner.decompress(self._waiting[self._at : self._at + ZSTD_SLICE])
            self._at = min(self._at + ZSTD_SLICE, len(self._waiting))
        return bytes(given)


@dataclass(frozen=True)
class Codec:
    """A compression: how its streams begin, and a decoder for one of them."""

    name: str
    begins: Callable[[bytes], bool]
    decoder: Callable[[Budget], Decoder]


def _begins_zstd(head: bytes) -> bool:
    """A frame, or a skippable one (RFC 8878, 3.1)."""
    return head[:4] == b"\x28\xb5\x2f\xfd" or (head[1:4] == b"\x2a\x4d\x18" and head[0] & 0xF0 == 0x50)


GZIP = Codec("gzip", lambda head: head[:3] == b"\x1f\x8b\x08", lambda budget: ZlibDecoder(31))
XZ = Codec("xz", lambda head: head[:6] == b"\xfd7zXZ\x00", lambda budget: XzDecoder(budget.xz_memory))
ZSTD = Codec("zstd", _begins_zstd, lambda budget: ZstdDecoder(budget.zstd_window))
