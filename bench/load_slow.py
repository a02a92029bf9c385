"""Slow senders beside readers: honest ones on slow lines, and those that send a byte a second."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from urllib.parse import urlsplit

from .load_place import Place, served
from .load_promises import Promise
from .load_readers import Act, Read, beside, read_for
from .load_sender import Bundle, Team
from .site_load import fetch_from_each_worker

FOLD = 5.0
RATE, CLIENTS, FOR_S = 25e6, 2, 40
DRIPPERS = 50
QUIET_S, DRIPPED_S = 10, 30
READERS, PAUSE_S = 4, 0.2
PAGES = ("/", "/competitions/", "/api/v1/rankings/clean")
HEADS = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
BODIES = (
    b"POST /account/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 2000000\r\n\r\n"
)


def measure_uploads(place: Place, bundle: Bundle) -> list[Promise]:
    """Two teams that send a bundle of `RATE` times `FOR_S` bytes at that rate."""
    with served(place) as site:
        quiet = _read_quiet(site.url)
        senders = [partial(_upload, Team(site.url, token), bundle) for token in place.tokens[:CLIENTS]]
        with beside(*senders):
            loaded = read(site.url, FOR_S)
    return [
        _slowed("a page beside two uploads at 25 MB/s", quiet, loaded),
        _failed("failures meanwhile", loaded),
    ]


def _upload(team: Team, bundle: Bundle, stop: threading.Event) -> None:
    """To its end, whatever happens meanwhile: it must not fail."""
    team.upload(bundle, jobs=2, bytes_per_s=RATE)


def measure_drips(place: Place) -> list[Promise]:
    """Heads and bodies of a byte a second, on more connections than there are threads."""
    found = []
    for name, sent in (("heads", HEADS), ("bodies", BODIES)):
        with served(place) as site:
            quiet = _read_quiet(site.url)
            with beside(drip(site.url, sent)):
                loaded = read(site.url, DRIPPED_S)
        found += [
            _slowed(f"a page beside {DRIPPERS} senders of slow {name}", quiet, loaded),
            _failed(f"failures beside slow {name}", loaded),
        ]
    return found


def _read_quiet(url: str) -> Read:
    """Once every worker has answered: the first answers cost what none after them does."""
    fetch_from_each_worker(url, PAGES)
    return read(url, QUIET_S)


def read(url: str, seconds: float) -> Read:
    return read_for(url, READERS, seconds, PAGES, PAUSE_S)


def _slowed(what: str, quiet: Read, loaded: Read) -> Promise:
    """By the median: what a page takes most of the time."""
    before, after = quiet.percentile_ms(50), loaded.percentile_ms(50)
    return Promise(what, after / before, "× as long", at_most=FOLD, note=f"{before:.0f} → {loaded.told()}")


def _failed(what: str, loaded: Read) -> Promise:
    return Promise(what, loaded.failed, "of " + str(sum(loaded.statuses.values())), at_most=0)


def drip(url: str, sent: bytes) -> Act:
    """Opens the connections, sends the beginning, then a byte a second on each, and opens anew what is closed."""

    def act(stop: threading.Event) -> None:
        asyncio.run(_drip_all(url, sent, stop))

    return act


async def _drip_all(url: str, sent: bytes, stop: threading.Event) -> None:
    await asyncio.gather(*(_drip(url, sent, stop) for _ in range(DRIPPERS)))


async def _drip(url: str, sent: bytes, stop: threading.Event) -> None:
    place = urlsplit(url)
    while not stop.is_set():
        try:
            _, target = await asyncio.open_connection(place.hostname, place.port)
        except OSError:
            await asyncio.sleep(0.2)
            continue
        try:
            target.write(sent)
            while not stop.is_set():
                await target.drain()
                target.write(b"x")
                await asyncio.sleep(1)
        except OSError:
            pass
        finally:
            target.close()
