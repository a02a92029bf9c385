"""Signing up, in and out; the second factor; API tokens; all in the site's own look."""

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken

from submissions.models import User
from tests.factories import PASSWORD, make_team, make_user

pytestmark = pytest.mark.django_db
NEW = {"email": "ada@example.org", "password1": PASSWORD, "password2": PASSWORD}


def sign_up(client: Client) -> None:
    """A fresh account: e-mail address confirmed, password given just now. The second factor asks for both."""
    client.post(reverse("account_signup"), NEW)
    EmailAddress.objects.update(verified=True)
    client.post(reverse("account_logout"))
    client.post(reverse("account_login"), {"login": NEW["email"], "password": PASSWORD})
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})


def code_for(secret: str) -> str:
    """What an authenticator app shows now."""
    return format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))


def test_signing_up_out_and_in(client: Client) -> None:
    assert client.post(reverse("account_signup"), NEW)["Location"] == "/submissions/"
    user = User.objects.get(email=NEW["email"])
    assert user.username
    client.post(reverse("account_logout"))
    assert client.get("/account/")["Location"].startswith("/account/login/")
    answer = client.post(reverse("account_login"), {"login": NEW["email"], "password": PASSWORD})
    assert answer["Location"] == "/submissions/"


def test_usernames_are_made_up_without_clashes() -> None:
    for domain in ("one.example", "two.example"):
        Client().post(reverse("account_signup"), {**NEW, "email": f"ada@{domain}"})
    assert len(set(User.objects.values_list("username", flat=True))) == 2


def test_signing_out_needs_a_post(client: Client) -> None:
    client.force_login(make_user())
    client.get(reverse("account_logout"))
    assert client.get("/account/").status_code == 200


ENTRANCE = ["account_login", "account_signup", "account_reset_password", "account_reset_password_done"]
MANAGE = ["account_email", "account_logout", "mfa_index", "account"]
GUARDED = ["account_change_password", "mfa_activate_totp"]


@pytest.mark.parametrize("name", [*ENTRANCE, *MANAGE, *GUARDED])
def test_the_pages_wear_our_look(name: str) -> None:
    client = Client()
    if name not in ENTRANCE:
        sign_up(client)
    answer = client.get(reverse(name))
    page = answer.content.decode()
    assert answer.status_code == 200
    assert 'class="site-header"' in page
    assert "<h1>" in page
    assert "style=" not in page
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)


def test_the_second_factor(client: Client) -> None:
    sign_up(client)
    page = client.get(reverse("mfa_activate_totp")).content.decode()
    assert 'class="qr"' in page
    secret = client.session["mfa.totp.secret"]
    assert secret in page
    client.post(reverse("mfa_activate_totp"), {"code": code_for(secret)})
    user = User.objects.get()
    assert user.has_second_factor
    codes = client.get(reverse("mfa_view_recovery_codes")).content.decode()
    assert "Unused codes" in codes
    assert not re.search(r"<script(?![^>]*\bsrc=)", codes)

    fresh = Client()
    answer = fresh.post(reverse("account_login"), {"login": NEW["email"], "password": PASSWORD})
    assert answer["Location"].startswith(reverse("mfa_authenticate"))
    assert fresh.get("/account/").status_code == 302, "the password alone is not enough"
    recovery = re.search(r"\b[0-9a-z]{5,}(?:[0-9a-z]+)?\b", codes.split("<textarea")[1].split(">")[1])
    assert recovery
    fresh.post(reverse("mfa_authenticate"), {"code": recovery[0]})
    assert fresh.get("/account/").status_code == 200


def test_a_token_is_shown_once_and_can_be_revoked(client: Client) -> None:
    user = make_user()
    make_team(owner=user)
    client.force_login(user)
    made = client.post(reverse("token-create"))
    assert "no-store" in made["Cache-Control"]
    secret = re.search(r'id="new-token">([^<]+)<', made.content.decode())
    assert secret
    program = Client(headers={"Authorization": f"Token {secret[1]}"})
    assert program.get("/api/v1/submissions").status_code == 200
    again = client.get("/account/").content.decode()
    assert secret[1] not in again
    token = AuthToken.objects.get()
    other = Client()
    other.force_login(make_user())
    other.post(reverse("token-revoke"), {"token": token.token_key})
    assert program.get("/api/v1/submissions").status_code == 200, "somebody else's post changes nothing"
    client.post(reverse("token-revoke"), {"token": token.token_key})
    assert program.get("/api/v1/submissions").status_code == 401


def test_there_are_only_so_many_tokens(client: Client) -> None:
    user = make_user()
    for _ in range(20):
        AuthToken.objects.create(user)
    client.force_login(user)
    page = client.post(reverse("token-create"), follow=True).content.decode()
    assert "You have 20 tokens" in page
    assert AuthToken.objects.count() == 20


def test_the_admin_asks_for_the_ordinary_sign_in(client: Client) -> None:
    answer = client.get("/admin/login/")
    assert answer["Location"].startswith(reverse("account_login"))


def test_an_old_session_adds_no_address_without_the_password(client: Client) -> None:
    user = make_user()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    answer = client.post("/account/email/", {"action_add": "", "email": "another@example.org"})
    assert answer.status_code == 302
    assert answer["Location"].startswith("/account/reauthenticate/")
    assert not user.emailaddress_set.filter(email="another@example.org").exists()
