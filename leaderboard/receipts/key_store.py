"""Where signing keys lie: files of mode 600 in a directory of mode 700 that only housekeeping can see.

<directory>/<made at>-<key id>.key    32 raw bytes; the newest signs
"""

import os
from datetime import datetime
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from leaderboard.receipts.signing import key_id


class KeyStoreError(Exception):
    """For the operator: why nothing can be signed here."""


def newest_key(directory: Path, now: datetime) -> Ed25519PrivateKey:
    """The key that signs now, made if there is none. Raises KeyStoreError where others could read it."""
    _require_private(directory)
    found = sorted(directory.glob("*.key"))
    return Ed25519PrivateKey.from_private_bytes(found[-1].read_bytes()) if found else make_key(directory, now)


def make_key(directory: Path, now: datetime) -> Ed25519PrivateKey:
    """A new key, which signs from now on. Receipts signed by an older one stay good."""
    _require_private(directory)
    key = Ed25519PrivateKey.generate()
    path = directory / f"{now:%Y%m%dT%H%M%S%f}-{key_id(key.public_key())}.key"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption()))
    return key


def _require_private(directory: Path) -> None:
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = directory.stat()
    if status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise KeyStoreError(
            f"Others can read the signing keys. Run: chown {os.geteuid()} {directory}; chmod 700 {directory}"
        )
