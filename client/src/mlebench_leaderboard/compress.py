"""The formats a bundle is written in, by the ending of its name. Levels are those the server's limits admit."""

import lzma
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import zstandard

from .errors import ClientError


class Compressor(Protocol):
    def compress(self, data: bytes, /) -> bytes: ...
    def flush(self) -> bytes: ...


class Plain:
    def compress(self, data: bytes, /) -> bytes:
        return data

    def flush(self) -> bytes:
        return b""


# gzip without a time or name in its header, so that equal contents give equal bytes.
FORMATS: dict[str, Callable[[], Compressor]] = {
    ".tar.gz": lambda: zlib.compressobj(6, zlib.DEFLATED, 16 + zlib.MAX_WBITS),
    ".tgz": lambda: zlib.compressobj(6, zlib.DEFLATED, 16 + zlib.MAX_WBITS),
    ".tar.zst": lambda: zstandard.ZstdCompressor(level=9).compressobj(),
    ".tar.xz": lambda: lzma.LZMACompressor(preset=6),
    ".tar": Plain,
}


def compressor_for(path: Path) -> Compressor:
    """The compressor of the file's ending. Raises ClientError for any other."""
    for ending, make in FORMATS.items():
        if path.name.lower().endswith(ending):
            return make()
    raise ClientError(f"'{path.name}' must end in one of {', '.join(FORMATS)}.")


def compressed(pieces: Iterator[bytes], compressor: Compressor) -> Iterator[bytes]:
    for piece in pieces:
        yield compressor.compress(piece)
    yield compressor.flush()
