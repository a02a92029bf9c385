"""What the archive formats have in common: one member as it lies in the archive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class RawKind(StrEnum):
    """What a member is. All but files and folders are refused under the code of the same name."""

    FILE = "file"
    FOLDER = "folder"
    SYMLINK = "symlink"
    HARDLINK = "hardlink"
    DEVICE = "device"
    FIFO = "fifo"
    SPARSE = "sparse"
    SPECIAL = "special"


@dataclass(frozen=True, slots=True)
class RawMember:
    """A member in reading order. `pieces` gives its bytes once, before the next member is asked for.

    `size` is what the archive declares, None where it comes only behind the bytes.
    """

    name: bytes
    kind: RawKind
    size: int | None
    pieces: Iterator[bytes]
