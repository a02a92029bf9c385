"""Bundles made by code: good ones in every format, and the parts hostile ones are built from."""

from __future__ import annotations

import gzip
import io
import lzma
import struct
import tarfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable
from typing import Any

import zstandard

from submissions.bundle import Budget, KeptMember, Layout, Manifest, read_bundle

COMPETITIONS = frozenset({"spaceship-titanic", "dog-breed-identification", "leaf-classification"})
LAYOUT = Layout(COMPETITIONS)
CSV = b"id,target\n1,0\n2,1\n"
RUN_CARD = b"scaffold:\n  name: example\n"
RUN = "1/spaceship-titanic/submission.csv"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"

Files = dict[str, bytes]


class MemorySink:
    """Remembers what was written and how it ended."""

    def __init__(self, member: KeptMember) -> None:
        self.member = member
        self.data = bytearray()
        self.closed = self.aborted = False

    def write(self, data: bytes) -> None:
        self.data += data

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.aborted = True


class Forgetful:
    """A sink that only counts."""

    def __init__(self, member: KeptMember) -> None:
        self.size = 0

    def write(self, data: bytes) -> None:
        self.size += len(data)

    def close(self) -> None: ...

    def abort(self) -> None: ...


class Trickle:
    """A source that gives `step` bytes at a time and can do nothing but read."""

    def __init__(self, data: bytes, step: int) -> None:
        self._stream, self._step = io.BytesIO(data), step

    def read(self, size: int, /) -> bytes:
        return self._stream.read(min(size, self._step))


def budget(**limits: Any) -> Budget:
    return Budget(**{"clock": time.monotonic, **limits})


def read(data: bytes, keep: Callable[[KeptMember], object] = Forgetful, **limits: Any) -> Manifest:
    return read_bundle(io.BytesIO(data), layout=LAYOUT, budget=budget(**limits), keep=keep)


def good_files() -> Files:
    """Two seeds of two competitions in every way predictions may lie, with all that is optional."""
    return {
        "run_card.yaml": RUN_CARD,
        "grading_report.json": b"{}",
        RUN: CSV,
        "1/dog-breed-identification/submission.csv.gz": gzip.compress(CSV * 100),
        "2/spaceship-titanic/submission.csv.zst": zstandard.compress(CSV),
        "2/dog-breed-identification/submission.csv": CSV * 100,
        "2/dog-breed-identification/checkpoints/2.5/submission.csv": CSV,
        "2/dog-breed-identification/logs/run.log": b"epoch 1\n",
        "2/dog-breed-identification/code/train.py": b"print('hello')\n",
        "README.md": b"hello",
    }


def run_group_files() -> Files:
    """The benchmark's own layout."""
    attempt = "2024-09-12T15-53-23-GMT_run-group_aide/spaceship-titanic_1b2c"
    return {
        f"{attempt}/submission/submission.csv": CSV,
        f"{attempt}/logs/agent.log": b"log",
        f"{attempt}/code/main.py": b"code",
    }


# Archives of plain files, by the standard library


