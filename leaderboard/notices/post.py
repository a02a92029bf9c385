"""One POST to an address that somebody else chose, within a bound of time.

Not by an HTTP library: those bound each read and not the whole, so that a receiver could hold a worker for hours, and
look the name up again after it was checked. Nothing is followed, and nothing but the status line is looked at.
"""

import socket
import ssl
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass

from leaderboard.notices.addresses import BadAddress, Target, is_loopback, is_public, parse_target

WITHIN_S = 5.0
# Of the answer, of which one line is enough.
READ_BYTES = 1024
AGENT = "mle-bench-leaderboard-webhook/1"
Resolve = Callable[[str, int], Iterable[str]]


@dataclass(frozen=True)
class Answer:
    """What came back. `status` is None where nothing did, and `fault` then says why."""

    status: int | None
    fault: str = ""
    took_ms: int = 0

    @property
    def is_taken(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


@dataclass(frozen=True)
class Delivery:
    """What to send where."""

    url: str
    body: bytes
    headers: Mapping[str, str]


class NoAnswer(Exception):
    """Why there is none, in words that hold no address."""


def resolve(host: str, port: int) -> list[str]:
    """The IP addresses of a host."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def post_all(
    deliveries: Sequence[Delivery], allow_loopback: bool = False, within_s: float = WITHIN_S
) -> list[Answer]:
    """The answers, all at once and so in the time of the slowest. A look-up that hangs is left behind."""
    pool = ThreadPoolExecutor(max(len(deliveries), 1))
    asked = [pool.submit(post, each, allow_loopback, within_s) for each in deliveries]
    wait(asked, timeout=within_s + 1)
    pool.shutdown(wait=False, cancel_futures=True)
    late = Answer(None, "no answer in time", round(within_s * 1000))
    return [each.result() if each.done() and not each.cancelled() else late for each in asked]


def post(
    delivery: Delivery,
    allow_loopback: bool = False,
    within_s: float = WITHIN_S,
    look_up: Resolve | None = None,
) -> Answer:
    """The answer. Never raises for what the other side does."""
    started = time.monotonic()
    status, fault = None, ""
    try:
        target = parse_target(delivery.url, allow_loopback)
        status = _exchange(target, delivery, allow_loopback, started + within_s, look_up or resolve)
    except BadAddress as error:
        fault = str(error)
    except NoAnswer as error:
        fault = str(error)
    except TimeoutError:
        fault = "no answer in time"
    except ssl.SSLError as error:
        fault = f"TLS failed: {error.reason or 'no reason given'}"
    except OSError as error:
        fault = f"connection failed: {type(error).__name__}"
    return Answer(status, fault[:200], round((time.monotonic() - started) * 1000))


def _exchange(
    target: Target, delivery: Delivery, allow_loopback: bool, deadline: float, look_up: Resolve
) -> int:
    with _connect(target, allow_loopback, deadline, look_up) as connection:
        connection.settimeout(_left(deadline))
        connection.sendall(_request(target, delivery))
        return _read_status(connection, deadline)


def _connect(target: Target, allow_loopback: bool, deadline: float, look_up: Resolve) -> socket.socket:
    """A connection to a number that was checked: the name is not looked up again."""
    number = _checked_number(target, allow_loopback, look_up)
    plain = socket.create_connection((number, target.port), timeout=_left(deadline))
    if not target.is_https:
        return plain
    try:
        plain.settimeout(_left(deadline))
        return ssl.create_default_context().wrap_socket(plain, server_hostname=target.host)
    except BaseException:
        plain.close()
        raise


def _checked_number(target: Target, allow_loopback: bool, look_up: Resolve) -> str:
    """The first IP address of the host. Raises NoAnswer if any of them is not public, IPv4 before IPv6."""
    try:
        numbers = sorted(look_up(target.host, target.port), key=lambda number: ":" in number)
    except (OSError, UnicodeError) as error:
        raise NoAnswer("the host has no address") from error
    if allow_loopback and is_loopback(target.host) and not target.is_https:
        return numbers[0]
    if not numbers or not all(map(is_public, numbers)):
        raise NoAnswer("the host leads into a private network")
    return numbers[0]


def _left(deadline: float) -> float:
    """Seconds until then. Raises TimeoutError when there are none."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _request(target: Target, delivery: Delivery) -> bytes:
    fixed = {
        "Host": target.authority,
        "User-Agent": AGENT,
        "Content-Type": "application/json",
        "Content-Length": str(len(delivery.body)),
        "Connection": "close",
    }
    lines = [f"{name}: {value}" for name, value in {**fixed, **delivery.headers}.items()]
    head = "\r\n".join([f"POST {target.path} HTTP/1.1", *lines, "", ""])
    return head.encode("ascii") + delivery.body


def _read_status(connection: socket.socket, deadline: float) -> int:
    """The status in the first line of the answer. Raises NoAnswer where that is no HTTP."""
    read = b""
    while b"\n" not in read and len(read) < READ_BYTES:
        connection.settimeout(_left(deadline))
        more = connection.recv(READ_BYTES - len(read))
        if not more:
            break
        read += more
    words = read.partition(b"\n")[0].split()
    if len(words) < 2 or not words[0].startswith(b"HTTP/1.") or not words[1].isdigit() or len(words[1]) != 3:
        raise NoAnswer("the answer is not HTTP")
    return int(words[1])
