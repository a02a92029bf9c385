"""Encrypts a stream under a passphrase: AES-256-GCM in frames, none of which can be moved, repeated or left out.

salt (16 bytes), then frames: length (4 bytes, the highest bit set on the last) and ciphertext with its tag.
"""

from collections.abc import Iterable, Iterator
from os import urandom
from typing import BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from leaderboard.backup.errors import BackupError

MAGIC = b"mleb-sealed-1\n"
LAST = 1 << 31
SHORTEST = 16


def _cipher(passphrase: str, salt: bytes) -> AESGCM:
    return AESGCM(Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive(passphrase.encode()))


def _nonce(number: int) -> bytes:
    """A counter will do: the key is made from a salt of its own for each file."""
    return number.to_bytes(12, "big")


def seal(pieces: Iterable[bytes], passphrase: str) -> Iterator[bytes]:
    if len(passphrase) < SHORTEST:
        raise BackupError(f"MLEB_BACKUP_PASSPHRASE must have {SHORTEST} characters or more to seal answers.")
    salt = urandom(16)
    cipher = _cipher(passphrase, salt)
    yield MAGIC + salt
    number, held = 0, b""
    for piece in pieces:
        if held:
            yield _frame(cipher, number, held, 0)
            number += 1
        held = piece
    yield _frame(cipher, number, held, LAST)


def _frame(cipher: AESGCM, number: int, piece: bytes, last: int) -> bytes:
    head = (len(piece) + 16 | last).to_bytes(4, "big")
    return head + cipher.encrypt(_nonce(number), piece, head)


def unseal(file: BinaryIO, passphrase: str) -> Iterator[bytes]:
    """Raises BackupError for a wrong passphrase and for a file that was changed or cut off."""
    if file.read(len(MAGIC)) != MAGIC:
        raise BackupError("answers.sealed is no sealed file.")
    cipher, number, last = _cipher(passphrase, file.read(16)), 0, 0
    while not last:
        head = file.read(4)
        length = int.from_bytes(head, "big")
        last = length & LAST
        try:
            yield cipher.decrypt(_nonce(number), file.read(length & ~LAST), head)
        except (InvalidTag, ValueError) as error:
            raise BackupError(
                "answers.sealed does not open: another passphrase, or the file was changed."
            ) from error
        number += 1
