"""Text that people write stays text: on every page, in feeds, tables and mail, for every reader."""

import csv
import io
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest
from django.conf import settings as configured
from django.test import Client

from leaderboard.api.csv_rows import FORMULA
from leaderboard.standings import rebuild_standings
from tests import factories as make
from tests.security.asking import sign_in
from tests.security.routes import all_routes, questions
from tests.security.world import CANARY, World, make_world

pytestmark = pytest.mark.django_db
READERS = ("anonymous", "owner", "maintainer")
MARKUP = ("text/html", "image/svg+xml", "application/atom+xml", "application/rss+xml", "text/xml")
RAW = "<script>canary"
# Words that pages take from the address.
ASKED = [
    "/?q={}", "/?split={}", "/?track={}", "/compare/?entries={}", "/decisions/?kind={}", "/flags/?state={}",
    "/charts/?metric={}", "/insights/?metric={}", "/competitions/?split={}", "/docket/?q={}", "/docket/?kind={}",
    "/docket/audit/?who={}", "/account/login/?next={}", "/{}", "/entries/{}/", "/docs/{}/", "/restatements/?page={}",
    "/api/v1/entries/?track={}", "/api/v1/rankings/{}?benchmark={}", "/admin/submissions/organisation/?q={}",
]  # fmt: skip


class Links(HTMLParser):
    """Every address of a page, and every attribute that would run something."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.bad: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            word = (value or "").strip().lower()
            runs = name in ("href", "src", "action", "formaction") and word.startswith(
                ("javascript:", "data:text", "vbscript:")
            )
            if runs or name.startswith("on"):
                self.bad.append(f"{tag} {name}={value}")
        if tag == "script" and not any(name == "src" for name, _ in attrs) and not dict(attrs).get("type"):
            self.bad.append("script without src")


@pytest.fixture
def world(db: None) -> World:
    return make_world(CANARY)


def readable(world: World) -> Iterator[str]:
    """Every address that answers a GET, admin and accounts included."""
    for route in all_routes():
        if route.name.startswith(("admin:", "account_", "mfa_", "usersessions", "None", "api-")):
            continue
        if route.name.rpartition(":")[2] != "None":
            yield from (path for method, _, path in questions(route, world) if method == "GET")
    yield from ("/account/email/", "/account/password/change/", "/account/2fa/", "/account/logout/")
    for model in ("organisation", "team", "submission", "user", "upload", "closure", "event"):
        yield f"/admin/submissions/{model}/"
    for model in ("flag", "question", "agent", "entry", "decision", "claim"):
        yield f"/admin/leaderboard/{model}/"


def body_of(answer: Any) -> bytes:
    """All of it, however often it is asked for: what is streamed could be read once."""
    if answer.streaming:
        body = b"".join(answer.streaming_content)
        answer.streaming_content = [body]
        return body
    return bytes(answer.content)


def faults(path: str, answer: Any) -> list[str]:
    kind = answer.get("Content-Type", "").partition(";")[0]
    if kind not in MARKUP:
        return []
    text = body_of(answer).decode()
    found = [f"{path}: raw text"] if RAW in text else []
    if "html" in kind:
        return found + [f"{path}: {bad}" for bad in Links(text).bad]
    ElementTree.fromstring(text)  # Our own answer: text that breaks out would not parse.
    return found


def test_what_people_wrote_is_never_markup(world: World) -> None:
    paths = list(dict.fromkeys(readable(world)))
    seen, found = 0, []
    for role in READERS:
        client = sign_in(world.people[role])
        for path in paths:
            answer = client.get(path)
            seen += answer.status_code == 200 and b"canary" in body_of(answer)
            found += faults(path, answer)
    assert seen > 50, "the canary was on few pages: nothing was tried"
    assert found == []


@pytest.mark.parametrize("path", ASKED)
def test_what_the_address_says_is_never_markup(path: str) -> None:
    client = sign_in(make.make_maintainer())
    address = path.replace(
        "{}", CANARY.replace("/", "%2F").replace("<", "%3C").replace('"', "%22").replace("=", "%3D")
    )
    assert faults(path, client.get(address)) == []


TABLES = [
    "/api/v1/rankings/{track}?benchmark=bench&split={split}&format=csv",
    "/api/v1/gradings/?format=csv",
    "/api/v1/snapshots/{snapshot}?format=csv",
    "/api/v1/entries/?format=csv",
    "/api/v1/decisions/?format=csv",
    "/api/v1/restatements/?format=csv",
    "/api/v1/pin-moves/?format=csv",
    "/api/v1/flags/?format=csv",
]


def cells(text: str) -> Iterator[str]:
    for row in csv.reader(io.StringIO(text)):
        yield from row


def is_number(cell: str) -> bool:
    return re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", cell) is not None


def test_no_cell_of_an_exported_table_is_a_formula(world: World) -> None:
    from leaderboard.models import Snapshot

    case = world.cases["published"]
    assert case.entry is not None
    rebuild_standings(case.entry.benchmark, make.NOW)
    asked, tried = 0, 0
    for path in TABLES:
        for track in ("all", "clean"):
            address = path.format(track=track, split="all", snapshot=Snapshot.objects.latest("pk").pk)
            answer = Client().get(address)
            if answer.status_code != 200 or not answer["Content-Type"].startswith("text/csv"):
                continue
            asked += 1
            found = [
                cell
                for cell in cells(answer.content.decode())
                if cell.startswith(FORMULA) and not is_number(cell)
            ]
            tried += "canary" in answer.content.decode()
            assert found == [], address
    assert asked >= 2
    assert tried


EVIL = [
    "https://evil.example/", "//evil.example/", "///evil.example", r"/\evil.example", r"\\evil.example",
    "http:evil.example", "javascript:alert(1)", "https:evil.example", "/%09/evil.example",
    "https://testserver@evil.example/", "//evil.example@testserver",
]  # fmt: skip


def leads_away(location: str) -> bool:
    """As a browser would read it."""
    plain = re.sub(r"[\t\r\n]", "", location).replace("\\", "/")
    inside = plain.startswith("/") and not plain.startswith("//")
    return not (inside or plain.startswith(("http://testserver/", "?")))


@pytest.mark.parametrize("target", EVIL)
def test_no_address_sends_a_reader_to_another_site(target: str) -> None:
    user = make.make_user()
    words = {"login": user.email, "password": make.PASSWORD, "next": target}
    sent = [
        Client().post("/account/login/", words),
        Client().post("/account/login/", words, query_params={"next": target}),
        Client().post(
            "/account/signup/",
            {
                "email": "a@example.org",
                "password1": make.PASSWORD,
                "password2": make.PASSWORD,
                "next": target,
            },
        ),
    ]
    inside = sign_in(user)
    sent += [
        inside.get("/account/login/", {"next": target}),
        inside.post("/account/logout/", {"next": target}),
        inside.get("/admin/login/", {"next": target}),
        inside.get(f"/{target}"),
        inside.get("/" + target.lstrip("/\\")),
        inside.get(f"//{target.lstrip('/')}about"),
    ]
    for answer in sent:
        if 300 <= answer.status_code < 400:
            assert not leads_away(answer["Location"]), answer["Location"]


def test_a_wrong_host_is_not_believed() -> None:
    configured_hosts = configured.ALLOWED_HOSTS
    assert "*" not in configured_hosts
    assert Client().get("/healthz", headers={"Host": "evil.example"}).status_code == 400
    assert Client().get("/healthz", headers={"X-Forwarded-Host": "evil.example"}).status_code == 200
