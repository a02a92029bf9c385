"""Every hostile kind of archive, made by a small function, with the exact code it is refused under."""

import bz2
import gzip
import lzma
import struct
import zlib
from collections.abc import Callable
from typing import Any

import pytest
import zstandard

from submissions.bundle import BundleError, Code
from tests.submissions import bundles as b

RUN = b.RUN.encode()
GZ_RUN = b"2/spaceship-titanic/submission.csv.gz"
ZST_RUN = b"2/spaceship-titanic/submission.csv.zst"
GOOD_RUN = b.zip_entry(RUN)

Case = tuple[Code, Callable[[], bytes]]


def link_tar(kind: bytes) -> bytes:
    return b.run_tar(b.tar_member(b"2/leaf-classification/submission.csv", kind=kind))


def old_sparse_tar() -> bytes:
    """A GNU sparse member of 512 bytes that stands for 1 TiB."""
    header = bytearray(b.tar_header(b"hole", b"\x80" + (1 << 40).to_bytes(11), b"S", b"ustar  \0"))
    return b.run_tar(bytes(header))


def pax_sparse_tar() -> bytes:
    records = [(b"GNU.sparse.major", b"1"), (b"GNU.sparse.realsize", b"1099511627776")]
    return b.run_tar(b.pax(records), b.tar_member(b"hole", b"0\n"))


def chained_long_names() -> bytes:
    link = b.tar_member(b"././@LongLink", b"name\0", b"L")
    return b.run_tar(link * 5000, b.tar_member(b"x", b"x"))


def pax_claiming(length: bytes) -> bytes:
    return b.run_tar(b.tar_member(b"pax", length + b" path=x\n", b"x"), b.tar_member(b"x", b"x"))


def bad_checksum_tar() -> bytes:
    good = b.run_tar(b.tar_member(b"a", b"x"))
    return good[:1024] + b"\xff" + good[1025:]


