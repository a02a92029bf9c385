"""Counting bytes and seconds against the budget."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Protocol

from .budget import Budget
from .problems import ArchiveFault, Code, size_text
from .window import PIECE


class Readable(Protocol):
    """Any source of bytes: a file, an S3 body, a socket."""

    def read(self, size: int, /) -> bytes: ...


class Meter:
    """What one reading has used so far, over all its streams."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._started = budget.clock()
        self._expanded = 0

    def check_time(self) -> None:
        if self.budget.clock() - self._started > self.budget.seconds:
            raise ArchiveFault(
                Code.OUT_OF_TIME,
                f"Reading this bundle took longer than {self.budget.seconds:g} seconds. "
                "Leave out logs and code you do not need to show, or compress it less.",
            )

    def add_expanded(self, count: int) -> None:
        """Count bytes that came out of a decoder, of the archive or of a file inside it."""
        self.check_time()
        self._expanded += count
        if self._expanded > self.budget.total_bytes:
            raise ArchiveFault(
                Code.TOTAL_TOO_LARGE,
                f"The bundle expands to more than {size_text(self.budget.total_bytes)}. "
                "Hand in predictions only, and leave out data sets, model weights and training checkpoints.",
            )


class Expansion:
    """One decoder's bytes in and out. Raises ArchiveFault where they grow out of proportion.

    The ratio binds only above a floor, so that a small file of equal lines passes.
    """

    def __init__(self, meter: Meter, member: str | None, code: Code) -> None:
        self._meter, self._member, self._code = meter, member, code
        self._taken = self._given = 0

    def add(self, taken: int, given: int) -> None:
        self._taken += taken
        self._given += given
        self._meter.add_expanded(given)
        budget = self._meter.budget
        if self._given > budget.ratio_floor_bytes and self._given > budget.ratio * self._taken:
            what = f"'{self._member}'" if self._member else "The archive"
            raise ArchiveFault(
                self._code,
                f"{what} expands more than {budget.ratio} times ({self._taken} bytes gave over "
                f"{size_text(self._given)}). Files of real predictions do not; pack this one uncompressed.",
                self._member,
            )


class HashedSource:
    """The source's bytes in pieces; `size` and `sha256` are of exactly the bytes handed out."""

    def __init__(self, source: Readable, meter: Meter) -> None:
        self._source, self._meter = source, meter
        self._hash = hashlib.sha256()
        self.size = 0

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()

    def pieces(self) -> Iterator[bytes]:
        limit = self._meter.budget.total_bytes
        while data := self._source.read(PIECE):
            self._hash.update(data)
            self.size += len(data)
            if self.size > limit:
                raise ArchiveFault(
                    Code.ARCHIVE_TOO_LARGE,
                    f"The bundle is larger than {size_text(limit)}. Leave out data sets and model weights, "
                    "or use .tar.zst.",
                )
            self._meter.check_time()
            yield data
