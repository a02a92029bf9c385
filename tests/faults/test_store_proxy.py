"""The line to the store does to requests what it is told, so often, and leaves the others alone."""

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from tests.faults import store_proxy
from tests.faults.store_proxy import StoreProxy, Trouble

pytestmark = pytest.mark.enable_socket
BODY = b"x" * 100_000


class Store(BaseHTTPRequestHandler):
    """Keeps what arrives whole, and answers with as much."""

    protocol_version = "HTTP/1.1"
    kept: list[bytes] = []

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if len(body) == len(BODY):
            self.kept.append(body)
            self._answer(b"")

    def do_GET(self) -> None:
        self._answer(BODY)

    def _answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[StoreProxy]:
    monkeypatch.setattr(store_proxy, "SLOW_S", 0.3)
    monkeypatch.setattr(store_proxy, "SLOW_PIECE", 50_000)
    Store.kept.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Store) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with StoreProxy(f"http://127.0.0.1:{server.server_port}") as line:
            yield line
        server.shutdown()


def ask(proxy: StoreProxy, method: str, path: str = "/bucket/key") -> bytes | int | None:
    """The body or the status of the answer; None where none came, or not all of it."""
    body = BODY if method == "PUT" else None
    try:
        answer = httpx.request(method, proxy.url + path, content=body, timeout=60)
    except httpx.TransportError:
        return None
    return answer.content if answer.status_code == 200 else answer.status_code


@pytest.mark.parametrize(
    ("method", "kind", "answer", "is_kept"),
    [
        ("GET", "", BODY, False),
        ("PUT", "", b"", True),
        ("GET", "500", 500, False),
        ("PUT", "500", 500, False),
        ("GET", "503", 503, False),
        ("GET", "slow", BODY, False),
        ("PUT", "slow", b"", True),
        ("GET", "cut", None, False),
        ("PUT", "cut", None, False),
        ("GET", "lost", None, False),
        ("PUT", "lost", None, True),
        ("GET", "away", None, False),
        ("PUT", "away", None, False),
    ],
)
def test_each_trouble(
    proxy: StoreProxy, method: str, kind: str, answer: bytes | int | None, is_kept: bool
) -> None:
    trouble = Trouble("all", re.compile(""), kind, 1)
    proxy.troubles = [trouble] if kind else []
    assert ask(proxy, method) == answer
    assert bool(Store.kept) == is_kept
    assert trouble.met == bool(kind)
    assert ask(proxy, method) == (b"" if method == "PUT" else BODY)


def test_others_are_left_alone(proxy: StoreProxy) -> None:
    proxy.troubles = [Trouble("one bucket", re.compile("GET /this/"), "500", 9)]
    assert ask(proxy, "GET", "/that/key") == BODY
    assert ask(proxy, "GET", "/this/key") == 500
    assert ask(proxy, "PUT", "/this/key") == b""