TARS: dict[str, Case] = {
    "symbolic link": (Code.SYMLINK, lambda: link_tar(b"2")),
    "hard link": (Code.HARDLINK, lambda: link_tar(b"1")),
    "hard link with content": (Code.HARDLINK, lambda: b.run_tar(b.tar_member(b"link", b"x" * 600, b"1"))),
    "character device": (Code.DEVICE, lambda: link_tar(b"3")),
    "block device": (Code.DEVICE, lambda: link_tar(b"4")),
    "fifo": (Code.FIFO, lambda: link_tar(b"6")),
    "multi-volume part": (Code.SPECIAL, lambda: link_tar(b"M")),
    "unknown type": (Code.SPECIAL, lambda: link_tar(b"Z")),
    "gnu sparse, 1 TiB": (Code.SPARSE, old_sparse_tar),
    "pax sparse, 1 TiB": (Code.SPARSE, pax_sparse_tar),
    "folder with content": (Code.BAD_TAR_HEADER, lambda: b.run_tar(b.tar_member(b"a/", b"x" * 600, b"5"))),
    "twice the same": (Code.DUPLICATE_MEMBER, lambda: b.run_tar(b.tar_member(RUN, b"other"))),
    "file and folder": (Code.DUPLICATE_MEMBER, lambda: b.run_tar(b.tar_member(RUN + b"/", kind=b"5"))),
    "the same by ./": (Code.DUPLICATE_MEMBER, lambda: b.run_tar(b.tar_member(b"./" + RUN, b"x"))),
    "other case": (Code.COLLIDING_MEMBER, lambda: b.run_tar(b.tar_member(RUN.upper(), b"x"))),
    "other normal form": (
        Code.COLLIDING_MEMBER,
        lambda: b.run_tar(*(b.tar_member(name.encode(), b"x") for name in ("code/\xe9", "code/e\u0301"))),
    ),
    "pax header bomb": (
        Code.EXTENSION_HEADER_TOO_LARGE,
        lambda: b.run_tar(b.pax([(b"SCHILY.xattr.user.a", b"x" * 2_700_000)])),
    ),
    "gnu long name bomb": (
        Code.EXTENSION_HEADER_TOO_LARGE,
        lambda: b.run_tar(b.tar_member(b"././@LongLink", b"a/" * 500_000, b"L")),
    ),
    "gnu long link bomb": (
        Code.EXTENSION_HEADER_TOO_LARGE,
        lambda: b.run_tar(b.tar_header(b"././@LongLink", b"\x80" + (1 << 60).to_bytes(11), b"K")),
    ),
    "chained long names": (Code.TOO_MANY_EXTENSION_HEADERS, chained_long_names),
    "two long names": (
        Code.BAD_TAR_HEADER,
        lambda: b.run_tar(
            b.tar_member(b"L", b"a\0", b"L"), b.pax([(b"path", b"b")]), b.tar_member(b"x", b"x")
        ),
    ),
    "pax path twice": (
        Code.BAD_TAR_HEADER,
        lambda: b.run_tar(b.pax([(b"path", b"a"), (b"path", b"b")]), b.tar_member(b"x")),
    ),
    "pax header of 6,000 records": (
        Code.BAD_TAR_HEADER,
        lambda: b.run_tar(b.pax([(b"%d" % n, b"") for n in range(6000)]), b.tar_member(b"x")),
    ),
    "pax name for all": (Code.BAD_TAR_HEADER, lambda: b.run_tar(b.pax([(b"path", b"../a")], b"g"))),
    "pax record too long": (Code.BAD_TAR_HEADER, lambda: pax_claiming(b"999999")),
    "pax record of length 0": (Code.BAD_TAR_HEADER, lambda: pax_claiming(b"0")),
    "pax record with a negative length": (Code.BAD_TAR_HEADER, lambda: pax_claiming(b"-9")),
    "pax size that is none": (
        Code.BAD_TAR_HEADER,
        lambda: b.run_tar(b.pax([(b"size", b"-5")]), b.tar_member(b"x", b"x")),
    ),
    "pax size with 4,000 digits": (
        Code.BAD_TAR_HEADER,
        lambda: b.run_tar(b.pax([(b"size", b"9" * 4000)]), b.tar_member(b"x", b"x")),
    ),
    "pax header before nothing": (Code.BAD_TAR_HEADER, lambda: b.raw_tar(b.pax([(b"path", b"x")]))),
    "pax header of 1 TiB, sparse": (
        Code.EXTENSION_HEADER_TOO_LARGE,
        lambda: b.run_tar(b.tar_header(b"pax", b"\x80" + (1 << 40).to_bytes(11), b"x")),
    ),
    "negative size": (Code.BAD_TAR_HEADER, lambda: b.run_tar(b.tar_header(b"x", b"\xff" * 12))),
    "size not octal": (Code.BAD_TAR_HEADER, lambda: b.run_tar(b.tar_header(b"x", b"99x"))),
    "checksum": (Code.BAD_TAR_HEADER, bad_checksum_tar),
    "size beyond the file": (
        Code.TRUNCATED,
        lambda: b.run_tar(b.tar_header(b"x", 1 << 20)),
    ),
    "size of 1 TiB": (
        Code.MEMBER_TOO_LARGE,
        lambda: b.run_tar(b.tar_header(b"x", b"\x80" + (1 << 40).to_bytes(11))),
    ),
    "no end marker": (Code.TRUNCATED, lambda: b.run_tar()[:-1024]),
    "second archive behind": (Code.TRAILING_DATA, lambda: b.run_tar() + b.run_tar()),
    "a byte behind": (Code.TRAILING_DATA, lambda: b.run_tar() + bytes(100_000) + b"x"),
}

