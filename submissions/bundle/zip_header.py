"""The records of a zip archive, as bytes to fields. Source: PKWARE APPNOTE 6.3.10, section 4.3."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from struct import Struct, unpack_from

from .names import fingerprint
from .problems import ArchiveFault, Code, shown
from .window import Window

LOCAL, CENTRAL, END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
DESCRIPTOR = b"PK\x07\x08"
ZIP64_END, ZIP64_LOCATOR = b"PK\x06\x06", b"PK\x06\x07"

_LOCAL = Struct("<HHHHHIIIHH")
_CENTRAL = Struct("<HHHHHHIIIHHHHHII")
_END = Struct("<HHHHIIH")
_DESCRIPTOR = Struct("<III")
_FINGERPRINT = Struct("<HHIIIQ")

STORED, DEFLATED = 0, 8
FLAG_ENCRYPTED, FLAG_DESCRIPTOR, FLAG_PATCH, FLAG_STRONG, FLAG_MASKED = 1, 1 << 3, 1 << 5, 1 << 6, 1 << 13
EXTRA_ZIP64, EXTRA_UNICODE_PATH = 0x0001, 0x7075
MAX_32 = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Sizes:
    """CRC-32, compressed and uncompressed size of one entry."""

    crc: int
    packed: int
    plain: int


@dataclass(frozen=True, slots=True)
class LocalHeader:
    name: bytes
    flags: int
    method: int
    sizes: Sizes
    extra: bytes

    @property
    def shown(self) -> str:
        return shown(self.name.decode("utf-8", "replace"))

    @property
    def has_descriptor(self) -> bool:
        return bool(self.flags & FLAG_DESCRIPTOR)


@dataclass(frozen=True, slots=True)
class CentralHeader:
    """`mode` is the Unix file mode, 0 where none is given; `offset` that of the local header."""

    name: bytes
    flags: int
    method: int
    sizes: Sizes
    mode: int
    offset: int


@dataclass(frozen=True, slots=True)
class EndRecord:
    disks: tuple[int, int]
    entries: tuple[int, int]
    directory_size: int
    directory_offset: int


def bad_zip(what: str, member: str | None = None) -> ArchiveFault:
    return ArchiveFault(
        Code.BAD_ZIP_HEADER, f"The zip archive is damaged or unusual: {what}. Make it anew with zip.", member
    )


def zip64_refused() -> ArchiveFault:
    return ArchiveFault(
        Code.ZIP64,
        "The archive uses zip64, which is not read. Zip to a file (not through a pipe); for archives over "
        "4 GB, use .tar.gz or .tar.zst.",
    )


def read_local(window: Window) -> LocalHeader:
    """The local header behind its signature."""
    fields = _LOCAL.unpack(window.exactly(_LOCAL.size))
    _, flags, method, _, _, crc, packed, plain, name_length, extra_length = fields
    name, extra = window.exactly(name_length), window.exactly(extra_length)
    return LocalHeader(name, flags, method, Sizes(crc, packed, plain), extra)


def read_central(window: Window) -> CentralHeader:
    """The central header behind its signature."""
    fields = _CENTRAL.unpack(window.exactly(_CENTRAL.size))
    _, _, flags, method, _, _, crc, packed, plain, name_length, extra_length, comment_length = fields[:12]
    name = window.exactly(name_length)
    window.exactly(extra_length + comment_length)
    return CentralHeader(name, flags, method, Sizes(crc, packed, plain), fields[14] >> 16, fields[15])


def read_end(window: Window) -> EndRecord:
    """The end record behind its signature, and the comment, which nobody needs."""
    disk, first_disk, here, entries, size, offset, comment_length = _END.unpack(window.exactly(_END.size))
    window.exactly(comment_length)
    return EndRecord((disk, first_disk), (here, entries), size, offset)


def read_descriptor(window: Window) -> Sizes | None:
    """The sizes behind an entry; None if its signature (optional, but written by all tools) is not there."""
    if window.exactly(4) != DESCRIPTOR:
        return None
    return Sizes(*_DESCRIPTOR.unpack(window.exactly(_DESCRIPTOR.size)))


def entry_fingerprint(name: bytes, flags: int, method: int, sizes: Sizes, offset: int) -> int:
    """What local and central header must agree on."""
    numbers = (flags & ~FLAG_DESCRIPTOR, method, sizes.crc, sizes.packed, sizes.plain, offset)
    return fingerprint(name, _FINGERPRINT.pack(*numbers))


def check_readable(header: LocalHeader) -> None:
    """Raises ArchiveFault for what is not read: encryption, zip64, other methods, entries without an end."""
    if header.flags & (FLAG_ENCRYPTED | FLAG_STRONG | FLAG_MASKED):
        raise _unreadable(Code.ZIP_ENCRYPTED, "is encrypted. Zip without a password", header)
    if header.method not in (STORED, DEFLATED) or header.flags & FLAG_PATCH:
        raise _unreadable(
            Code.ZIP_METHOD, "is packed by a method other than store and deflate. Use zip -6", header
        )
    if header.method == STORED and header.has_descriptor:
        raise _unreadable(
            Code.ZIP_STREAMED, "is stored without saying where it ends. Zip to a file, not a pipe", header
        )
    extras = dict(_extra_fields(header))
    if EXTRA_ZIP64 in extras or MAX_32 in (header.sizes.packed, header.sizes.plain):
        raise zip64_refused()
    _check_unicode_path(header, extras.get(EXTRA_UNICODE_PATH))


def _unreadable(code: Code, what: str, header: LocalHeader) -> ArchiveFault:
    return ArchiveFault(code, f"'{header.shown}' {what}; or use .tar.gz.", header.shown)


def _check_unicode_path(header: LocalHeader, field: bytes | None) -> None:
    """Info-ZIP's second name (APPNOTE 4.6.9) binds where its CRC fits the first: they must be the same."""
    if not field or len(field) < 5 or unpack_from("<I", field, 1)[0] != zlib.crc32(header.name):
        return
    if field[5:] != header.name:
        raise _unreadable(
            Code.NAME_AMBIGUOUS, "has two different names. Rename it with plain characters", header
        )


def _extra_fields(header: LocalHeader) -> Iterator[tuple[int, bytes]]:
    at, extra = 0, header.extra
    while at + 4 <= len(extra):
        kind, length = unpack_from("<HH", extra, at)
        if at + 4 + length > len(extra):
            raise bad_zip("an extra field is longer than its place", header.shown)
        yield kind, extra[at + 4 : at + 4 + length]
        at += 4 + length
