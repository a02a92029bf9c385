"""The nginx site for real: in front of gunicorn with the real site, over TLS, as a browser would ask it."""

import os
import re
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from leaderboard.launcher.processes import WORKER
from tests.databases import begin_migrated
from tests.services.processes import answers, free_port, running

ROOT = Path(__file__).parents[2]
SITE = ROOT / "deploy/nginx/mle-bench.conf"
UPSTREAM = ROOT / "deploy/nginx/upstream.conf"
HOST = "leaderboard.example.org"
TOKEN = "0123456789abcdef0123456789abcdef"
pytestmark = [pytest.mark.site, pytest.mark.own_services, pytest.mark.enable_socket]


def make_certificate(folder: Path) -> None:
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
        .not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1)).sign(key, hashes.SHA256())
    )  # fmt: skip
    folder.mkdir()
    (folder / "fullchain.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "privkey.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )


def site_here(folder: Path, backend: int, plain: int, tls: int) -> Path:
    """The very file, with other ports and places; HTTP/2 is told in the way of the nginx that is here."""
    text = UPSTREAM.read_text() + SITE.read_text()
    for old, new in (
        ("127.0.0.1:8000", f"127.0.0.1:{backend}"),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{tls} ssl http2;"),
        ("    http2 on;\n", ""),
        ("/etc/nginx/tls", str(folder / "tls")),
        ("/var/log/nginx", str(folder)),
    ):
        assert old in text
        text = text.replace(old, new)
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = (
        f"pid {folder}/pid;\nerror_log {folder}/error.log;\ndaemon off;\nuser {os.environ.get('USER', 'root')};\n"
        if os.geteuid() == 0
        else f"pid {folder}/pid;\nerror_log {folder}/error.log;\ndaemon off;\n"
    )
    path = folder / "nginx.conf"
    path.write_text(f"{whole}events {{}}\nhttp {{\n{temporary}{text}\n}}\n")
    return path


@pytest.fixture(scope="module")
def proxy(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None
) -> Iterator[tuple[httpx.Client, int, Path]]:
    folder = tmp_path_factory.mktemp("nginx")
    begin_migrated(folder / "var")
    make_certificate(folder / "tls")
    backend, plain, tls = free_port(), free_port(), free_port()
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("MLEB_", "DATABASE", "BROKER", "PYTEST"))
    }
    env = {
        **kept, "MLEB_MODE": "production", "MLEB_VAR": str(folder / "var"), "MLEB_SECRET_KEY": "k" * 60,
        "MLEB_ALLOWED_HOSTS": HOST, "MLEB_SITE_URL": f"https://{HOST}", "MLEB_BEHIND_PROXY": "yes", "MLEB_PROXIES": "1",
        "MLEB_METRICS_TOKEN": TOKEN, "MLEB_EMAIL_FROM": f"site@{HOST}",
    }  # fmt: skip
    for words in (("migrate",), ("collectstatic", "--no-input")):
        subprocess.run(
            [sys.executable, "manage.py", *words, "-v", "0"], cwd=ROOT, env=env, check=True, timeout=900
        )
    gunicorn = [
        sys.executable, "-m", "gunicorn", "leaderboard.wsgi:application", "--bind", f"127.0.0.1:{backend}",
        "--workers", "1", "--worker-class", WORKER, "--threads", "4", "--no-control-socket", "--timeout", "300",
    ]  # fmt: skip
    program = next(
        path
        for path in ("/usr/sbin/nginx", "/usr/local/sbin/nginx", "nginx")
        if "/" not in path or Path(path).exists()
    )
    conf = site_here(folder, backend, plain, tls)
    subprocess.run([program, "-t", "-c", str(conf)], check=True, capture_output=True, timeout=120)
    with ExitStack() as stack:
        stack.enter_context(
            running(
                ["env", "-C", str(ROOT), *(f"{k}={v}" for k, v in env.items()), *gunicorn],
                folder / "site.log",
                lambda: answers(backend),
            )
        )
        stack.enter_context(running([program, "-c", str(conf)], folder / "nginx.log", lambda: answers(tls)))
        client = stack.enter_context(
            httpx.Client(
                base_url=f"https://127.0.0.1:{tls}", verify=_trusting(), headers={"Host": HOST}, timeout=300
            )
        )
        yield client, plain, folder


def _trusting() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def log_of(folder: Path, name: str, word: str) -> str:
    """The log once it holds the word."""
    deadline = time.monotonic() + 60
    while word not in (text := (folder / name).read_text()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return text


def test_pages_come_through_with_their_headers(proxy: tuple[httpx.Client, int, Path]) -> None:
    client, _, _ = proxy
    answer = client.get("/docs/")
    assert answer.status_code == 200
    assert answer.headers["strict-transport-security"].startswith("max-age=31536000")
    assert re.fullmatch(r"[0-9a-f]{32}", answer.headers["x-request-id"])
    assert client.get("/healthz").text == "ok"


def test_plain_http_is_sent_to_https(proxy: tuple[httpx.Client, int, Path]) -> None:
    answer = httpx.get(f"http://127.0.0.1:{proxy[1]}/docs/?a=b", headers={"Host": HOST}, timeout=60)
    assert (answer.status_code, answer.headers["location"]) == (301, f"https://{HOST}/docs/?a=b")


def test_metrics_stay_inside(proxy: tuple[httpx.Client, int, Path]) -> None:
    assert proxy[0].get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 404


@pytest.mark.parametrize(
    ("path", "size"), [("/account/login/", 4_000_000), ("/api/v1/submissions/x/parts/1", 71 * 2**20)]
)
def test_bodies_that_are_too_large_do_not_reach_the_site(
    proxy: tuple[httpx.Client, int, Path], path: str, size: int
) -> None:
    """By their announced length alone: nothing more is sent, which no client of HTTP would do."""
    port = proxy[0].base_url.port
    assert port is not None
    with (
        socket.create_connection(("127.0.0.1", port), timeout=60) as plain,
        _trusting().wrap_socket(plain) as sender,
    ):
        sender.sendall(f"POST {path} HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {size}\r\n\r\n".encode())
        assert sender.recv(64).split()[1] == b"413"


def test_what_is_small_reaches_the_site(proxy: tuple[httpx.Client, int, Path]) -> None:
    assert proxy[0].post("/docs/", content=b"x" * 1000).status_code in {403, 405}


def test_nobody_chooses_their_own_address_or_number_of_request(proxy: tuple[httpx.Client, int, Path]) -> None:
    """The one line of the site says what nginx said, and the logs agree on the number."""
    client, _, folder = proxy
    forged = {
        "X-Forwarded-For": "203.0.113.9",
        "X-Request-ID": "forged-number",
        "X-Forwarded-Host": "evil.example",
    }
    answer = client.get("/styleguide/?password=hunter2hunter2", headers=forged)
    number = answer.headers["x-request-id"]
    assert number != "forged-number"
    for name in ("site.log", "site.json"):
        text = log_of(folder, name, number)
        assert number in text
        assert "hunter2hunter2" not in text
        assert "forged-number" not in text
