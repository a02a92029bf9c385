"""Headers of every kind of answer, and what production adds."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured
from django.test import Client
from django.urls import reverse

from tests import factories as make
from tests.databases import begin_migrated
from tests.leaderboard.boards import make_board_benchmark, make_placed

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]
EVERYWHERE = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
POLICY = {
    "default-src 'self'", "img-src 'self' data:", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'",
    "form-action 'self'",
}  # fmt: skip
ANSWERS: dict[str, tuple[Callable[[Client], Any], int]] = {
    "board": (lambda client: client.get("/"), 200),
    "board again, from memory": (lambda client: (client.get("/"), client.get("/"))[1], 200),
    "page of an account": (lambda client: client.get("/account/"), 200),
    "redirect": (lambda client: Client().get("/account/"), 302),
    "not found": (lambda client: client.get("/nowhere/"), 404),
    "forbidden form": (lambda client: Client(enforce_csrf_checks=True).post("/account/login/"), 403),
    "wrong method": (lambda client: client.delete("/"), 405),
    "API": (lambda client: client.get("/api/v1/tracks/"), 200),
    "API not found": (lambda client: client.get("/api/v1/nowhere"), 404),
    "API docs": (lambda client: client.get("/api/v1/docs/"), 200),
    "CSV": (lambda client: client.get("/api/v1/rankings/clean?benchmark=bench&format=csv"), 200),
    "feed": (lambda client: client.get("/feeds/entries.atom"), 200),
    "schema": (lambda client: client.get("/schemas/run-card/1.json"), 200),
    "health": (lambda client: client.get("/healthz"), 200),
    "admin": (lambda client: client.get("/admin/"), 200),
    "too large": (
        lambda client: client.post(
            "/account/login/", b"a" * 9_000_000, content_type="application/octet-stream"
        ),
        413,
    ),
}


@pytest.fixture
def signed_in(client: Client) -> Client:
    make_placed(make_board_benchmark(), "clean", 50)
    client.force_login(make.make_maintainer())
    return client


@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_carries_them(name: str, signed_in: Client) -> None:
    ask, status = ANSWERS[name]
    answer = ask(signed_in)
    assert answer.status_code == status
    assert {header: answer.get(header) for header in EVERYWHERE} == EVERYWHERE
    assert set(answer["Content-Security-Policy"].split("; ")) >= POLICY
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert "camera=()" in answer["Permissions-Policy"]


def test_a_fault_of_ours_carries_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr("leaderboard.views.about.render", fail, raising=False)
    monkeypatch.setattr("leaderboard.views.about.public_page", fail, raising=False)
    answer = Client(raise_request_exception=False).get("/about/")
    assert answer.status_code == 500
    assert {header: answer.get(header) for header in EVERYWHERE} == EVERYWHERE


def test_an_entrys_badge_may_stand_on_other_sites(signed_in: Client) -> None:
    answer = signed_in.get(reverse("entry-badge", args=[make.make_placed().slug]))
    assert answer["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert answer["Content-Type"].startswith("image/svg+xml")


PRIVATE = [
    "/account/",
    "/account/sessions/",
    "/submissions/",
    "/docket/",
    "/docket/audit/",
    "/flags/yours/",
    "/submit/",
]


@pytest.mark.parametrize("path", PRIVATE)
def test_a_page_for_one_person_is_kept_by_nobody(path: str, signed_in: Client) -> None:
    control = signed_in.get(path)["Cache-Control"]
    assert "private" in control
    assert "no-store" in control


PUBLIC = ["/", "/decisions/", "/flags/", "/competitions/", "/charts/", "/restatements/", "/api/v1/entries/"]


@pytest.mark.parametrize("path", PUBLIC)
def test_a_page_that_all_may_keep_is_the_same_for_all(path: str, signed_in: Client) -> None:
    """Signed in or not: the same bytes, no cookie set, and no way for one reader's page to reach another."""
    mine, theirs = signed_in.get(path), Client().get(path)
    assert mine.content == theirs.content
    assert not theirs.cookies
    if "public" in theirs.get("Cache-Control", ""):
        assert "cookie" not in theirs.get("Vary", "").lower()


