"""A server on loopback that speaks the chat protocol, as badly as a test asks."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answers = list[dict[str, Any]]


@dataclass(frozen=True)
class Say:
    """One answer. `cut`: bytes of the body sent before the connection is closed; `drip_s`: seconds after each byte."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait_s: float = 0.0
    cut: int | None = None
    drip_s: float = 0.0


def completion(content: Any, tokens: Any = 100) -> bytes:
    return json.dumps(
        {
            "choices": [{"message": {"role": "assistant", "content": content}}],
            "usage": {"total_tokens": tokens},
        }
    ).encode()


def answers(*rows: tuple[str, str, list[str]], tokens: Any = 100) -> Say:
    """Rows of question, answer and quotes."""
    listed = [{"question": q, "answer": a, "quotes": quotes} for q, a, quotes in rows]
    return Say(completion(json.dumps({"answers": listed}), tokens))


@dataclass
class Llm:
    """`script` is said in order, its last line again and again. `asked`: bodies and headers of all requests."""

    script: list[Say]
    port: int = 0
    asked: list[tuple[dict[str, Any], dict[str, str]]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def next(self) -> Say:
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]


@contextmanager
def serving(*script: Say) -> Iterator[Llm]:
    llm = Llm(list(script))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.do_POST()

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            llm.paths.append(self.path)
            llm.asked.append((json.loads(body or b"{}"), dict(self.headers)))
            # Whoever asked does not always wait.
            with suppress(BrokenPipeError, ConnectionResetError):
                self._say(llm.next())

        def _say(self, say: Say) -> None:
            time.sleep(say.wait_s)
            self.send_response(say.status)
            self.send_header("Content-Length", str(len(say.body)))
            for name, value in say.headers.items():
                self.send_header(name, value)
            self.end_headers()
            if say.drip_s:
                for at in range(len(say.body)):
                    self.wfile.write(say.body[at : at + 1])
                    self.wfile.flush()
                    time.sleep(say.drip_s)
            else:
                self.wfile.write(say.body[: say.cut])
            self.close_connection = True

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    llm.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield llm
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
