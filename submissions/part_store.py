"""Where the parts of an upload lie until intake has read them.

Two stores, one protocol: the browser asks where to send a part, sends it there with its checksum, and says when all
are sent. `LocalParts` takes them through this site and keeps a file per part. A store that signs URLs of its own (S3)
answers `target` with those, and the browser notices no difference.
"""

import hashlib
import io
import os
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol

CHECKSUM_HEADER = "X-Checksum-Sha256"
CHUNK = 2**20


class PartRefused(Exception):
    """The part is not what it was said to be. Carries a code and a sentence for the sender."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True)
class PartTarget:
    """Where and how to send one part. The sender adds the checksum header with the hex SHA-256 of the bytes."""

    url: str
    method: str = "PUT"
    headers: Mapping[str, str] = field(default_factory=dict)


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class LocalParts:
    """A folder per upload, a file per part: written aside, synced, then renamed, so that a part is whole or absent."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, key: str, number: int, source: Readable, size: int, sha256: str) -> None:
        """Stores one part, once. Raises PartRefused when it is not as announced, or not what is there already.

        A link and not a rename: a slow sender must not replace what another has sent, or what intake has read.
        """
        folder = self._folder(key)
        folder.mkdir(parents=True, exist_ok=True)
        draft = folder / f".{number}.{os.getpid()}.{os.urandom(4).hex()}"
        try:
            with draft.open("xb") as file:
                _copy_checked(source, file, size, sha256)
                file.flush()
                os.fsync(file.fileno())
            os.link(draft, self._part(key, number))
        except FileExistsError:
            self._require_same(key, number, sha256)
        except FileNotFoundError as error:
            raise PartRefused(
                "upload_gone", "This upload was given up while the part was on its way."
            ) from error
        finally:
            draft.unlink(missing_ok=True)

    def _require_same(self, key: str, number: int, sha256: str) -> None:
        with _open_regular(self._part(key, number)) as stored:
            if hashlib.file_digest(stored, "sha256").hexdigest() != sha256.lower():
                raise PartRefused("part_differs", f"Part {number} is already here with other bytes.")

    def open(self, key: str, count: int) -> BinaryIO:
        """All parts in order as one stream."""
        return io.BufferedReader(_Joined([self._part(key, number) for number in range(1, count + 1)]), CHUNK)

    def delete(self, key: str) -> None:
        shutil.rmtree(self._folder(key), ignore_errors=True)

    def _folder(self, key: str) -> Path:
        return self.root / key

    def _part(self, key: str, number: int) -> Path:
        return self._folder(key) / f"part-{number:05d}"


def _copy_checked(source: Readable, target: BinaryIO, size: int, sha256: str) -> None:
    digest = hashlib.sha256()
    left = size
    while left and (chunk := source.read(min(CHUNK, left))):
        digest.update(chunk)
        target.write(chunk)
        left -= len(chunk)
    if left:
        raise PartRefused("part_cut_short", f"The connection ended {left} bytes early. Send the part again.")
    if source.read(1):
        raise PartRefused("part_too_long", f"The part holds more than the {size} bytes it should have.")
    if digest.hexdigest() != sha256.lower():
        raise PartRefused(
            "part_checksum", "The bytes that arrived do not have the announced SHA-256. Send the part again."
        )


def _open_regular(path: Path) -> io.BufferedReader:
    """The file itself. Raises OSError for a link, and for what is no regular file: nobody here makes either."""
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(f"{path.name} is not a regular file")
    return file


class _Joined(io.RawIOBase):
    """Files read one after the other."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._rest: Iterator[Path] = iter(paths)
        self._current: BinaryIO | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview[int] | bytearray") -> int:  # type: ignore[override]
        while True:
            if self._current is None and not self._advance():
                return 0
            assert self._current is not None
            if count := self._current.readinto(buffer):  # type: ignore[attr-defined]
                return int(count)
            self._current.close()
            self._current = None

    def _advance(self) -> bool:
        path = next(self._rest, None)
        self._current = _open_regular(path) if path else None
        return path is not None

    def close(self) -> None:
        if self._current:
            self._current.close()
        super().close()
