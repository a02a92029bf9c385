"""Files written and read with their SHA-256. Whatever a backup holds is for its owner's eyes alone."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from leaderboard.backup.errors import BackupError

PIECE = 2**20


def create(path: Path) -> BinaryIO:
    """A new file of mode 600, in folders of mode 700."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def write(path: Path, pieces: Iterable[bytes]) -> tuple[int, str]:
    """Bytes and SHA-256 of what was written; on the disk when this returns."""
    size, digest = 0, hashlib.sha256()
    with create(path) as file:
        for piece in pieces:
            file.write(piece)
            digest.update(piece)
            size += len(piece)
        file.flush()
        os.fsync(file.fileno())
    return size, digest.hexdigest()


def pieces_of(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(PIECE):
        yield piece


def digest_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for piece in pieces_of(file):
            digest.update(piece)
    return digest.hexdigest()


def require_digest(path: Path, wanted: str) -> None:
    """Raises BackupError where the file is missing or not the one that was written."""
    if not path.is_file():
        raise BackupError(f"{path} is missing. Take another backup, or copy this one again.")
    if digest_of(path) != wanted:
        raise BackupError(
            f"{path} is damaged: its SHA-256 is not {wanted}. Take another backup, or copy this one again."
        )
