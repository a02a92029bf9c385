"""Every place from which this site calls out, and that no link of anybody's is followed."""

import ast
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from leaderboard.notices.addresses import BadAddress, parse_target
from leaderboard.notices.post import Delivery, post
from tests.security.world import make_world

ROOT = Path(__file__).parents[2]
APPS = ("grading", "submissions", "leaderboard")
# Modules that can open a connection.
CALLING = frozenset(
    {
        "socket", "ssl", "http.client", "urllib.request", "httpx", "requests", "aiohttp", "smtplib", "ftplib",
        "imaplib", "telnetlib", "xmlrpc.client", "boto3", "botocore", "urllib3", "asyncio.streams",
        "websocket", "paramiko",
    }
)  # fmt: skip
# Who imports one of them, and where it leads. Whoever adds a line says so in docs/threat-model.md too.
OUTGOING = {
    "leaderboard/notices/post.py": "webhooks: checked, pinned addresses on the open internet",
    "leaderboard/notices/send_mail.py": "the mail server of the settings",
    "leaderboard/second_reading/endpoint.py": "the one endpoint of the settings",
    "leaderboard/launcher/site.py": "this machine: whether the site answers, and which port is free",
    "leaderboard/launcher/web_worker.py": "nowhere: it takes connections",
    "grading/bucket/access.py": "the stores of the settings",
    "grading/bucket/errors.py": "nowhere: it names the faults of those",
    "leaderboard/bucket_setup.py": "the stores of the settings",
    "submissions/bucket_parts.py": "the stores of the settings",
    "grading/host.py": "nowhere: the name of this machine",
    "submissions/validity/host.py": "nowhere: the name of this machine",
    "grading/sandbox/canary.py": "this machine: a listener that a sandbox must not reach",
    "grading/sandbox/probes.py": "this machine: whether it does",
    "grading/sandbox/template.py": "nowhere: a pair of sockets to the sandbox",
    "grading/sandbox/inside/template.py": "nowhere: the other end of that pair",
    "grading/sandbox/inside/child.py": "nowhere: the other end of that pair",
}


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def can_call(name: str) -> bool:
    return any(name == each or name.startswith(f"{each}.") for each in CALLING)


def test_every_module_that_can_call_out_is_known() -> None:
    found = {
        str(path.relative_to(ROOT))
        for app in APPS
        for path in (ROOT / app).rglob("*.py")
        if any(map(can_call, imported(path)))
    }
    assert found == set(OUTGOING)


@pytest.mark.django_db
def test_links_of_people_are_kept_and_never_followed(
    monkeypatch: pytest.MonkeyPatch, own_stores: dict[str, dict[str, Any]]
) -> None:
    """A submission with links everywhere, from the run card to an appeal: nothing is looked up or connected to, but
    the store where there is one (`make test ON=services`)."""
    asked: list[Any] = []
    access = own_stores["shapes"]["OPTIONS"].get("access")
    store = urlsplit(access.endpoint).netloc if access else ""

    def refuse(look_up: Callable[..., Any]) -> Callable[..., Any]:
        def instead(host: Any, port: Any = None, *more: Any, **named: Any) -> Any:
            if store and f"{host}:{port}" == store:
                return look_up(host, port, *more, **named)
            asked.append((host, port))
            raise OSError("no network in this test")

        return instead

    for name in ("getaddrinfo", "create_connection"):
        monkeypatch.setattr(socket, name, refuse(getattr(socket, name)))
    world = make_world()
    assert world.cases["published"].entry is not None
    assert [told for told in asked if "example.org" in str(told)] == []


BAD = [
    "http://example.org/", "https://localhost/", "https://127.0.0.1/", "https://127.1/", "https://[::1]/", "https://0/",
    "https://10.0.0.1/", "https://169.254.169.254/latest/meta-data/", "https://[fd00::1]/", "https://2130706433/",
    "https://[::ffff:169.254.169.254]/", "https://0x7f000001/", "https://user:pw@example.org/", "https://example.org:22/",
    "file:///etc/passwd", "gopher://example.org/", "https://example.org\r\nHost: x/", "https://exa mple.org/", "https:///x",
    "//example.org/", "https://[64:ff9b::7f00:1]/", "https://168.63.129.16/", "https://0177.0.0.1/",
]  # fmt: skip


@pytest.mark.parametrize("url", BAD)
def test_a_webhook_goes_to_no_inner_address(url: str) -> None:
    """Refused when it is typed; or, where a resolver could read a number in it, when it is sent."""
    try:
        parse_target(url)
    except BadAddress:
        return
    answer = post(Delivery(url, b"{}", {}), look_up=lambda host, port: ["127.0.0.1"])
    assert answer.status is None
    assert answer.fault == "the host leads into a private network"


@pytest.mark.parametrize(
    "numbers",
    [["127.0.0.1"], ["93.184.216.34", "10.0.0.1"], ["::1"], ["169.254.169.254"], ["::ffff:10.0.0.1"], []],
)
def test_a_name_that_leads_inside_is_not_called(numbers: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where only one of several numbers is an inner one, so that answering by turns is of no use."""
    monkeypatch.setattr(socket, "create_connection", lambda *_, **__: pytest.fail("it was called"))
    answer = post(Delivery("https://example.org/", b"{}", {}), look_up=lambda host, port: numbers)
    assert answer.fault == "the host leads into a private network"


def test_the_number_that_was_checked_is_the_one_that_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name is looked up once: a resolver that changes its mind in between is not asked again."""
    called: list[Any] = []

    def connect(address: Any, **_: Any) -> Any:
        called.append(address)
        raise OSError("enough")

    answers = iter([["93.184.216.34"], ["127.0.0.1"]])
    monkeypatch.setattr(socket, "create_connection", connect)
    post(Delivery("https://example.org/", b"{}", {}), look_up=lambda host, port: next(answers))
    assert called == [("93.184.216.34", 443)]
