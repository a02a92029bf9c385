"""One POST to an address somebody else chose: bounded, straight, and never into a private network."""

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from leaderboard.notices import post as module
from leaderboard.notices.post import Delivery, post, post_all
from tests.leaderboard.notices.receiver import OK, receiving, status

pytestmark = pytest.mark.enable_socket
BODY = b'{"type":"ping"}'
HEADERS = {"webhook-id": "id-1"}


def delivery(url: str) -> Delivery:
    return Delivery(url, BODY, HEADERS)


def test_what_is_sent() -> None:
    with receiving() as receiver:
        answer = post(delivery(receiver.url), allow_loopback=True)
    assert (answer.status, answer.fault, answer.is_taken) == (200, "", True)
    assert receiver.requests[0].startswith(b"POST /hook?x=1 HTTP/1.1\r\n")
    headers = receiver.headers()
    assert headers["host"] == f"127.0.0.1:{receiver.port}"
    assert headers["content-type"] == "application/json"
    assert headers["content-length"] == str(len(BODY))
    assert headers["webhook-id"] == "id-1"
    assert receiver.body() == BODY


@pytest.mark.parametrize(
    ("answer", "code", "is_taken"),
    [
        (status(204), 204, True),
        (b"HTTP/1.0 200\n", 200, True),
        (status(400), 400, False),
        (status(500), 500, False),
    ],
)
def test_statuses(answer: bytes, code: int, is_taken: bool) -> None:
    with receiving(answer) as receiver:
        got = post(delivery(receiver.url), allow_loopback=True)
    assert (got.status, got.is_taken) == (code, is_taken)


def test_a_redirect_is_not_followed() -> None:
    with receiving() as inner, receiving(status(302, b"Location: %s\r\n" % inner.url.encode())) as outer:
        got = post(delivery(outer.url), allow_loopback=True)
    assert (got.status, got.is_taken) == (302, False)
    assert inner.requests == []


@pytest.mark.parametrize(
    "answer", [b"", b"SSH-2.0-OpenSSH_9.2\r\n", b"220 mail ready\r\n", b"HTTP/1.1 abc\r\n", b"x" * 5000]
)
def test_what_is_not_http_is_a_fault_in_fixed_words(answer: bytes) -> None:
    with receiving(answer) as receiver:
        got = post(delivery(receiver.url), allow_loopback=True)
    assert got.status is None
    assert got.fault in ("the answer is not HTTP", "connection failed: ConnectionResetError")


def test_a_long_answer_is_not_read() -> None:
    with receiving(OK + b"x" * 50_000_000) as receiver:
        got = post(delivery(receiver.url), allow_loopback=True)
    assert got.is_taken
    assert got.took_ms < 2000


@pytest.mark.parametrize("answer", [b"HTTP/1.1 200 OK" + b" " * 900, b"H" * 900])
def test_an_answer_that_drips_ends_with_the_time(answer: bytes) -> None:
    """Each byte comes well before any time limit on a single read."""
    with receiving(answer, pause_s=0.05) as receiver:
        started = time.monotonic()
        got = post(delivery(receiver.url), allow_loopback=True, within_s=0.6)
        assert time.monotonic() - started < 15  # The whole answer would take 45.
    assert (got.status, got.fault) == (None, "no answer in time")


def test_nobody_there_is_a_fault() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    got = post(delivery(f"http://127.0.0.1:{port}/"), allow_loopback=True)
    assert got.fault == "connection failed: ConnectionRefusedError"