NAMES: dict[str, tuple[Code, bytes]] = {
    "absolute": (Code.NAME_ABSOLUTE, b"/etc/passwd"),
    "two slashes": (Code.NAME_ABSOLUTE, b"//host/share"),
    "parent": (Code.NAME_PARENT, b"../up"),
    "parent inside": (Code.NAME_PARENT, b"1/../../up"),
    "drive": (Code.NAME_DRIVE, b"C:/windows"),
    "backslash": (Code.NAME_BACKSLASH, b"1\\spaceship-titanic\\submission.csv"),
    "parent by backslash": (Code.NAME_BACKSLASH, b"..\\up"),
    "dot part": (Code.NAME_DOT_PART, b"1/./spaceship-titanic/submission.csv"),
    "empty part": (Code.NAME_DOT_PART, b"1//spaceship-titanic/submission.csv"),
    "empty": (Code.NAME_EMPTY, b""),
    "only a dot": (Code.NAME_EMPTY, b"."),
    "latin-1": (Code.NAME_NOT_UTF8, b"caf\xe9"),
    "overlong utf-8": (Code.NAME_NOT_UTF8, b"a\xc0\xaf..\xc0\xafb"),
    "surrogate": (Code.NAME_NOT_UTF8, b"a\xed\xa0\x80"),
    "line break": (Code.NAME_CONTROL_CHARACTER, b"a\nb"),
    "escape sequence": (Code.NAME_CONTROL_CHARACTER, b"a\x1b[2Jb"),
    "c1 control": (Code.NAME_CONTROL_CHARACTER, "a\x9bb".encode()),
    "line separator": (Code.NAME_CONTROL_CHARACTER, "a\u2028b".encode()),
    "right-to-left override": (Code.NAME_BIDI_CHARACTER, "a\u202evsc.exe".encode()),
    "isolate": (Code.NAME_BIDI_CHARACTER, "a\u2066b".encode()),
    "zero width space": (Code.NAME_INVISIBLE_CHARACTER, "a\u200bb".encode()),
    "byte order mark": (Code.NAME_INVISIBLE_CHARACTER, "\ufeffrun_card.yaml".encode()),
    "long": (Code.NAME_TOO_LONG, b"code/" + b"/".join([b"a" * 200] * 6)),
    "long part": (Code.NAME_TOO_LONG, b"code/" + b"a" * 300),
    "deep": (Code.NAME_TOO_DEEP, b"code/" + b"a/" * 40 + b"x"),
    "seed": (Code.BAD_SEED, b"my seed/spaceship-titanic/submission.csv"),
    "seed starting with a dash": (Code.BAD_SEED, b"-rf/spaceship-titanic/submission.csv"),
}


def nul_in_pax() -> bytes:
    return b.run_tar(b.pax([(b"path", b"code/a\0b")]), b.tar_member(b"x", b"x"))


LAYOUT: dict[str, Case] = {
    "NUL in a pax name": (Code.NAME_CONTROL_CHARACTER, nul_in_pax),
    "one run twice": (
        Code.DUPLICATE_RUN,
        lambda: b.tar({b.RUN: b.CSV, b.RUN + ".gz": gzip.compress(b.CSV)}),
    ),
    "one competition twice in a run group": (
        Code.DUPLICATE_RUN,
        lambda: b.tar({f"g/spaceship-titanic_{x}/submission/submission.csv": b.CSV for x in "ab"}),
    ),
    "one checkpoint twice": (
        Code.DUPLICATE_RUN,
        lambda: b.tar({f"1/spaceship-titanic/checkpoints/{x}/submission.csv": b.CSV for x in ("1", "1.0")}),
    ),
    "two folders that wrap": (
        Code.MIXED_LAYOUT,
        lambda: b.tar({"a/" + b.RUN: b.CSV, b.RUN.replace("1", "2"): b.CSV}),
    ),
    "two run cards": (
        Code.TWO_RUN_CARDS,
        lambda: b.tar({"run_card.yaml": b"", "run_card.json": b"{}", b.RUN: b.CSV}),
    ),
    "nothing": (Code.NO_SUBMISSION, lambda: bytes(1024)),
    "nothing in a zip": (Code.NO_SUBMISSION, lambda: b.zip_end(0, 0, 0)),
    "no predictions": (Code.NO_SUBMISSION, lambda: b.tar({"run_card.yaml": b.RUN_CARD})),
    "a large run card": (
        Code.RUN_CARD_TOO_LARGE,
        lambda: b.tar({"run_card.yaml": b"a" * 300_000, b.RUN: b.CSV}),
    ),
    "a large report": (
        Code.GRADING_REPORT_TOO_LARGE,
        lambda: b.tar({"grading_report.json": b" " * (1 << 21), b.RUN: b.CSV}),
    ),
}


def other_name_in_directory() -> bytes:
    line = b.zip_central(GOOD_RUN, 0, name=b"2" + RUN[1:])
    return GOOD_RUN + line + b.zip_end(1, len(line), len(GOOD_RUN))


