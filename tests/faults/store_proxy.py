"""A line between a site and its store on which answers fail, come late, are cut or get lost.

Each connection carries one request: the line asks both ends to close it then. So nothing of HTTP has to be understood
but the head of a request.
"""

import asyncio
import re
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

PIECE = 1 << 14
# Of a slow line: before the first byte, and then so much of every answer in so many seconds. Longer than a lease.
SLOW_S, SLOW_PIECE, SLOW_PAUSE_S = 6.0, 1 << 11, 0.2
ANSWER = "HTTP/1.1 {status} {words}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
BODY = (
    '<?xml version="1.0" encoding="UTF-8"?><Error><Code>{code}</Code><Message>On purpose.</Message></Error>'
)
ERRORS = {
    "500": ("500", "Internal Server Error", "InternalError"),
    "503": ("503", "Service Unavailable", "SlowDown"),
}
HEAD_ENDS = b"\r\n\r\n"


@dataclass
class Trouble:
    """What is done to the next `times` requests whose first line matches: 500, 503, slow, cut, lost, away.

    `cut`: in the middle of the body, whoever sends it. `lost`: the store has done it, and the answer does not come.
    """

    name: str
    line: re.Pattern[str]
    kind: str
    times: int
    met: int = 0

    def meets(self, line: str) -> bool:
        return self.met < self.times and self.line.match(line) is not None


class StoreProxy:
    """Listens on a port of its own from `__enter__` on. `troubles`: the first that meets a request is done to it."""

    def __init__(self, endpoint: str) -> None:
        self._far_port = urlsplit(endpoint).port
        self.troubles: Sequence[Trouble] = ()
        self.url = ""
        self._serving: set[asyncio.Task[None] | None] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        self._server.close()
        serving = asyncio.all_tasks() - {asyncio.current_task()}
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=1 << 20)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        self._serving.add(task)  # The loop itself would let it be collected.
        try:
            with suppress(OSError, EOFError):
                head = await reader.readuntil(HEAD_ENDS)
                line = head.partition(b"\r\n")[0].decode("latin-1")
                trouble = self._trouble(line)
                await self._answer(trouble.kind if trouble else "", _closing(head), reader, writer)
        finally:
            with suppress(OSError):
                writer.close()
                await writer.wait_closed()
            self._serving.discard(task)

    def _trouble(self, line: str) -> Trouble | None:
        found = next((each for each in self.troubles if each.meets(line)), None)
        if found:
            found.met += 1
        return found

    async def _answer(
        self, kind: str, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if kind == "away":
            writer.transport.abort()
            return
        if kind in ERRORS:
            writer.write(_error(kind))
            await writer.drain()
            await _swallow(reader, _length_of(head))
            return
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._far_port)
        far_writer.write(head)
        sends = _length_of(head)
        upward = asyncio.create_task(
            _pass_on(reader, far_writer, sends // 2 if kind == "cut" and sends else None)
        )
        try:
            if kind == "cut" and sends:
                await upward
            elif kind == "slow":
                await asyncio.sleep(SLOW_S)
            if not (kind == "cut" and sends):
                await _downward(kind, far_reader, writer)
        finally:
            upward.cancel()
            far_writer.transport.abort()
            with suppress(OSError):
                await far_writer.wait_closed()
            if kind in ("cut", "lost"):
                writer.transport.abort()


async def _downward(kind: str, far: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """The store's answer, or what is let through of it."""
    size, pause_s = (SLOW_PIECE, SLOW_PAUSE_S) if kind == "slow" else (PIECE, 0.0)
    whole = b"".join([piece async for piece in _pieces(far, PIECE)]) if kind in ("cut", "lost") else b""
    if kind == "lost":
        return
    if kind == "cut":
        head, _, body = whole.partition(HEAD_ENDS)
        writer.write(head + HEAD_ENDS + body[: len(body) // 2])
        await writer.drain()
        return
    async for piece in _pieces(far, size):
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(pause_s)


async def _pieces(reader: asyncio.StreamReader, size: int) -> AsyncIterator[bytes]:
    while piece := await reader.read(size):
        yield piece


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, most: int | None) -> None:
    """What follows of the request, or `most` bytes of it."""
    left = most
    with suppress(OSError):
        while left is None or left > 0:
            piece = await reader.read(PIECE if left is None else min(PIECE, left))
            if not piece:
                return
            writer.write(piece)
            await writer.drain()
            left = None if left is None else left - len(piece)


async def _swallow(reader: asyncio.StreamReader, length: int) -> None:
    """The rest of a refused request, so that its sender reads the answer and no broken pipe; not for ever."""
    with suppress(TimeoutError, OSError):
        async with asyncio.timeout(5):
            while length > 0 and (piece := await reader.read(PIECE)):
                length -= len(piece)


def _closing(head: bytes) -> bytes:
    """The same head, which asks the store to close the connection behind its answer."""
    first, _, rest = head.partition(b"\r\n")
    kept = [line for line in rest.split(b"\r\n") if line and not line.lower().startswith(b"connection:")]
    return b"\r\n".join([first, *kept, b"Connection: close"]) + HEAD_ENDS


def _length_of(head: bytes) -> int:
    found = re.search(rb"\r\ncontent-length: *(\d+)", head, re.IGNORECASE)
    return int(found[1]) if found else 0


def _error(kind: str) -> bytes:
    status, words, code = ERRORS[kind]
    body = BODY.format(code=code)
    return (ANSWER.format(status=status, words=words, length=len(body)) + body).encode()
