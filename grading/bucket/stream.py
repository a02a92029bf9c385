"""An object read from its beginning to its end, over as many connections as that takes."""

import io
import time
from typing import Any

from grading.bucket.access import BucketAccess, client_of
from grading.bucket.errors import StoreSilent, as_ours

CHUNK_BYTES = 1 << 20
RECONNECTS = 5
PAUSE_S = 0.5


class ObjectStream(io.RawIOBase):
    """One version of one object. A connection that breaks is taken up again where it broke.

    Raises ObjectChanged, FileNotFoundError, StoreSilent and StoreRefused. `waited_s` is how long the store let us
    wait, which is nobody's fault who sent what is read.
    """

    def __init__(self, access: BucketAccess, key: str, version: str = "", etag: str = "") -> None:
        self._access, self._key = access, key
        self._conditions: dict[str, str] = {}
        if version:
            self._conditions["VersionId"] = version
        if etag:
            self._conditions["IfMatch"] = etag
        self._read_bytes = 0
        self.waited_s = 0.0
        self._body: Any = None
        self.size = self._connect()

    def _connect(self) -> int:
        """Opens the rest. The length of the whole object."""
        wanted = {"Range": f"bytes={self._read_bytes}-"} if self._read_bytes else {}
        with as_ours(self._access.store):
            answer = client_of(self._access).get_object(
                Bucket=self._access.bucket, Key=self._key, **self._conditions, **wanted
            )
        # A client library's own stream: reading it says when it was cut short.
        self._body = answer["Body"]
        # What was not asked for by version must stay what it was when it was first opened.
        self._conditions.setdefault("IfMatch", answer["ETag"])
        return self._read_bytes + int(answer["ContentLength"])

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview[int] | bytearray") -> int:  # type: ignore[override]
        if self._read_bytes >= self.size:
            return 0
        started = time.monotonic()
        piece = self._piece(min(len(buffer), self.size - self._read_bytes))
        self.waited_s += time.monotonic() - started
        buffer[: len(piece)] = piece
        self._read_bytes += len(piece)
        return len(piece)

    def _piece(self, size: int) -> bytes:
        for failures in range(RECONNECTS + 1):
            try:
                with as_ours(self._access.store):
                    if piece := bytes(self._body.read(size)):
                        return piece
                raise StoreSilent(f"The store '{self._access.store}' ended an object early.")
            except StoreSilent:
                if failures == RECONNECTS:
                    raise
            time.sleep(PAUSE_S * 2**failures)
            self._take_up(failures)
        raise AssertionError("the last failure was raised")

    def _take_up(self, failures: int) -> None:
        """A new connection; where there is none yet, the next reading fails and tries again."""
        self._body.close()
        try:
            self._connect()
        except StoreSilent:
            if failures == RECONNECTS - 1:
                raise

    def close(self) -> None:
        if self._body is not None:
            self._body.close()
        super().close()


def open_object(access: BucketAccess, key: str, version: str = "", etag: str = "") -> io.BufferedReader:
    """The object as a stream. Raises FileNotFoundError where there is none."""
    return io.BufferedReader(ObjectStream(access, key, version, etag), CHUNK_BYTES)


def waited_s(stream: object) -> float:
    """Seconds that the store of an opened object has cost so far; 0 for any other stream."""
    raw = getattr(stream, "raw", None)
    return raw.waited_s if isinstance(raw, ObjectStream) else 0.0
