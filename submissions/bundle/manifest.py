"""What reading a bundle gives back, and where its files go meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from .layout import Kind


@dataclass(frozen=True, slots=True)
class KeptMember:
    """A file about to be read: where it lies and what it is. Sizes are not known yet."""

    path: str
    kind: Kind
    seed: str | None
    competition_id: str | None
    checkpoint_hours: float | None
    compression: str


@dataclass(frozen=True, slots=True)
class Member:
    """A file that was read whole. `size` (bytes) and `sha256` are of its content, predictions decompressed.

    `seed` is the run group's name where the benchmark's own layout is used. `compression` is how predictions
    lay in the archive: none, gzip or zstd.
    """

    path: str
    kind: Kind
    seed: str | None
    competition_id: str | None
    checkpoint_hours: float | None
    size: int
    sha256: str
    compression: str


@dataclass(frozen=True, slots=True)
class IgnoredMember:
    """A file that was read over. `path` is escaped and shortened, as messages show it."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """A bundle that was read to its end. `size` and `sha256` are of the archive itself, as uploaded.

    `members` holds predictions, checkpoints, logs and code; run card and grading report are given as bytes.
    `run_groups` names the seeds that are run groups, for the run card to map. `format` is tar, tar.gz,
    tar.zst, tar.xz or zip.
    """

    format: str
    sha256: str
    size: int
    members: tuple[Member, ...]
    ignored: tuple[IgnoredMember, ...]
    run_card: bytes | None
    run_card_name: str | None
    grading_report: bytes | None
    run_groups: tuple[str, ...]


class MemberSink(Protocol):
    """Where the bytes of one kept file go.

    `close` says the file is whole. `abort` says the bundle is refused: it is called once for every sink that
    was opened, closed or not, and must not raise.
    """

    def write(self, data: bytes, /) -> object: ...
    def close(self) -> object: ...
    def abort(self) -> object: ...
