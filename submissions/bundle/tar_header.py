"""One 512-byte tar header, and the extension records that may stand before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .problems import ArchiveFault, Code

BLOCK = 512
USTAR = b"ustar\0"


@dataclass(frozen=True, slots=True)
class TarHeader:
    """The fields that matter for reading; `type` is the one-byte type flag."""

    name: bytes
    size: int
    type: bytes


def bad_header(what: str) -> ArchiveFault:
    return ArchiveFault(
        Code.BAD_TAR_HEADER,
        f"The tar archive is damaged or unusual: {what}. Make it anew: tar --format=posix -cf bundle.tar …",
    )


def looks_like_tar(block: bytes) -> bool:
    """Whether `block` is a tar header by its checksum (old ones have no magic bytes), or the end marker."""
    return len(block) == BLOCK and (not block.strip(b"\0") or _checksum_fits(block))


def parse_header(block: bytes) -> TarHeader:
    """The header in `block`, 512 bytes. Raises ArchiveFault. Source: POSIX.1-2017, pax."""
    if not _checksum_fits(block):
        raise bad_header("a header does not fit its checksum")
    name = _text(block[:100])
    # GNU archives ("ustar  ") keep other things where POSIX ones keep the front of long names.
    prefix = _text(block[345:500]) if block[257:263] == USTAR else b""
    return TarHeader(
        name=prefix + b"/" + name if prefix else name,
        size=_number(block[124:136]),
        type=block[156:157],
    )


def parse_pax(payload: bytes, limit: int) -> dict[str, bytes]:
    """Records "<length> <key>=<value>\\n" of an extended header, by key; `limit` in records."""
    records: dict[str, bytes] = {}
    for count, (key, value) in enumerate(_pax_records(payload), 1):
        if count > limit:
            raise bad_header(f"an extended header has more than {limit} records")
        if key in records and records[key] != value:
            raise bad_header(f"an extended header gives two values for one key ({len(key)} characters)")
        records[key] = value
    return records


def _pax_records(payload: bytes) -> Iterator[tuple[str, bytes]]:
    start = 0
    while start < len(payload):
        space = payload.find(b" ", start, start + 8)
        digits = payload[start:space] if space > 0 else b""
        end = start + int(digits) if digits.isdigit() else 0
        key, equals, value = payload[space + 1 : end - 1].partition(b"=")
        if end > len(payload) or not equals or not key or payload[end - 1 : end] != b"\n":
            raise bad_header("an extended header is malformed")
        yield key.decode("utf-8", "replace"), value
        start = end


def _text(field: bytes) -> bytes:
    return field.partition(b"\0")[0]


def _number(field: bytes) -> int:
    """A size: octal digits, or base 256 where the first bit is set (GNU). Raises ArchiveFault."""
    if field[0] == 0x80:
        return int.from_bytes(field[1:])
    digits = field.strip(b" \0")
    if not digits:
        return 0
    if digits.strip(b"01234567"):
        raise bad_header("a size is not a number")
    return int(digits, 8)


def _checksum_fits(block: bytes) -> bool:
    """Some old tars added signed bytes; both sums are accepted, as all readers do."""
    digits = block[148:156].strip(b" \0")
    if not digits or digits.strip(b"01234567"):
        return False
    unsigned = sum(block) - sum(block[148:156]) + 8 * 32
    return int(digits, 8) == unsigned or int(digits, 8) == unsigned - 256 * _high_bytes(block)


def _high_bytes(block: bytes) -> int:
    return sum(byte > 127 for byte in block[:148] + block[156:])
