"""Telling the five formats apart by their first bytes, never by a file's name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .decoders import GZIP, XZ, ZSTD
from .expand import expanded
from .meter import Expansion, Meter
from .problems import ArchiveFault, Code, Problem
from .raw import RawMember
from .tar_archive import tar_members
from .tar_header import BLOCK, looks_like_tar
from .window import Window
from .zip_archive import zip_members
from .zip_header import END, LOCAL

TAR_CODECS = {"tar.gz": GZIP, "tar.zst": ZSTD, "tar.xz": XZ}


def open_archive(
    window: Window, meter: Meter, report: Callable[[Problem], None]
) -> tuple[str, Iterator[RawMember]]:
    """The format's name and the members of the archive in `window`. Raises ArchiveFault if there is none."""
    head = window.peek(BLOCK)
    if head[:4] in (LOCAL, END):
        return "zip", zip_members(window, meter, report)
    for name, codec in TAR_CODECS.items():
        if codec.begins(head):
            expansion = Expansion(meter, None, Code.RATIO_EXCEEDED)
            inner = Window(expanded(window, codec, meter.budget, expansion, _fault))
            return name, _open_tar(inner, meter, f"There is no tar archive inside the {codec.name} file.")
    return "tar", _open_tar(window, meter, "The file is empty." if not head else "The file is no archive.")


def _open_tar(window: Window, meter: Meter, complaint: str) -> Iterator[RawMember]:
    if not looks_like_tar(window.peek(BLOCK)):
        raise ArchiveFault(
            Code.NOT_AN_ARCHIVE,
            f"{complaint} Upload a .tar, .tar.gz, .tar.zst, .tar.xz or .zip of your runs.",
        )
    return tar_members(window, meter.budget)


def _fault(code: Code, message: str) -> ArchiveFault:
    return ArchiveFault(code, f"The archive {message}")