def overlapping_zip() -> bytes:
    """Two lines of the directory for the same bytes, as overlap bombs have thousands."""
    lines = b.zip_central(GOOD_RUN, 0) * 2
    return GOOD_RUN + lines + b.zip_end(2, len(lines), len(GOOD_RUN))


def quoted_zip() -> bytes:
    """An entry that holds another entry, which the directory lists too (the quoting of zbsm bombs)."""
    inner = b.zip_entry(b"code/inner", b"x" * 100)
    outer = b.zip_entry(RUN, inner)
    inner_at = len(outer) - len(inner)
    lines = b.zip_central(outer, 0) + b.zip_central(inner, inner_at)
    return outer + lines + b.zip_end(2, len(lines), len(outer))


def hidden_entry_zip() -> bytes:
    """An entry the directory does not list."""
    hidden = b.zip_entry(b"code/hidden", b"x")
    line = b.zip_central(GOOD_RUN, len(hidden))
    return hidden + GOOD_RUN + line + b.zip_end(1, len(line), len(hidden) + len(GOOD_RUN))


def wrong_offset_zip() -> bytes:
    line = b.zip_central(GOOD_RUN, 0)
    return GOOD_RUN + line + b.zip_end(1, len(line), 7)


def wrong_count_zip() -> bytes:
    line = b.zip_central(GOOD_RUN, 0)
    return GOOD_RUN + line + b.zip_end(60_000, len(line), len(GOOD_RUN))


def zip64_end_zip() -> bytes:
    line = b.zip_central(GOOD_RUN, 0)
    return GOOD_RUN + line + b"PK\x06\x06" + bytes(52) + b.zip_end(1, len(line), len(GOOD_RUN))


def two_names_zip() -> bytes:
    name = b"code/a.py"
    field = b"\x01" + struct.pack("<I", zlib.crc32(name)) + b"code/b.py"
    extra = struct.pack("<HH", 0x7075, len(field)) + field
    return b.raw_zip(GOOD_RUN, b.zip_entry(name, b"x", extra=extra))


def entry_zip(**fields: object) -> bytes:
    return b.raw_zip(GOOD_RUN, b.zip_entry(b"code/a.py", **fields))  # type: ignore[arg-type]


def mode_zip(mode: int) -> bytes:
    return b.raw_zip(
        GOOD_RUN, b.zip_entry(b"2/leaf-classification/submission.csv", b"/etc/x"), modes=[0, mode]
    )


