"""Stored files, whatever they are stored in."""

import hashlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TypedDict

from django.core.files.base import File
from django.core.files.storage import Storage, storages

from leaderboard.backup.digests import pieces_of, write
from leaderboard.backup.errors import BackupError

# Files of validity checks live for an hour.
STORES = ("default", "bundles", "blobs", "evidence", "shapes")


class StoredFile(TypedDict):
    store: str
    key: str
    size: int
    sha256: str


def list_keys(storage: Storage, folder: str = "") -> Iterator[str]:
    """Every key, sorted within its folder; nothing where the store is empty."""
    try:
        folders, files = storage.listdir(folder)
    except FileNotFoundError:
        return
    for name in sorted(files):
        # A store of objects lists a folder's own marker as a file without a name.
        if name:
            yield f"{folder}{name}"
    for name in sorted(folders):
        yield from list_keys(storage, f"{folder}{name}/")


def copy_out(store: str, target: Path) -> Iterator[StoredFile]:
    """Copies every file of a store. One that is deleted meanwhile was to be deleted, and is left out."""
    storage = storages[store]
    for key in list_keys(storage):
        try:
            with storage.open(key, "rb") as file:
                size, digest = write(path_of(target, store, key), pieces_of(file))  # type: ignore[arg-type]
        except FileNotFoundError:
            continue
        yield StoredFile(store=store, key=key, size=size, sha256=digest)


def path_of(folder: Path, store: str, key: str) -> Path:
    """Where a file of the backup lies. Raises BackupError for a key that leads elsewhere."""
    parts = PurePosixPath(key).parts
    if store not in STORES or not parts or key.startswith("/") or ".." in parts:
        raise BackupError(f"files.jsonl names {store}/{key}, which is no place of a backup.")
    return folder.joinpath("files", store, *parts)


def copy_in(stored: StoredFile, folder: Path) -> None:
    """Puts a file back under its key. Raises BackupError where the store gives it another."""
    storage = storages[stored["store"]]
    with path_of(folder, stored["store"], stored["key"]).open("rb") as file:
        got = storage.save(stored["key"], File(file))
    if got != stored["key"]:
        raise BackupError(f"{stored['store']} had {stored['key']} already. Restore into empty stores.")


def find_occupied() -> list[str]:
    """Stores that are not empty."""
    return [store for store in STORES if next(list_keys(storages[store]), None) is not None]


def digest_of_stored(stored: StoredFile) -> str:
    digest = hashlib.sha256()
    with storages[stored["store"]].open(stored["key"], "rb") as file:
        for piece in pieces_of(file):  # type: ignore[arg-type]
            digest.update(piece)
    return digest.hexdigest()
