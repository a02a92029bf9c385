"""Readers of pages: many at once, cheap enough to leave the machine to the site they read."""

from __future__ import annotations

import asyncio
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

PAGES = (
    "/", "/api/v1/rankings/clean", "/boards/mle-bench-v1/no-private-lb/all/", "/competitions/", "/decisions/",
    "/flags/", "/charts/", "/status/", "/api/v1/entries/", "/feeds/entries.atom",
)  # fmt: skip
PAUSE_S = 5.0
GIVES_UP_S = 60.0
BROKEN = 0  # Instead of a status, where no answer came.
Act = Callable[[threading.Event], None]


@dataclass
class Read:
    """What came of all requests: how often each status, and seconds of each that was answered."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    @property
    def failed(self) -> int:
        """Without an answer, or with one that says that the server failed."""
        return sum(count for status, count in self.statuses.items() if status == BROKEN or status >= 500)

    def percentile_ms(self, percent: int) -> float:
        """Milliseconds within which so many of a hundred requests were answered."""
        if len(self.seconds) < 2:
            return GIVES_UP_S * 1000
        return 1000 * statistics.quantiles(self.seconds, n=100, method="inclusive")[percent - 1]

    def told(self) -> str:
        said = ", ".join(f"{status or 'broken'} ×{count}" for status, count in sorted(self.statuses.items()))
        return f"{said}; p50 {self.percentile_ms(50):.0f}, p99 {self.percentile_ms(99):.0f} ms"


def read_for(
    url: str, readers: int, seconds: float, pages: Sequence[str] = PAGES, pause_s: float = PAUSE_S
) -> Read:
    """So many readers, each of whom asks for a page, waits for a while, and asks for the next."""
    found = Read()
    asyncio.run(_read_all(url, readers, time.monotonic() + seconds, pages, pause_s, found))
    return found


async def _read_all(
    url: str, readers: int, until: float, pages: Sequence[str], pause_s: float, found: Read
) -> None:
    await asyncio.gather(
        *(
            _reader(url, number, pause_s * number / readers, until, pages, pause_s, found)
            for number in range(readers)
        )
    )


async def _reader(
    url: str, number: int, first_s: float, until: float, pages: Sequence[str], pause_s: float, found: Read
) -> None:
    await asyncio.sleep(first_s)
    while time.monotonic() < until:
        began = time.monotonic()
        status = await fetch(url, pages[number % len(pages)])
        found.statuses[status] += 1
        if status != BROKEN:
            found.seconds.append(time.monotonic() - began)
        number += 1
        await asyncio.sleep(pause_s)


async def fetch(url: str, page: str, headers: Mapping[str, str] | None = None) -> int:
    """The status of a page that was read to its end on a connection of its own."""
    place = urlsplit(url)
    said = {"Host": place.netloc, "Accept-Encoding": "gzip", "Connection": "close", **(headers or {})}
    head = "".join(f"{name}: {value}\r\n" for name, value in said.items())
    try:
        async with asyncio.timeout(GIVES_UP_S):
            source, target = await asyncio.open_connection(place.hostname, place.port)
            try:
                target.write(f"GET {page} HTTP/1.1\r\n{head}\r\n".encode())
                first = await source.readline()
                while await source.read(65536):
                    pass
            finally:
                target.close()
    except (OSError, TimeoutError):
        return BROKEN
    words = first.split()
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else BROKEN


@contextmanager
def beside(*acts: Act) -> Iterator[threading.Event]:
    """Threads that do something until the block ends; then what broke in them is raised."""
    stop, errors = threading.Event(), []

    def run(act: Act) -> None:
        try:
            act(stop)
        except Exception as error:  # Told where somebody reads it.
            errors.append(error)

    threads = [threading.Thread(target=run, args=(act,), daemon=True) for act in acts]
    for thread in threads:
        thread.start()
    try:
        yield stop
    finally:
        stop.set()
        for thread in threads:
            thread.join(300)
    if errors:
        raise errors[0]
