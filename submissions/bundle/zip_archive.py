"""Members of a zip stream, read from the first byte to the last, never by the directory at its end.

Each entry must begin where the one before ended, so entries cannot overlap and nothing can hide between them;
the directory that follows must then tell the same.
"""

from __future__ import annotations

import stat
import zlib
from collections.abc import Callable, Iterator

from .decoders import ZlibDecoder
from .expand import expand_one
from .meter import Expansion, Meter
from .problems import ArchiveFault, Code, Problem, shown
from .raw import RawKind, RawMember
from .window import Window
from .zip_header import (
    CENTRAL,
    DEFLATED,
    END,
    LOCAL,
    ZIP64_END,
    ZIP64_LOCATOR,
    CentralHeader,
    LocalHeader,
    Sizes,
    bad_zip,
    check_readable,
    entry_fingerprint,
    read_central,
    read_descriptor,
    read_end,
    read_local,
    zip64_refused,
)

RAW_DEFLATE = -15


def zip_members(window: Window, meter: Meter, report: Callable[[Problem], None]) -> Iterator[RawMember]:
    """Each entry in order; then checks the directory. Raises ArchiveFault.

    Links show only in the directory, behind all members: they are reported there.
    """
    entries: set[int] = set()
    while (signature := window.exactly(4)) == LOCAL:
        offset = window.offset - 4
        header = read_local(window)
        check_readable(header)
        entry = _Entry(header, window, meter)
        yield entry.member()
        entry.finish()
        entries.add(entry_fingerprint(header.name, header.flags, header.method, entry.seen, offset))
    _check_directory(window, signature, entries, report)
    if not window.rest_is_zero():
        raise ArchiveFault(
            Code.TRAILING_DATA, "There is more data behind the end of the zip archive. Make it anew."
        )


class _Entry:
    """One entry: its bytes decompressed, counted and checked against its header or data descriptor."""

    def __init__(self, header: LocalHeader, window: Window, meter: Meter) -> None:
        self._header, self._window, self._meter = header, window, meter
        self._pieces = self._checked()
        self.seen = Sizes(0, 0, 0)

    def member(self) -> RawMember:
        folder = self._header.name.endswith(b"/")
        size = None if self._header.has_descriptor else self._header.sizes.plain
        return RawMember(self._header.name, RawKind.FOLDER if folder else RawKind.FILE, size, self._pieces)

    def finish(self) -> None:
        """Read what the consumer left, so that the window stands at the next entry."""
        for _ in self._pieces:
            pass
        if self.seen.plain and self._header.name.endswith(b"/"):
            raise bad_zip("a folder has content", self._header.shown)

    def _checked(self) -> Iterator[bytes]:
        start, crc, plain = self._window.offset, 0, 0
        for piece in self._unpacked():
            crc, plain = zlib.crc32(piece, crc), plain + len(piece)
            yield piece
        self.seen = Sizes(crc, self._window.offset - start, plain)
        described = read_descriptor(self._window) if self._header.has_descriptor else self._header.sizes
        if described != self.seen:
            raise ArchiveFault(
                Code.ZIP_CHECKSUM,
                f"'{self._header.shown}' does not have the size or checksum the zip archive gives for it. "
                "Make the archive anew with zip, to a file.",
                self._header.shown,
            )

    def _unpacked(self) -> Iterator[bytes]:
        packed = self._header.sizes.packed
        if self._header.method != DEFLATED:
            return self._window.take(packed)
        source = self._window if self._header.has_descriptor else Window(self._window.take(packed))
        return self._inflated(source)

    def _inflated(self, source: Window) -> Iterator[bytes]:
        expansion = Expansion(self._meter, self._header.shown, Code.RATIO_EXCEEDED)
        yield from expand_one(source, ZlibDecoder(RAW_DEFLATE), expansion, self._fault)
        if source is not self._window and source.peek(1):
            raise bad_zip("an entry is longer than its content", self._header.shown)

    def _fault(self, code: Code, message: str) -> ArchiveFault:
        return ArchiveFault(code, f"'{self._header.shown}' {message}", self._header.shown)


def _check_directory(
    window: Window, signature: bytes, entries: set[int], report: Callable[[Problem], None]
) -> None:
    """The central directory lists exactly the entries seen, and the end record exactly this directory."""
    start, count = window.offset - 4, 0
    while signature == CENTRAL:
        header = read_central(window)
        _check_entry(header, entries, report)
        count += 1
        signature = window.exactly(4)
    if signature in (ZIP64_END, ZIP64_LOCATOR):
        raise zip64_refused()
    if signature != END:
        raise bad_zip("something else lies between its entries")
    size = window.offset - 4 - start
    end = read_end(window)
    if entries or end.disks != (0, 0) or end.entries != (count, count):
        raise _mismatch("it does not list all entries once")
    if (end.directory_offset, end.directory_size) != (start, size):
        raise _mismatch("its place or size is wrong")


def _check_entry(header: CentralHeader, entries: set[int], report: Callable[[Problem], None]) -> None:
    key = entry_fingerprint(header.name, header.flags, header.method, header.sizes, header.offset)
    if key not in entries:
        name = shown(header.name.decode("utf-8", "replace"))
        raise _mismatch(f"it tells another size, place or name for '{name}'", name)
    entries.remove(key)
    kind = _kind_of(header.mode)
    if kind is not RawKind.FILE:
        name = shown(header.name.decode("utf-8", "replace"))
        report(
            Problem(Code(kind.value), name, f"'{name}' is no plain file ({kind}). Put the file itself there.")
        )


def _kind_of(mode: int) -> RawKind:
    tests = (
        (stat.S_ISLNK, RawKind.SYMLINK),
        (stat.S_ISFIFO, RawKind.FIFO),
        (stat.S_ISCHR, RawKind.DEVICE),
        (stat.S_ISBLK, RawKind.DEVICE),
        (stat.S_ISSOCK, RawKind.SPECIAL),
    )
    return next((kind for test, kind in tests if test(mode)), RawKind.FILE)


def _mismatch(what: str, member: str | None = None) -> ArchiveFault:
    return ArchiveFault(
        Code.ZIP_DIRECTORY_MISMATCH,
        f"The directory at the end of the zip archive does not fit its content: {what}. Zip it anew.",
        member,
    )
