"""Sending the parts of a bundle: several at once, each with its checksum, each tried again when the line drops."""

import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

import httpx

from .answers import Part, Upload
from .errors import ClientError, Refused, Unreachable
from .http import Session, asked_pause, describe, is_worth_waiting

CHECKSUM_HEADER = "X-Checksum-Sha256"
PIECE = 1 << 16
# The bytes were spoilt on their way: the same part once more is all that is needed.
SPOILT = frozenset({"part_cut_short", "part_too_long", "part_checksum"})

GO_ON = "Give the same command again: it goes on from there."

Progress = Callable[[int], None]


class FileChanged(ClientError):
    """The bundle is not the file it was."""


class Stopped(Exception):
    """Another part failed, or the user stopped; this one is given up."""


def send_parts(session: Session, upload: Upload, path: Path, jobs: int, progress: Progress) -> None:
    """Every part of the upload is at the server. `progress` gets bytes, negative where a part begins anew.

    Parts that are there already are compared with the file. Raises FileChanged, Refused, Unreachable.
    """
    sender = PartSender(session, path, upload.part_size, progress, upload.addresses)
    with ThreadPoolExecutor(jobs, thread_name_prefix="part") as pool:
        tasks = [pool.submit(sender.send, part) for part in upload.parts]
        try:
            done, _ = wait(tasks, return_when=FIRST_EXCEPTION)
            _raise_first(done)
        except BaseException:
            sender.stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _raise_first(done: set[Future[None]]) -> None:
    """What really happened comes before those that only stopped because of it."""
    errors = [task.exception() for task in done if not task.cancelled()]
    for error in sorted(filter(None, errors), key=lambda error: isinstance(error, Stopped)):
        raise error


@dataclass(frozen=True)
class Target:
    """Where one part goes, and how. Its headers are all it needs there but the length."""

    url: str
    method: str
    headers: Mapping[str, str]


class PartSender:
    """Sends single parts of one file. Used by several threads at once."""

    def __init__(
        self,
        session: Session,
        path: Path,
        part_size: int,
        progress: Progress,
        addresses: str | None = None,
    ) -> None:
        """`addresses`: where each part asks for an address of its own, just before it is sent."""
        self._session, self._path, self._part_size, self._progress = session, path, part_size, progress
        self._addresses = addresses
        self.stop = threading.Event()

    def send(self, part: Part) -> None:
        """The part is at the server, sent now or before."""
        content = self._read(part)
        digest = hashlib.sha256(content).hexdigest()
        if part.is_received:
            self._compare(part, digest)
            self._progress(len(content))
        else:
            self._send(part, content, digest)

    def _read(self, part: Part) -> bytes:
        with self._path.open("rb") as file:
            file.seek((part.number - 1) * self._part_size)
            content = file.read(part.size)
        if len(content) != part.size:
            raise FileChanged(f"{self._path} is shorter than it was when the upload began. Submit it anew.")
        return content

    def _compare(self, part: Part, digest: str) -> None:
        if part.sha256 and part.sha256 != digest:
            raise FileChanged(
                f"Part {part.number} of {self._path} is not what was sent before. Submit the changed file anew: "
                "add --again."
            )

    def _send(self, part: Part, content: bytes, digest: str) -> None:
        failures = 0
        while not self._try(part, content, digest, failures):
            failures += 1

    def _try(self, part: Part, content: bytes, digest: str, failures: int) -> bool:
        """Whether the server has the part now. Waits before it says no; raises where trying again is of no use."""
        pieces = self._pieces(content)
        target = self._target(part, digest)
        headers = {**target.headers, "Content-Length": str(part.size)}
        answer = None
        try:
            answer = self._session.send(target.method, target.url, content=pieces, headers=headers)
            if not is_worth_waiting(answer):
                self._session.accept(answer)
                return True
            reason = f"the site answered {answer.status_code}"
        except httpx.TransportError as error:
            reason = describe(error)
        except Refused as error:
            # A store elsewhere has no words of ours; its address may have grown old, and the next one is new.
            if not (error.codes & SPOILT or self._addresses):
                raise
            reason = str(error)
        self._begin_anew(pieces)
        if failures + 1 >= self._session.patience.tries:
            raise Unreachable(f"Part {part.number} could not be sent: {reason}. {GO_ON}")
        self._session.patience.pause(failures + 1, asked_pause(answer))
        return False

    def _target(self, part: Part, digest: str) -> "Target":
        if self._addresses is None:
            return Target(str(part.url), part.method, {**part.headers, CHECKSUM_HEADER: digest})
        asked = {"parts": [{"number": part.number, "sha256": digest}]}
        (found,) = self._session.request("POST", self._addresses, json=asked).json()["parts"]
        return Target(str(found["url"]), str(found["method"]), dict(found["headers"]))

    def _begin_anew(self, pieces: "Pieces") -> None:
        self._progress(-pieces.given)
        if self.stop.is_set():
            raise Stopped

    def _pieces(self, content: bytes) -> "Pieces":
        return Pieces(content, self._progress, self.stop)


class Pieces:
    """A part's bytes bit by bit, telling how far it is. `given`: bytes handed out so far."""

    def __init__(self, content: bytes, progress: Progress, stop: threading.Event) -> None:
        self._content, self._progress, self._stop = content, progress, stop
        self.given = 0

    def __iter__(self) -> Iterator[bytes]:
        for start in range(0, len(self._content), PIECE):
            if self._stop.is_set():
                raise Stopped
            piece = self._content[start : start + PIECE]
            yield piece
            self.given += len(piece)
            self._progress(len(piece))
