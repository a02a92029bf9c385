"""Where hidden answers live: files of mode 600 under a directory of mode 700 that only grading can see.

<root>/key                                    HMAC key, made on first use
<root>/answers/<competition>/<number>.csv     one answers version, written once
<root>/answers/<competition>/<number>.digest  the same in a form that loads fast, made anew whenever it must be
"""

import hashlib
import hmac
import os
import re
import secrets
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
CHECKOUT = Path(__file__).resolve().parents[1]
CHUNK_BYTES = 1 << 20
KEY_BYTES = 32
MAC_BYTES = 32

Chunks = Iterator[bytes | memoryview]


class VaultError(Exception):
    """For the maintainer who loads or looks for answers; carries no content of them."""


@dataclass(frozen=True)
class StoredAnswers:
    """One answers file in the vault. `hmac` is hex, and tells nothing without the vault's key."""

    path: Path
    hmac: str
    size_bytes: int


class _State(NamedTuple):
    """What changes whenever a file does; the time of its last change cannot be set by hand."""

    device: int
    inode: int
    size: int
    modified_ns: int
    changed_ns: int


# Fingerprints of files as they were in this process's time, so that a file which has not changed since is not
# read again.
_REMEMBERED: dict[tuple[Path, bytes], tuple[_State, str]] = {}


def default_vault_root(environ: Mapping[str, str] | None = None) -> Path:
    """$MLEB_VAULT, else mle-bench-leaderboard/vault in $XDG_DATA_HOME, else in ~/.local/share."""
    environ = os.environ if environ is None else environ
    chosen = environ.get("MLEB_VAULT")
    return Path(chosen) if chosen else data_home(environ) / "vault"


def data_home(environ: Mapping[str, str]) -> Path:
    """Where this user's secrets lie unless told otherwise: outside checkout and `var/`."""
    share = environ.get("XDG_DATA_HOME") or Path(environ.get("HOME") or Path.home(), ".local", "share")
    return Path(share, "mle-bench-leaderboard")


def open_vault(root: Path | None = None, *, outside: Sequence[Path] = (CHECKOUT,)) -> "Vault":
    """The vault at `root`, or at its default place, made if missing. Raises VaultError as Vault does."""
    return Vault(root or default_vault_root(), outside=outside)


class Vault:
    """Stores and finds answers. Its directory is made with mode 700 if missing.

    Raises VaultError if others can enter the directory, if it is not ours, or if it lies within or around one
    of the directories `outside` (checkout, var), where other processes read.
    """

    def __init__(self, root: Path, *, outside: Sequence[Path] = ()) -> None:
        self.root = Path(os.path.realpath(root.expanduser()))
        for place in map(Path, map(os.path.realpath, outside)):
            if self.root.is_relative_to(place) or place.is_relative_to(self.root):
                raise VaultError(
                    f"The vault {self.root} overlaps {place}. Set MLEB_VAULT to a place of its own."
                )
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        _require_private(self.root)

    def store(self, competition_id: str, number: int, source: Path | bytes) -> StoredAnswers:
        """Writes the answers once. The same content again changes nothing; other content is a VaultError."""
        target = self._target(competition_id, number)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        stored = _publish(target, _chunks(source))
        answers = StoredAnswers(target, self.fingerprint(target), target.stat().st_size)
        if not stored and not hmac.compare_digest(answers.hmac, self.fingerprint(source)):
            raise VaultError(
                f"Answers {number} of {competition_id} are in the vault already, with other content. "
                "Store the new ones under the next number."
            )
        return answers

    def exists(self, competition_id: str, number: int) -> bool:
        """Whether these answers are here."""
        return self._target(competition_id, number).is_file()

    def path(self, competition_id: str, number: int) -> Path:
        """The file to mount for grading. Raises VaultError if these answers are not here."""
        target = self._target(competition_id, number)
        if not target.is_file():
            raise VaultError(
                f"The vault of this host holds no answers {number} of {competition_id}. "
                "Load them here with: manage.py load_answers"
            )
        return target

    def checked_path(self, competition_id: str, number: int, expected_hmac: str) -> Path:
        """The file to mount, after comparing it with the HMAC on record. Raises VaultError if they differ."""
        target = self.path(competition_id, number)
        if not self.verify(competition_id, number, expected_hmac):
            raise VaultError(
                f"Answers {number} of {competition_id} in this vault are not those on record: the file was "
                "changed, or recorded under another vault's key. Restore the vault, or load a new number."
            )
        return target

    def verify(self, competition_id: str, number: int, expected_hmac: str) -> bool:
        """Whether these answers are here with the content that `expected_hmac` was made from."""
        target = self._target(competition_id, number)
        return target.is_file() and hmac.compare_digest(self._remembered(target, b""), expected_hmac)

    def fingerprint(self, source: Path | bytes) -> str:
        """HMAC-SHA256 of the content under the vault's key, in hex. A plain digest could be guessed at."""
        return self._mac(b"", _chunks(source)).hexdigest()

    def store_digest(self, competition_id: str, number: int, binding: bytes, chunks: Chunks) -> Path:
        """Writes, or writes anew, what was made of these answers, to be told by its keyed HMAC.

        `binding` is all it was made from and by; `checked_digest` finds the digest under the same one only.
        """
        target = self._target(competition_id, number).with_suffix(".digest")
        mac = self._mac(_bound(binding), iter(()))
        _replace(target, _sealed(mac, chunks))
        return target

    def checked_digest(self, competition_id: str, number: int, binding: bytes) -> Path | None:
        """The digest of these answers, or None if there is none, if it was changed, or made from anything else."""
        target = self._target(competition_id, number).with_suffix(".digest")
        if not target.is_file():
            return None
        found = self._remembered(target, _bound(binding), MAC_BYTES)
        return target if hmac.compare_digest(found, _last_bytes(target, MAC_BYTES).hex()) else None

    def _mac(self, prefix: bytes, chunks: Chunks) -> hmac.HMAC:
        mac = hmac.new(self.key(), prefix, digestmod=hashlib.sha256)
        for chunk in chunks:
            mac.update(chunk)
        return mac

    def _remembered(self, path: Path, prefix: bytes, omitted: int = 0) -> str:
        """The HMAC of the prefix and the file without its last bytes, computed once per state of the file."""
        with path.open("rb") as file:
            state = _state(file.fileno())
            known = _REMEMBERED.get((path, prefix))
            if known and known[0] == state:
                return known[1]
            found = self._mac(prefix, _read(file, state.size - omitted)).hexdigest()
            if _state(file.fileno()) == state:
                _REMEMBERED[path, prefix] = state, found
            return found

    def _target(self, competition_id: str, number: int) -> Path:
        if not IDENTIFIER.fullmatch(competition_id):
            raise VaultError("A competition id is made of letters, digits, dots, hyphens and underscores.")
        if number < 1:
            raise VaultError("Answers are numbered from 1.")
        return self.root / "answers" / competition_id / f"{number:d}.csv"

    def take_key(self, shared: bytes) -> bytes:
        """The vault's key, which is the shared one where it had none."""
        if not (self.root / "key").exists():
            _publish(self.root / "key", iter([shared]))
        return self.key()

    def key(self) -> bytes:
        """The secret key. Two processes may both find none: only one of their new keys is kept."""
        path = self.root / "key"
        if not path.exists():
            _publish(path, iter([secrets.token_bytes(KEY_BYTES)]))
        return path.read_bytes()