def tar(files: Files, compression: str = "") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=f"w:{compression}") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def zipped(files: Files, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def streamed_zip(files: Files, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """As a program writes it into a pipe: sizes come behind the bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(_Pipe(out), "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


class _Pipe(io.RawIOBase):
    def __init__(self, out: io.BytesIO) -> None:
        self._out = out

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        return self._out.write(data)


FORMATS: dict[str, Callable[[Files], bytes]] = {
    "tar": tar,
    "tar.gz": lambda files: tar(files, "gz"),
    "tar.xz": lambda files: tar(files, "xz"),
    "tar.zst": lambda files: zstandard.compress(tar(files)),
    "zip": zipped,
}


# Tar headers by hand, for what the library will not write


def tar_header(
    name: bytes, size: int | bytes = 0, kind: bytes = b"0", magic: bytes = b"ustar\x0000"
) -> bytes:
    """A header with a fitting checksum; `size` as bytes is put in as it is."""
    number = size if isinstance(size, bytes) else b"%011o\0" % size
    block = name[:100].ljust(100, b"\0") + b"0000644\0" + b"0000000\0" * 2 + number.ljust(12, b"\0")
    block += b"00000000000\0" + b" " * 8 + kind + b"x" * (100 if kind in b"12" else 0)
    block = block.ljust(257, b"\0") + magic
    block = block.ljust(512, b"\0")
    return block[:148] + b"%06o\0 " % sum(block) + block[156:]


def tar_member(name: bytes, content: bytes = b"", kind: bytes = b"0", magic: bytes = b"ustar\x0000") -> bytes:
    return tar_header(name, len(content), kind, magic) + content + bytes(-len(content) % 512)


def raw_tar(*members: bytes) -> bytes:
    return b"".join(members) + bytes(1024)


def pax(records: Iterable[tuple[bytes, bytes]], kind: bytes = b"x") -> bytes:
    return tar_member(b"pax", b"".join(map(_pax_record, records)), kind)


def _pax_record(record: tuple[bytes, bytes]) -> bytes:
    body = b" %s=%s\n" % record
    length = len(body) + 1
    while length != len(body) + len(str(length)):
        length = len(body) + len(str(length))
    return b"%d%s" % (length, body)


def run_tar(*before: bytes) -> bytes:
    """`before`, then one good run: a bundle that is fine but for what stands before."""
    return raw_tar(*before, tar_member(RUN.encode(), CSV))


def named_tar(name: bytes) -> bytes:
    """A good run and one more file of this name, by a pax header if it does not fit."""
    if len(name) <= 100:
        return run_tar(tar_member(name, b"x"))
    return run_tar(pax([(b"path", name)]), tar_member(b"short", b"x"))


# Zip records by hand


def zip_entry(
    name: bytes,
    content: bytes = CSV,
    *,
    flags: int = 0,
    method: int = 0,
    packed: bytes | None = None,
    extra: bytes = b"",
    crc: int | None = None,
) -> bytes:
    """A local header and its bytes."""
    body = content if packed is None else packed
    checksum = zlib.crc32(content) if crc is None else crc
    fields = (20, flags, method, 0, 0x21, checksum, len(body), len(content), len(name), len(extra))
    return b"PK\x03\x04" + struct.pack("<HHHHHIIIHH", *fields) + name + extra + body


def zip_central(entry: bytes, offset: int, mode: int = 0, name: bytes | None = None) -> bytes:
    """The directory's line for an entry made by `zip_entry`."""
    version, flags, method, at, on, crc, packed, plain, length, _ = struct.unpack_from(
        "<HHHHHIIIHH", entry, 4
    )
    own = entry[30 : 30 + length] if name is None else name
    fields = (
        0x314,
        version,
        flags,
        method,
        at,
        on,
        crc,
        packed,
        plain,
        len(own),
        0,
        0,
        0,
        0,
        mode << 16,
        offset,
    )
    return b"PK\x01\x02" + struct.pack("<HHHHHHIIIHHHHHII", *fields) + own


def zip_end(count: int, size: int, offset: int, comment: bytes = b"") -> bytes:
    return b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, count, count, size, offset, len(comment)) + comment


def raw_zip(*entries: bytes, modes: Iterable[int] = (), between: bytes = b"") -> bytes:
    """Entries with the directory that fits them; `between` goes in before the last entry."""
    offsets, at = [], 0
    for index, entry in enumerate(entries):
        at += len(between) if between and index == len(entries) - 1 else 0
        offsets.append(at)
        at += len(entry)
    files = b"".join(entries[:-1]) + between + entries[-1]
    mode_of = dict(enumerate(modes))
    lines = [zip_central(entry, offsets[i], mode_of.get(i, 0)) for i, entry in enumerate(entries)]
    directory = b"".join(lines)
    return files + directory + zip_end(len(entries), len(directory), len(files))


# Bombs: megabytes of zeros, made from one compressed megabyte repeated


def deflate_zeros(megabytes: int) -> bytes:
    compressor = zlib.compressobj(9, wbits=-15)
    once = compressor.compress(bytes(1 << 20)) + compressor.flush(zlib.Z_FULL_FLUSH)
    return once * megabytes + b"\x03\0"


def gzip_zeros(megabytes: int) -> bytes:
    return b"\x1f\x8b\x08" + bytes(7) + deflate_zeros(megabytes) + bytes(8)


def xz_zeros(megabytes: int) -> bytes:
    """One stream for each 8 MB."""
    return lzma.compress(bytes(8 << 20), preset=0) * (megabytes // 8)


def zstd_zeros(megabytes: int, window_log: int = 23) -> bytes:
    """One frame of run-length blocks: 4 bytes for 128 KiB, 32,000 to one."""
    block = ((128 << 10) << 3 | 1 << 1).to_bytes(3, "little") + b"\0"
    last = (1).to_bytes(3, "little")
    return ZSTD_MAGIC + b"\0" + bytes([(window_log - 10) << 3]) + block * (megabytes * 8) + last


def huge_dictionary_xz() -> bytes:
    """A small xz that asks for a dictionary of 1.5 GB, by setting the size in its block header."""
    data = bytearray(lzma.compress(CSV, lzma.FORMAT_XZ, check=lzma.CHECK_CRC32, preset=0))
    size = (data[12] + 1) * 4
    filter_at = data.index(b"\x21\x01", 12)
    data[filter_at + 2] = 37
    data[12 + size - 4 : 12 + size] = zlib.crc32(data[12 : 12 + size - 4]).to_bytes(4, "little")
    return bytes(data)