ZIPS: dict[str, Case] = {
    "symbolic link": (Code.SYMLINK, lambda: mode_zip(0o120777)),
    "fifo": (Code.FIFO, lambda: mode_zip(0o010644)),
    "device": (Code.DEVICE, lambda: mode_zip(0o020644)),
    "socket": (Code.SPECIAL, lambda: mode_zip(0o140644)),
    "encrypted": (Code.ZIP_ENCRYPTED, lambda: entry_zip(flags=1)),
    "strongly encrypted": (Code.ZIP_ENCRYPTED, lambda: entry_zip(flags=1 << 6)),
    "bzip2": (Code.ZIP_METHOD, lambda: entry_zip(method=12)),
    "lzma": (Code.ZIP_METHOD, lambda: entry_zip(method=14)),
    "deflate64": (Code.ZIP_METHOD, lambda: entry_zip(method=9)),
    "stored without an end": (Code.ZIP_STREAMED, lambda: b.streamed_zip({b.RUN: b.CSV}, 0)),
    "zip64 entry": (Code.ZIP64, lambda: entry_zip(extra=struct.pack("<HHQQ", 1, 16, 6, 6))),
    "zip64 end": (Code.ZIP64, zip64_end_zip),
    "two names": (Code.NAME_AMBIGUOUS, two_names_zip),
    "extra field too long": (Code.BAD_ZIP_HEADER, lambda: entry_zip(extra=struct.pack("<HH", 9, 999))),
    "checksum": (Code.ZIP_CHECKSUM, lambda: entry_zip(crc=1)),
    "streamed, checksum": (
        Code.ZIP_CHECKSUM,
        lambda: b.streamed_zip({b.RUN: b.CSV}).replace(b"PK\x07\x08", b"PK\x07\x09"),
    ),
    "more than its content": (
        Code.BAD_ZIP_HEADER,
        lambda: entry_zip(method=8, packed=b.deflate_zeros(1) + b"hidden"),
    ),
    "less than its content": (Code.TRUNCATED, lambda: entry_zip(method=8, packed=b.deflate_zeros(1)[:-9])),
    "not deflated": (Code.CORRUPT_STREAM, lambda: entry_zip(method=8, packed=b"\xff" * 50)),
    "folder with content": (Code.BAD_ZIP_HEADER, lambda: b.raw_zip(GOOD_RUN, b.zip_entry(b"code/", b"x"))),
    "twice the same": (Code.DUPLICATE_MEMBER, lambda: b.raw_zip(GOOD_RUN, GOOD_RUN)),
    "other name in the directory": (Code.ZIP_DIRECTORY_MISMATCH, other_name_in_directory),
    "overlap bomb": (Code.ZIP_DIRECTORY_MISMATCH, overlapping_zip),
    "quoted entry": (Code.ZIP_DIRECTORY_MISMATCH, quoted_zip),
    "hidden entry": (Code.ZIP_DIRECTORY_MISMATCH, hidden_entry_zip),
    "wrong offset": (Code.ZIP_DIRECTORY_MISMATCH, wrong_offset_zip),
    "wrong count": (Code.ZIP_DIRECTORY_MISMATCH, wrong_count_zip),
    "data between": (Code.BAD_ZIP_HEADER, lambda: b.raw_zip(GOOD_RUN, b.zip_entry(b"x"), between=b"hidden")),
    "data behind": (Code.TRAILING_DATA, lambda: b.raw_zip(GOOD_RUN) + b"x"),
    "data before": (Code.NOT_AN_ARCHIVE, lambda: b"#!/bin/sh\n" * 60 + b.raw_zip(GOOD_RUN)),
    "cut": (Code.TRUNCATED, lambda: b.raw_zip(GOOD_RUN)[:-5]),
    "parent": (Code.NAME_PARENT, lambda: b.raw_zip(GOOD_RUN, b.zip_entry(b"../x"))),
    "absolute": (Code.NAME_ABSOLUTE, lambda: b.raw_zip(GOOD_RUN, b.zip_entry(b"/x"))),
    "latin-1": (Code.NAME_NOT_UTF8, lambda: b.raw_zip(GOOD_RUN, b.zip_entry(b"caf\xe9"))),
    "NUL": (Code.NAME_CONTROL_CHARACTER, lambda: b.raw_zip(GOOD_RUN, b.zip_entry(b"a\0b"))),
}


def nested(name: bytes, content: bytes) -> bytes:
    return b.run_tar(b.tar_member(name, content))


