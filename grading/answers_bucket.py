"""Answers in a bucket: written by whoever loads them, fetched into its vault by a grading host that lacks them.

key                                    the vault's HMAC key, the same on all hosts
answers/<competition>/<number>.csv     one answers version, written once
answers/<competition>/<number>.json    its manifest: SHA-256 and size

The bucket is as secret as a vault: only grading hosts and whoever loads answers have a key to it.
"""

import hashlib
import json
import tempfile
from pathlib import Path
from typing import Any

from django.core.files.base import ContentFile, File

from grading.bucket import BucketAccess, BucketStorage
from grading.bucket.errors import ConditionFailed
from grading.vault import Vault, VaultError

KEY = "key"
CHUNK_BYTES = 1 << 20
OTHER_KEY = (
    "The vault {root} has another key than the answers bucket, so its answers cannot be told apart from false ones. "
    "Set MLEB_VAULT to an empty place: it is filled from the bucket."
)
DAMAGED = "Answers {number} of {competition} in the bucket are not what its manifest says. Load them again."
OTHERS = (
    "Answers {number} of {competition} are in the bucket already, with other content. Store the new ones under "
    "the next number."
)


class AnswersBucket:
    """The bucket of all grading hosts. Raises VaultError, and OSError where the store fails."""

    def __init__(self, access: BucketAccess) -> None:
        self._store = BucketStorage(access)

    def share_key(self, vault: Vault) -> None:
        """Before anything else: the vault's key is the bucket's. A vault that is new takes it; the first gives it."""
        try:
            self.take_key(vault)
        except FileNotFoundError:
            self._give_key(vault)

    def _give_key(self, vault: Vault) -> None:
        try:
            self._store.save_once(KEY, ContentFile(vault.key()))
        except ConditionFailed:  # Another loader was faster.
            self.take_key(vault)

    def publish(self, vault: Vault, competition: str, number: int) -> None:
        """These answers of the vault are in the bucket. The manifest comes last: without it they are not there."""
        path = vault.path(competition, number)
        said = _manifest(path)
        place = _place(competition, number)
        try:
            if json.loads(self._read(f"{place}.json")) != said:
                raise VaultError(OTHERS.format(number=number, competition=competition))
        except FileNotFoundError:
            with path.open("rb") as file:
                self._store.save(f"{place}.csv", File(file))
            self._store.save(f"{place}.json", ContentFile(json.dumps(said).encode()))

    def fetch(self, vault: Vault, competition: str, number: int) -> None:
        """These answers are in the vault, compared with the manifest. Raises FileNotFoundError where there are none."""
        self.take_key(vault)
        place = _place(competition, number)
        said = json.loads(self._read(f"{place}.json"))
        with tempfile.NamedTemporaryFile(dir=vault.root, prefix=".fetched-") as copy:
            with self._store.open(f"{place}.csv") as stored:
                for chunk in stored.chunks(CHUNK_BYTES):
                    copy.write(chunk)
            copy.flush()
            if _manifest(Path(copy.name)) != said:
                raise VaultError(DAMAGED.format(number=number, competition=competition))
            vault.store(competition, number, Path(copy.name))

    def take_key(self, vault: Vault) -> None:
        """The vault has the bucket's key. Raises VaultError where it has another."""
        if vault.take_key(shared := self._read(KEY)) != shared:
            raise VaultError(OTHER_KEY.format(root=vault.root))

    def _read(self, key: str) -> bytes:
        with self._store.open(key) as stored:
            return bytes(stored.read())


def _place(competition: str, number: int) -> str:
    return f"answers/{competition}/{number}"


def _manifest(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"sha256": digest, "size": path.stat().st_size}


def fetch_missing(access: BucketAccess | None, vault: Vault, competition: str, number: int) -> None:
    """What the vault lacks is fetched, where there is a bucket that has it; otherwise it still lacks it."""
    if access is None or not access.key_id or vault.exists(competition, number):
        return
    try:
        AnswersBucket(access).fetch(vault, competition, number)
    except FileNotFoundError:
        return
