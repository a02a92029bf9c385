"""Sending bundles as the client does, but with checksums made beforehand, so that the sender costs little."""

from __future__ import annotations

import hashlib
import http.client
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit

import httpx

API = "/api/v1/submissions"
BENCHMARK = "mle-bench-v1"
PIECE = 2**20
PART = 32 * 2**20  # As the site sets it, unless told otherwise.
CHECKSUM = "X-Checksum-Sha256"
ADDRESSES = 50


class NotTaken(Exception):
    """The server's answer to something it should have taken."""


def make_file(path: Path, size: int) -> Path:
    """A file of so many bytes, none of which compress; the same bytes every time."""
    block = hashlib.shake_256(b"bench").digest(PIECE)
    with path.open("wb") as out:
        for start in range(0, size, PIECE):
            out.write(block[: size - start])
    return path


def read_slice(path: Path, start: int, size: int, bytes_per_s: float = 0.0) -> Iterator[bytes]:
    """The bytes in pieces, no faster than asked."""
    piece = PIECE if not bytes_per_s else 2**16
    began, sent = time.monotonic(), 0
    with path.open("rb") as file:
        file.seek(start)
        while sent < size:
            if bytes_per_s and (early := sent / bytes_per_s - (time.monotonic() - began)) > 0:
                time.sleep(early)
            data = file.read(min(piece, size - sent))
            sent += len(data)
            yield data


def put(url: str, headers: dict[str, str], body: Iterator[bytes] | BinaryIO, size: int) -> bytes:
    """One PUT on a connection of its own. Raises NotTaken."""
    parts = urlsplit(url)
    line = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=300, blocksize=PIECE)
    try:
        target = f"{parts.path}?{parts.query}" if parts.query else parts.path
        line.request("PUT", target, body, {"Content-Length": str(size), **headers})
        answer = line.getresponse()
        said = answer.read()
    finally:
        line.close()
    if answer.status >= 300:
        raise NotTaken(f"PUT {target}: {answer.status} {said[:300]!r}")
    return said


@dataclass(frozen=True)
class Bundle:
    """A file with the checksum of each part."""

    path: Path
    size: int
    part_size: int
    checksums: tuple[str, ...]


def read_bundle(path: Path, part_size: int = PART) -> Bundle:
    size = path.stat().st_size
    with path.open("rb") as file:
        parts = iter(lambda: file.read(part_size), b"")
        return Bundle(path, size, part_size, tuple(hashlib.sha256(part).hexdigest() for part in parts))


class Team:
    """One that uploads with its token."""

    def __init__(self, url: str, token: str) -> None:
        self.url, self.headers = url, {"Authorization": f"Token {token}"}

    def begin(self, bundle: Bundle) -> dict[str, Any]:
        asked = {
            "benchmark": BENCHMARK, "filename": "bundle.tar", "size": bundle.size,
            "creation_key": str(uuid.uuid4()),
        }  # fmt: skip
        return self._post(API, asked)

    def _post(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        answer = httpx.post(self.url + path, json=body, headers=self.headers, timeout=120)
        if not answer.is_success:
            raise NotTaken(f"POST {path}: {answer.status_code} {answer.text[:300]}")
        return dict(answer.json())

    def upload(
        self,
        bundle: Bundle,
        jobs: int = 3,
        bytes_per_s: float = 0.0,
        stop: Callable[[], bool] = lambda: False,
    ) -> str:
        """The submission's id; so many parts at once, all together no faster than asked. Ends early at `stop`."""
        made = self.begin(bundle)
        if made["upload"]["part_size"] != bundle.part_size:
            raise NotTaken(f"The site wants parts of {made['upload']['part_size']:,} bytes.")
        parts = self._addressed(bundle, made["upload"])
        with ThreadPoolExecutor(jobs) as pool:
            for _ in pool.map(lambda part: self._send(bundle, part, bytes_per_s / jobs, stop), parts):
                pass
        if not stop():
            self._post(f"{API}/{made['id']}/complete")
        return str(made["id"])

    def _addressed(self, bundle: Bundle, upload: dict[str, Any]) -> list[dict[str, Any]]:
        """The parts with where to send them; a bucket's addresses are asked for many at a time."""
        parts = list(upload["parts"])
        if not upload["addresses"]:
            return parts
        found: dict[int, dict[str, Any]] = {}
        for start in range(0, len(parts), ADDRESSES):
            numbers = [part["number"] for part in parts[start : start + ADDRESSES]]
            told = [{"number": number, "sha256": bundle.checksums[number - 1]} for number in numbers]
            answer = self._post(upload["addresses"], {"parts": told})
            found |= {each["number"]: each for each in answer["parts"]}
        return [{**part, **found[part["number"]]} for part in parts]

    def _send(
        self, bundle: Bundle, part: dict[str, Any], bytes_per_s: float, stop: Callable[[], bool]
    ) -> None:
        if stop():
            return
        number, size, url = part["number"], part["size"], part["url"]
        is_ours = url.startswith("/")
        ours = {CHECKSUM: bundle.checksums[number - 1], **self.headers} if is_ours else {}
        headers = {**part["headers"], **ours}
        body = read_slice(bundle.path, (number - 1) * bundle.part_size, size, bytes_per_s)
        put(self.url + url if is_ours else url, headers, body, size)
