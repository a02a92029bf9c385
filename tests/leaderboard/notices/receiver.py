"""A small HTTP server on loopback that keeps what it is sent, and answers as a test wants."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Receiver:
    """`answers`: raw bytes for each request in order, the last for all further ones."""

    port: int
    answers: list[bytes]
    pause_s: float = 0.0  # Between the bytes of an answer.
    requests: list[bytes] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook?x=1"

    def headers(self, number: int = 0) -> dict[str, str]:
        head = self.requests[number].partition(b"\r\n\r\n")[0].decode()
        lines = [line.partition(": ") for line in head.split("\r\n")[1:]]
        return {name.lower(): value for name, _, value in lines}

    def body(self, number: int = 0) -> bytes:
        return self.requests[number].partition(b"\r\n\r\n")[2]


OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"


def status(code: int, more: bytes = b"") -> bytes:
    return b"HTTP/1.1 %d Word\r\n%s\r\n" % (code, more)


@contextmanager
def receiving(*answers: bytes, pause_s: float = 0.0) -> Iterator[Receiver]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        receiver = Receiver(server.getsockname()[1], list(answers or [OK]), pause_s)
        done = threading.Event()
        server.settimeout(0.05)
        thread = threading.Thread(target=_serve, args=(server, receiver, done))
        thread.start()
        try:
            yield receiver
        finally:
            done.set()
            thread.join()


def _serve(server: socket.socket, receiver: Receiver, done: threading.Event) -> None:
    while not done.is_set():
        try:
            connection, _ = server.accept()
        except TimeoutError:
            continue
        with connection:
            connection.settimeout(2)
            _answer(connection, receiver, done)


def _answer(connection: socket.socket, receiver: Receiver, done: threading.Event) -> None:
    receiver.requests.append(_read(connection))
    answer = receiver.answers.pop(0) if len(receiver.answers) > 1 else receiver.answers[0]
    try:
        if not receiver.pause_s:
            connection.sendall(answer)
            return
        for byte in answer:
            connection.sendall(bytes([byte]))
            time.sleep(receiver.pause_s)
            if done.is_set():
                return
    except OSError:
        return


def _read(connection: socket.socket) -> bytes:
    read = b""
    while b"\r\n\r\n" not in read:
        read += connection.recv(65536)
    head, _, body = read.partition(b"\r\n\r\n")
    length = next(
        int(line[16:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length: ")
    )
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body