def _require_private(root: Path) -> None:
    status = root.stat()
    if status.st_uid != os.geteuid():
        raise VaultError(f"The vault {root} belongs to uid {status.st_uid}, not to this user.")
    if status.st_mode & 0o077:
        raise VaultError(f"Others can enter the vault {root}. Run: chmod 700 {root}")


def _chunks(source: Path | bytes) -> Iterator[bytes]:
    if isinstance(source, bytes):
        yield source
        return
    with source.open("rb") as file:
        yield from iter(lambda: file.read(CHUNK_BYTES), b"")


def _read(file: BinaryIO, size: int) -> Iterator[bytes]:
    while size > 0 and (chunk := file.read(min(CHUNK_BYTES, size))):
        size -= len(chunk)
        yield chunk


def _last_bytes(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - size))
        return file.read()


def _state(descriptor: int) -> _State:
    status = os.fstat(descriptor)
    return _State(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _bound(binding: bytes) -> bytes:
    """A prefix that begins no answers file, so that no HMAC of answers is ever one of a digest."""
    return b"\0digest\0" + len(binding).to_bytes(8, "little") + binding


def _sealed(mac: hmac.HMAC, chunks: Chunks) -> Chunks:
    """The chunks, and behind them the HMAC over all of them."""
    for chunk in chunks:
        mac.update(chunk)
        yield chunk
    yield mac.digest()


def _replace(target: Path, chunks: Chunks) -> None:
    """Writes a whole, synced file of mode 600 under its name, whatever was there before."""
    with _temporary(target.parent) as (descriptor, name):
        _write(descriptor, chunks)
        os.link(name, other := f"{name}.done")
        try:
            os.replace(other, target)
        except OSError:
            os.unlink(other)
            raise
    _sync_directory(target.parent)


def _write(descriptor: int, chunks: Chunks) -> None:
    with os.fdopen(descriptor, "wb") as file:
        for chunk in chunks:
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())


def _publish(target: Path, chunks: Chunks) -> bool:
    """Writes a whole, synced file of mode 600 under its name, or False if the name is taken.

    A link and not a rename, since a rename would replace what another process has just written.
    """
    with _temporary(target.parent) as (descriptor, name):
        _write(descriptor, chunks)
        try:
            os.link(name, target)
        except FileExistsError:
            return False
    _sync_directory(target.parent)
    return True


@contextmanager
def _temporary(directory: Path) -> Iterator[tuple[int, str]]:
    descriptor, name = tempfile.mkstemp(dir=directory, prefix=".new-")  # O_EXCL, mode 600
    try:
        yield descriptor, name
    finally:
        os.unlink(name)


def _sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
