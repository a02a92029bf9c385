"""Sessions and tokens belong to their owner, who sees and ends them."""

from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken

from submissions.models import User
from submissions.tokens import create_token
from tests.factories import PASSWORD, make_team, make_user

pytestmark = pytest.mark.django_db
HERE = reverse("sessions")
NEW_PASSWORD = "another-horse-battery"


def signed_in(user: User, agent: str = "Firefox") -> Client:
    client = Client(headers={"User-Agent": agent})
    client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
    assert is_in(client)
    return client


def is_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


@pytest.fixture
def user() -> User:
    return make_user()


def test_they_are_listed_and_ended_one_by_one(user: User) -> None:
    here, there = signed_in(user, "Firefox"), signed_in(user, "Chrome <b>")
    page = here.get(HERE).content.decode()
    assert "Firefox" in page
    assert "Chrome &lt;b&gt;" in page
    other = UserSession.objects.get(user_agent="Chrome <b>")
    assert here.post(HERE, {"end": other.pk})["Location"] == HERE
    assert (is_in(here), is_in(there)) == (True, False)


def test_nobody_ends_another_persons(user: User) -> None:
    victim, attacker = signed_in(make_user()), signed_in(user)
    for number in UserSession.objects.values_list("pk", flat=True):
        attacker.post(HERE, {"end": number})
    assert is_in(victim)
    assert attacker.get(HERE).status_code != 200, "they ended their own"


@pytest.mark.parametrize("end", ["", "x", "٣", "-1", "9" * 30, "0"])
def test_nonsense_ends_nothing(user: User, end: str) -> None:
    client = signed_in(user)
    assert client.post(HERE, {"end": end}).status_code == 302
    assert is_in(client)


def test_everywhere_else_and_everywhere(user: User) -> None:
    here, there = signed_in(user), signed_in(user)
    here.post(HERE, {"end": "others"})
    assert (is_in(here), is_in(there)) == (True, False)
    there = signed_in(user)
    create_token(user)
    here.post(HERE, {"end": "everywhere"})
    assert (is_in(here), is_in(there), AuthToken.objects.count()) == (False, False, 1)
    signed_in(user).post(HERE, {"end": "everywhere", "tokens": "yes"})
    assert not AuthToken.objects.exists()


def test_a_new_password_ends_the_others(user: User) -> None:
    here, there = signed_in(user), signed_in(user)
    words = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    here.post(reverse("account_change_password"), words)
    assert (is_in(here), is_in(there)) == (True, False)


def test_a_password_reset_by_mail_ends_all(user: User, mailoutbox: Any) -> None:
    import re

    there = signed_in(user)
    visitor = Client()
    visitor.post(reverse("account_reset_password"), {"email": user.email})
    link = re.search(r"https?://[^/]+(/account/password/reset/key/\S+)", mailoutbox[-1].body)
    assert link
    form = visitor.get(link[1], follow=True).redirect_chain[-1][0]
    visitor.post(form, {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})
    assert not is_in(there)
    assert not is_in(visitor), "a link from a mailbox does not sign in"
    assert visitor.get(link[1], follow=True).content.count(b"password1") == 0, "the link is used up"


def test_a_session_gets_a_new_key_on_signing_in(user: User) -> None:
    """Otherwise whoever planted the cookie before would be in afterwards."""
    client = Client()
    client.get(reverse("account_login"))
    session = client.session
    session["planted"] = 1
    session.save()
    client.cookies["sessionid"] = session.session_key
    client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
    assert client.session.session_key != session.session_key


def test_the_secret_of_a_token_is_stored_nowhere(user: User) -> None:
    secret = create_token(user)
    stored = AuthToken.objects.get()
    assert secret not in str(AuthToken.objects.values().get())
    assert stored.token_key == secret[: len(stored.token_key)]
    assert len(secret) - len(stored.token_key) >= 32, "what is shown in the list leaves enough to guess"


def test_a_token_does_not_open_pages(user: User) -> None:
    make_team(owner=user)
    program = Client(headers={"Authorization": f"Token {create_token(user)}"})
    assert program.get("/api/v1/submissions").status_code == 200
    assert program.get("/account/").status_code == 302
    assert program.get("/docket/").status_code == 302


def test_an_inactive_account_has_neither_sessions_nor_tokens(user: User) -> None:
    client = signed_in(user)
    program = Client(headers={"Authorization": f"Token {create_token(user)}"})
    User.objects.update(is_active=False)
    assert not is_in(client)
    assert program.get("/api/v1/submissions").status_code == 401
