"""Files on their way from the archive into a store."""

import os
import tempfile
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from django.core.files import File
from django.core.files.storage import Storage

from submissions.bundle import KeptMember


class SpooledMember:
    """One member's sink: written aside, and only kept when the reader closes it."""

    def __init__(self, folder: Path) -> None:
        descriptor, name = tempfile.mkstemp(dir=folder)
        self.path = Path(name)
        self.is_whole = False
        self._file: BinaryIO = os.fdopen(descriptor, "wb")

    def write(self, data: bytes) -> None:
        self._file.write(data)

    def close(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self.is_whole = True

    def abort(self) -> None:
        self._file.close()


class _Movable(File):  # type: ignore[type-arg]  # Not generic at run time.
    """Tells a store that it may move the file instead of copying it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path.open("rb"), name=path.name)
        self._path = path

    def temporary_file_path(self) -> str:
        return str(self._path)


class Spool:
    """A folder of spooled members by archive path. Leaving it deletes whatever was not moved into a store."""

    def __init__(self, parent: Path, prefix: str = "") -> None:
        parent.mkdir(parents=True, exist_ok=True)
        self._folder = tempfile.TemporaryDirectory(dir=parent, prefix=prefix)
        self._members: dict[str, SpooledMember] = {}

    def __enter__(self) -> "Spool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def keep(self, member: KeptMember) -> SpooledMember:
        sink = SpooledMember(Path(self._folder.name))
        self._members[member.path] = sink
        return sink

    def open(self, path: str) -> BinaryIO:
        """A member that is whole and lies here still."""
        return self._members[path].path.open("rb")

    def store(self, path: str, store: Storage, key: str) -> None:
        """Puts a member under `key`; a key that is there already holds the same bytes, since it names their digest."""
        # Not asked of a store that refuses to write twice: this process may have no right to look.
        if getattr(store, "writes_once", False) or not store.exists(key):
            with _Movable(self._members[path].path) as file:
                store.save(key, file)
