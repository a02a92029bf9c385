"""Tokens that may do some things, for some time."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from knox.models import AuthToken

from submissions.models import Team, TokenGrant, User
from submissions.tokens import TokenError, create_token
from tests.factories import make_submission, make_team, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    user = make_user()
    make_team(owner=user)
    return user


def program(user: User, *scopes: str, **more: Any) -> Client:
    return Client(headers={"Authorization": f"Token {create_token(user, scopes, **more)}"})


@pytest.mark.parametrize(
    ("scopes", "method", "path", "status"),
    [
        (["read"], "GET", "submissions", 200),
        (["upload"], "GET", "submissions", 200),
        (["validate"], "GET", "submissions", 403),
        (["read"], "POST", "submissions", 403),
        (["upload"], "POST", "submissions", 400),
        (["read", "upload"], "POST", "competitions/nope/validate", 403),
        (["validate"], "POST", "competitions/nope/validate", 404),
        (["validate"], "GET", "tracks/", 200),
    ],
)
def test_a_token_does_what_its_scopes_say(
    owner: User, scopes: list[str], method: str, path: str, status: int
) -> None:
    answer = program(owner, *scopes).generic(method, f"/api/v1/{path}", "{}", "application/json")
    assert answer.status_code == status
    if status == 403:
        problem = answer.json()
        assert problem["errors"][0]["code"] == "insufficient_scope"
        assert "on your account page" in problem["detail"]


def test_a_reader_of_a_team_cannot_withdraw_with_a_token_for_reading(owner: User) -> None:
    submission = make_submission(team=Team.objects.of(owner).get())
    answer = program(owner, "read").post(f"/api/v1/submissions/{submission.public_id}/withdraw")
    assert answer.status_code == 403


def test_a_token_ends(owner: User) -> None:
    client = program(owner, "read", days=7)
    token = AuthToken.objects.get()
    assert timedelta(days=6) < token.expiry - timezone.now() <= timedelta(days=7)
    AuthToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    assert client.get("/api/v1/submissions").status_code == 401


def test_a_token_whose_scopes_are_lost_may_do_nothing(owner: User) -> None:
    client = program(owner, "read", "upload")
    TokenGrant.objects.all().delete()
    assert client.get("/api/v1/submissions").status_code == 403
    assert client.post("/api/v1/submissions", "{}", content_type="application/json").status_code == 403


def test_a_token_needs_a_scope(owner: User) -> None:
    with pytest.raises(TokenError, match="at least one"):
        create_token(owner, ())
    assert not AuthToken.objects.exists()


def test_the_account_page_makes_and_lists_them(client: Client, owner: User) -> None:
    client.force_login(owner)
    words = {"scopes": ["read", "nonsense"], "days": "30", "name": "my <b>laptop</b>"}
    page = client.post(reverse("token-create"), words).content.decode()
    grant = TokenGrant.objects.get()
    assert (grant.scopes, grant.name) == (["read"], "my <b>laptop</b>")
    assert timedelta(days=29) < grant.token.expiry - timezone.now() <= timedelta(days=30)
    assert "my &lt;b&gt;laptop" in page
    refused = client.post(reverse("token-create"), {"days": "30"}, follow=True).content.decode()
    assert "Choose at least one thing" in refused
    client.post(reverse("token-create"), {"scopes": "read", "days": "99999"})
    assert TokenGrant.objects.order_by("token__created").last().token.expiry < timezone.now() + timedelta(
        days=91
    )