def test_answers_differ_by_the_headers_they_name(signed_in: Client) -> None:
    page = signed_in.get("/")
    part = signed_in.get("/", headers={"HX-Request": "true"})
    assert page.content != part.content
    assert "HX-Request" in page["Vary"]
    assert "HX-Request" in part["Vary"]
    api = signed_in.get("/api/v1/rankings/clean?benchmark=bench", headers={"Accept": "text/csv"})
    assert "Accept" in api["Vary"]


def test_cookies(client: Client) -> None:
    user = make.make_user()
    client.get(reverse("account_login"))
    client.post(reverse("account_login"), {"login": user.email, "password": make.PASSWORD})
    session, token = client.cookies["sessionid"], client.cookies["csrftoken"]
    assert session["httponly"]
    assert (session["samesite"], token["samesite"]) == ("Lax", "Lax")


PRODUCTION = """
import django; django.setup()
from django.test import Client
from django.conf import settings
client = Client(HTTP_HOST="leaderboard.example.org", HTTP_X_FORWARDED_PROTO="https", HTTP_X_FORWARDED_FOR="1.2.3.4")
page = client.get("/account/login/")
plain = Client(HTTP_HOST="leaderboard.example.org").get("/healthz")
print(page.status_code, page["Strict-Transport-Security"], sep="|")
print(*(bool(page.cookies["csrftoken"][word]) for word in ("secure",)), settings.SESSION_COOKIE_SECURE, sep="|")
print(plain.status_code, plain["Location"], sep="|")
print(Client(HTTP_HOST="evil.example").get("/healthz").status_code)
print(settings.PASSWORD_HASHERS[0], settings.DEBUG, settings.ACCOUNT_EMAIL_VERIFICATION, sep="|")
"""


def test_production_as_its_settings_say(tmp_path: Path, django_db_setup: None) -> None:
    begin_migrated(tmp_path)
    host = "leaderboard.example.org"
    environment = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "leaderboard.settings",
        "MLEB_MODE": "production",
        "MLEB_VAR": str(tmp_path),
        "MLEB_SECRET_KEY": "Zq8!vR2#" * 8,
        "MLEB_ALLOWED_HOSTS": host,
        "MLEB_SITE_URL": f"https://{host}",
        "MLEB_EMAIL_FROM": f"board@{host}",
        "MLEB_BEHIND_PROXY": "yes",
        "MLEB_PROXIES": "1",
    }
    for command in (
        ["manage.py", "migrate", "-v0"],
        ["manage.py", "collectstatic", "--noinput", "-v0"],
        ["-c", PRODUCTION],
    ):
        done = subprocess.run(
            [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "200|max-age=31536000; includeSubDomains; preload",
        "True|True",
        f"301|https://{host}/healthz",
        "400",
        "django.contrib.auth.hashers.Argon2PasswordHasher|False|mandatory",
    ]


def test_no_view_answers_with_what_somebody_uploaded() -> None:
    """Bundles, predictions, logs and code are read by workers. No view opens their stores, so none can serve them."""
    stores = ("bundles", "blobs", "evidence", "validity")
    edges = [*ROOT.glob("*/views/**/*.py"), *ROOT.glob("*/api/**/*.py"), *ROOT.glob("*/views.py")]
    opened = [
        f"{path.relative_to(ROOT)}: {store}"
        for path in edges
        for store in stores
        if f'storages["{store}"].open' in path.read_text() or f"storages['{store}'].open" in path.read_text()
    ]
    assert edges
    assert opened == []
    served = [path for path in edges if "FileResponse" in path.read_text()]
    assert served == []


def test_the_policy_has_no_word_unsafe() -> None:
    assert "unsafe" not in str(configured.CONTENT_SECURITY_POLICY)