STREAMS: dict[str, Case] = {
    "nothing at all": (Code.NOT_AN_ARCHIVE, lambda: b""),
    "a CSV": (Code.NOT_AN_ARCHIVE, lambda: b.CSV * 100),
    "a 7z": (Code.NOT_AN_ARCHIVE, lambda: b"7z\xbc\xaf\x27\x1c" + bytes(600)),
    "a bzip2": (Code.NOT_AN_ARCHIVE, lambda: bz2.compress(b.run_tar())),
    "a gzipped CSV": (Code.NOT_AN_ARCHIVE, lambda: gzip.compress(b.CSV * 100)),
    "a zstd of nothing": (Code.NOT_AN_ARCHIVE, lambda: zstandard.compress(b"")),
    "gzip, cut": (Code.TRUNCATED, lambda: gzip.compress(b.run_tar())[:-10]),
    "xz, cut": (Code.TRUNCATED, lambda: lzma.compress(b.run_tar())[:-40]),
    "zstd, cut": (Code.TRUNCATED, lambda: zstandard.compress(b.run_tar())[:-3]),
    "gzip, wrong checksum": (Code.CORRUPT_STREAM, lambda: gzip.compress(b.run_tar())[:-8] + bytes(8)),
    "gzip, junk behind": (Code.TRAILING_DATA, lambda: gzip.compress(b.run_tar()) + b"junk"),
    "xz, junk behind": (Code.TRAILING_DATA, lambda: lzma.compress(b.run_tar()) + b"junk"),
    "zstd, junk behind": (Code.TRAILING_DATA, lambda: zstandard.compress(b.run_tar()) + b"junk"),
    "gzip, 2000 members": (
        Code.TOO_MANY_STREAMS,
        lambda: gzip.compress(b.run_tar()) + gzip.compress(b"") * 2000,
    ),
    "xz with a huge dictionary": (Code.NEEDS_TOO_MUCH_MEMORY, b.huge_dictionary_xz),
    "zstd with a huge window": (Code.NEEDS_TOO_MUCH_MEMORY, lambda: b.zstd_zeros(1, window_log=30)),
    "zstd with a dictionary": (Code.CORRUPT_STREAM, lambda: b.ZSTD_MAGIC + b"\x03\x70" + b"\x01" * 600),
    "nested gzip, no gzip": (Code.NESTED_CORRUPT, lambda: nested(GZ_RUN, b.CSV)),
    "nested gzip, empty": (Code.NESTED_CORRUPT, lambda: nested(GZ_RUN, b"")),
    "nested gzip, cut": (Code.NESTED_CORRUPT, lambda: nested(GZ_RUN, gzip.compress(b.CSV)[:-3])),
    "nested gzip, junk behind": (Code.NESTED_CORRUPT, lambda: nested(GZ_RUN, gzip.compress(b.CSV) + b"x")),
    "nested zstd, cut": (Code.NESTED_CORRUPT, lambda: nested(ZST_RUN, zstandard.compress(b.CSV)[:-3])),
    "nested zstd, huge window": (
        Code.NEEDS_TOO_MUCH_MEMORY,
        lambda: nested(ZST_RUN, b.zstd_zeros(1, window_log=30)),
    ),
    "nested gzip, 2000 members": (
        Code.TOO_MANY_STREAMS,
        lambda: nested(GZ_RUN, gzip.compress(b.CSV) * 2000),
    ),
}

# The bombs: 2 GB from 60 KB or so, had they been let go on.
BOMBS: dict[str, Case] = {
    "gzip": (Code.RATIO_EXCEEDED, lambda: b.gzip_zeros(64)),
    "xz": (Code.RATIO_EXCEEDED, lambda: b.xz_zeros(64)),
    "zstd": (Code.RATIO_EXCEEDED, lambda: b.zstd_zeros(2000)),
    "zip": (
        Code.RATIO_EXCEEDED,
        lambda: b.raw_zip(b.zip_entry(RUN, b"", method=8, packed=b.deflate_zeros(64))),
    ),
    "nested gzip": (Code.NESTED_RATIO_EXCEEDED, lambda: nested(GZ_RUN, b.gzip_zeros(64))),
    "nested zstd": (Code.NESTED_RATIO_EXCEEDED, lambda: nested(ZST_RUN, b.zstd_zeros(2000))),
    "gzip in gzip": (Code.NESTED_RATIO_EXCEEDED, lambda: gzip.compress(nested(GZ_RUN, b.gzip_zeros(64)))),
}

ALL: dict[str, Case] = {
    **{f"tar: {name}": case for name, case in TARS.items()},
    **{f"name: {name}": (code, lambda raw=raw: b.named_tar(raw)) for name, (code, raw) in NAMES.items()},
    **{f"layout: {name}": case for name, case in LAYOUT.items()},
    **{f"zip: {name}": case for name, case in ZIPS.items()},
    **{f"stream: {name}": case for name, case in STREAMS.items()},
    **{f"bomb: {name}": case for name, case in BOMBS.items()},
}


def refusal(data: bytes, **limits: Any) -> BundleError:
    sinks: list[b.MemorySink] = []
    with pytest.raises(BundleError) as caught:
        b.read(data, keep=lambda member: sinks.append(Counting(member)) or sinks[-1], **limits)
    assert all(sink.aborted for sink in sinks)
    return caught.value


class Counting(b.MemorySink):
    """Does not hold what is written, so that memory measured is the reader's."""

    def write(self, data: bytes) -> None:
        pass


@pytest.mark.parametrize(("code", "make"), ALL.values(), ids=ALL)
def test_hostile(code: Code, make: Callable[[], bytes]) -> None:
    error = refusal(make())
    assert [problem.code for problem in error.problems] == [code]
    assert all(len(problem.message) < 600 and problem.message.isprintable() for problem in error.problems)
