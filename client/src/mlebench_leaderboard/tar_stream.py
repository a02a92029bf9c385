"""A tar archive as a stream, made from names and contents alone: equal files give equal bytes."""

import tarfile
from collections.abc import Callable, Iterator, Sequence

from .errors import ClientError
from .found import FoundFile
from .streams import CHUNK

# 1 January 2026, UTC: any fixed time will do.
PACKED_AT = 1767225600


def tar_stream(
    files: Sequence[FoundFile], progress: Callable[[int], None] = lambda count: None
) -> Iterator[bytes]:
    """The archive piece by piece. `progress` gets bytes of content. Raises ClientError for a file that changes."""
    for file in files:
        yield _header(file)
        for piece in _content(file):
            progress(len(piece))
            yield piece
        yield b"\0" * (-file.size % tarfile.BLOCKSIZE)
    yield b"\0" * 2 * tarfile.BLOCKSIZE


def _header(file: FoundFile) -> bytes:
    entry = tarfile.TarInfo(file.name)
    entry.size, entry.mtime, entry.mode = file.size, PACKED_AT, 0o644
    return entry.tobuf(tarfile.PAX_FORMAT, "utf-8", "strict")


def _content(file: FoundFile) -> Iterator[bytes]:
    left = file.size
    try:
        with file.path.open("rb") as source:
            while left and (piece := source.read(min(CHUNK, left))):
                left -= len(piece)
                yield piece
    except OSError as error:
        raise ClientError(f"{file.path} cannot be read: {error.strerror}.") from error
    if left:
        raise ClientError(f"{file.path} became shorter while it was read. Is the run still going on?")