@pytest.mark.parametrize(
    "numbers",
    [
        ["127.0.0.1"], ["10.0.0.5"], ["169.254.169.254"], ["::1"], ["::ffff:127.0.0.1"], ["fd00:ec2::254"],
        ["93.184.216.34", "10.0.0.5"], ["10.0.0.5", "93.184.216.34"], [],
    ],
)  # fmt: skip
def test_a_name_that_leads_inside_is_not_connected_to(
    numbers: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> socket.socket:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(module.socket, "create_connection", never)
    got = post(delivery("https://hooks.example.org/"), look_up=lambda host, port: numbers)
    assert got.fault == "the host leads into a private network"


def test_allowing_loopback_does_not_let_names_lead_there(monkeypatch: pytest.MonkeyPatch) -> None:
    got = post(delivery("https://hooks.example.org/"), True, look_up=lambda host, port: ["127.0.0.1"])
    assert got.fault == "the host leads into a private network"


def test_the_checked_number_is_the_one_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that changes its mind between the check and the connection changes nothing."""
    answers = iter([["93.184.216.34"], ["127.0.0.1"]])
    asked: list[tuple[str, int]] = []

    def connect(address: tuple[str, int], timeout: float) -> socket.socket:
        asked.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(module.socket, "create_connection", connect)
    post(delivery("https://hooks.example.org/"), look_up=lambda host, port: next(answers))
    assert asked == [("93.184.216.34", 443)]


def test_a_name_without_address_is_a_fault() -> None:
    def fail(host: str, port: int) -> list[str]:
        raise socket.gaierror(-2, "Name or service not known")

    assert post(delivery("https://hooks.example.org/"), look_up=fail).fault == "the host has no address"


def test_a_look_up_that_took_too_long_connects_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(host: str, port: int) -> list[str]:
        time.sleep(0.2)
        return ["93.184.216.34"]

    got = post(delivery("https://hooks.example.org/"), within_s=0.1, look_up=slow)
    assert got.fault == "no answer in time"


def test_several_go_out_at_once_and_the_slow_does_not_hold_the_fast() -> None:
    with receiving(b"H" * 900, pause_s=0.05) as slow, receiving() as fast:
        started = time.monotonic()
        answers = post_all([delivery(slow.url), delivery(fast.url)] * 2, allow_loopback=True, within_s=0.8)
        assert time.monotonic() - started < 25  # One whole answer would take 45.
    assert [answer.is_taken for answer in answers] == [False, True, False, True]


def test_a_proxy_in_the_environment_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving() as proxy, receiving() as receiver:
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert post(delivery(receiver.url), allow_loopback=True).is_taken
    assert proxy.requests == []


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """For hooks.example.org, signed by itself."""
    folder = tmp_path_factory.mktemp("tls")
    from datetime import UTC, datetime, timedelta

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "hooks.example.org")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("hooks.example.org")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    pem = made.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "both.pem").write_bytes(pem)
    return folder / "both.pem"


@pytest.fixture
def tls_port(certificate: Path) -> Iterator[int]:
    """A TLS server on loopback that answers 200 to one request after another."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    done = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)

        def serve() -> None:
            while not done.is_set():
                try:
                    connection, _ = server.accept()
                    with context.wrap_socket(connection, server_side=True) as secure:
                        secure.recv(65536)
                        secure.sendall(OK)
                except OSError:
                    continue

        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1]
        done.set()
        thread.join()


@pytest.mark.parametrize(
    ("host", "is_trusted", "fault"),
    [
        ("hooks.example.org", True, ""),
        ("hooks.example.org", False, "TLS failed: CERTIFICATE_VERIFY_FAILED"),
        ("other.example.org", True, "TLS failed: CERTIFICATE_VERIFY_FAILED"),
    ],
)
def test_the_certificate_is_checked_against_the_name(
    host: str, is_trusted: bool, fault: str, tls_port: int, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The public number stands for this machine, the only place a test may connect to."""
    honest = socket.create_connection
    monkeypatch.setattr(
        module.socket, "create_connection", lambda address, timeout: honest(("127.0.0.1", tls_port), timeout)
    )
    if is_trusted:
        context = ssl.create_default_context(cafile=str(certificate))
        monkeypatch.setattr(module.ssl, "create_default_context", lambda: context)
    got = post(delivery(f"https://{host}/x"), look_up=lambda name, port: ["93.184.216.34"])
    assert got.fault == fault
    assert got.is_taken == (not fault)
