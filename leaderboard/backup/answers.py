"""The vault in a backup: only where asked for, only where this host sees it, and only sealed."""

import tarfile
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import BinaryIO

from leaderboard.backup.errors import BackupError
from leaderboard.backup.sealing import seal, unseal


class _Pipe:
    """What is written on one side, as pieces on the other; few wait between."""

    def __init__(self) -> None:
        self.queue: Queue[bytes | BaseException | None] = Queue(maxsize=8)

    def write(self, piece: bytes) -> int:
        if piece:
            self.queue.put(bytes(piece))
        return len(piece)

    def __iter__(self) -> Iterator[bytes]:
        while (piece := self.queue.get()) is not None:
            if isinstance(piece, BaseException):
                raise piece
            yield piece


def sealed_vault(vault: Path, passphrase: str) -> Iterator[bytes]:
    """The vault as a sealed archive. Nothing of it touches a disk in the clear."""
    if not vault.is_dir():
        raise BackupError(f"The vault {vault} is not here. Run this on the grading host.")
    pipe = _Pipe()
    Thread(target=_pack, args=(vault, pipe), daemon=True).start()
    yield from seal(pipe, passphrase)


def _pack(vault: Path, pipe: _Pipe) -> None:
    try:
        with tarfile.open(fileobj=pipe, mode="w|") as archive:  # type: ignore[call-overload]
            archive.add(vault, arcname=".")
    except BaseException as error:  # Whatever it is, it ends on the other side.
        pipe.queue.put(error)
    pipe.queue.put(None)


def unseal_vault(file: BinaryIO, passphrase: str, vault: Path) -> None:
    """Into an empty vault of mode 700."""
    vault.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(vault.iterdir()):
        raise BackupError(f"The vault {vault} is not empty. Restore into an empty one.")
    reader = _Reader(unseal(file, passphrase))
    with tarfile.open(fileobj=reader, mode="r|") as archive:  # type: ignore[call-overload]
        archive.extractall(vault, filter="tar")
    vault.chmod(0o700)


class _Reader:
    """Pieces as a file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces, self.held = pieces, b""

    def read(self, size: int) -> bytes:
        while len(self.held) < size and (piece := next(self.pieces, b"")):
            self.held += piece
        taken, self.held = self.held[:size], self.held[size:]
        return taken
