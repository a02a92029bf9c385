"""The worker of the web server, as gunicorn runs it: what slow senders can and cannot do."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import BinaryIO

import httpx
import pytest

from leaderboard.launcher.arrival import SMALL_BODY, Pace
from leaderboard.launcher.web_worker import PacedUnreader, TooSlow
from tests.services.processes import answers, free_port, running

pytestmark = pytest.mark.enable_socket
ROOT = Path(__file__).parents[2]
GET = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
THREADS = 2
APPLICATION = """
import hashlib

def application(environ, start_response):
    digest = hashlib.sha256()
    while chunk := environ["wsgi.input"].read(65536):
        digest.update(chunk)
    said = digest.hexdigest().encode()
    start_response("200 OK", [("Content-Length", str(len(said))), ("Content-Type", "text/plain")])
    return [said]
"""


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder, port = tmp_path_factory.mktemp("web"), free_port()
    (folder / "told.py").write_text(APPLICATION)
    worker = "leaderboard.launcher.web_worker.Worker"
    command = (
        *(sys.executable, "-m", "gunicorn", "told:application", "--pythonpath", f"{folder},{ROOT}"),
        *("--bind", f"127.0.0.1:{port}", "--worker-class", worker, "--threads", str(THREADS)),
        *("--no-control-socket", "--keep-alive", "5"),
    )
    with running(command, folder / "log", lambda: answers(port)):
        yield port


def ask(port: int, sent: bytes) -> bytes:
    with closing(connect(port)) as line:
        line.sendall(sent)
        return read_answer(line.makefile("rb"))


def read_answer(stream: BinaryIO) -> bytes:
    """One whole answer, in however many packets it comes."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        read = stream.readline()
        assert read, head
        head += read
    length = re.search(rb"\r\nContent-Length: (\d+)\r\n", head, re.IGNORECASE)
    return head + (stream.read(int(length[1])) if length else b"")


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=60)


STALLED = {
    "heads": b"GET / HTTP/1.1\r\nHost:",
    "small bodies": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1",
    "large bodies": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n1" % (SMALL_BODY * 4),
    "nothing": b"",
    "answered and not closed": GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"),
}


@pytest.mark.parametrize("sent", STALLED.values(), ids=STALLED)
def test_more_stalled_senders_than_threads_keep_nobody(port: int, sent: bytes) -> None:
    with ExitStack() as stack:
        lines = [stack.enter_context(closing(connect(port))) for _ in range(THREADS * 5)]
        for line in lines:
            line.sendall(sent)
        time.sleep(0.3)
        began = time.monotonic()
        assert ask(port, GET).startswith(b"HTTP/1.1 200")
        # They would keep it for 15 seconds or more.
        assert time.monotonic() - began < 8


def test_a_request_in_pieces_is_answered(port: int) -> None:
    with closing(connect(port)) as line:
        for piece in (b"POST / HTT", b"P/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r", b"\nab", b"c"):
            line.sendall(piece)
            time.sleep(0.1)
        assert b"ba7816bf" in read_answer(line.makefile("rb"))


def test_two_requests_in_one_piece_are_both_answered(port: int) -> None:
    with closing(connect(port)) as line:
        line.sendall(GET + GET)
        stream = line.makefile("rb")
        assert b"e3b0c442" in read_answer(stream)
        assert b"e3b0c442" in read_answer(stream)


@pytest.mark.parametrize("size", [0, 1, SMALL_BODY, SMALL_BODY + 1, 5_000_000])
def test_bodies_of_all_sizes_on_one_connection(port: int, size: int) -> None:
    content = b"x" * size
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        whole = [client.post("/", content=content).text for _ in range(3)]
        chunked = client.post("/", content=iter([content[:10], content[10:]])).text
    assert set(whole) == {chunked}


def test_one_that_waits_for_a_word_before_it_sends(port: int) -> None:
    with closing(connect(port)) as line:
        line.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        stream = line.makefile("rb")
        assert read_answer(stream).startswith(b"HTTP/1.1 100")
        line.sendall(b"abc")
        assert b"ba7816bf" in read_answer(stream)


def test_a_sender_below_the_pace_is_cut_off() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        moments = iter(range(0, 1000, 10))
        unreader = PacedUnreader(ours, Pace(grace_s=15, bytes_per_s=1), clock=lambda: float(next(moments)))
        theirs.sendall(b"x")
        assert unreader.chunk() == b"x"  # Ten seconds.
        theirs.sendall(b"x")
        with pytest.raises(TooSlow):
            unreader.chunk()
        unreader.start()
        theirs.sendall(b"x")
        assert unreader.chunk() == b"x"


def test_ends_when_told(tmp_path: Path) -> None:
    (tmp_path / "told.py").write_text(APPLICATION)
    port = free_port()
    command = (
        *(sys.executable, "-m", "gunicorn", "told:application", "--pythonpath", f"{tmp_path},{ROOT}"),
        *("--bind", f"127.0.0.1:{port}", "--worker-class", "leaderboard.launcher.web_worker.Worker"),
        *("--threads", "2", "--no-control-socket"),
    )
    with running(command, tmp_path / "log", lambda: answers(port)) as process:
        assert ask(port, GET).startswith(b"HTTP/1.1 200")
        process.terminate()
        try:
            assert process.wait(60) == 0
        except subprocess.TimeoutExpired:  # pragma: no cover
            pytest.fail((tmp_path / "log").read_text())
