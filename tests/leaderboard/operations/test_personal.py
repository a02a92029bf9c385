"""A person's own data: exported to them alone, deleted for good, and forgotten in time."""

import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from knox.models import AuthToken

from leaderboard.audit.acts import Act
from leaderboard.integrity.ledger import verify_decisions
from leaderboard.models import AuditRecord, Decision
from leaderboard.personal.erase import FORMER_MAINTAINER
from leaderboard.personal.places import PLACES
from leaderboard.personal.retention import forget_all
from submissions.life import _who
from submissions.models import Invitation, TeamMember, User
from submissions.people import invite
from submissions.tokens import create_token
from tests.factories import PASSWORD, make_maintainer, make_team, make_user

pytestmark = pytest.mark.django_db


def sign_in(client: Client, user: User) -> None:
    """As people do, so that the site knows when it was."""
    EmailAddress.objects.get_or_create(user=user, email=user.email, verified=True, primary=True)
    client.post("/account/login/", {"login": user.email, "password": PASSWORD})
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    assert client.get("/account/data/").status_code == 200


def test_every_column_that_points_at_an_account_has_a_fate() -> None:
    models = apps.get_models(include_auto_created=True)
    columns = {
        f"{model._meta.label}.{field.name}"
        for model in models
        for field in model._meta.concrete_fields
        if field.is_relation and field.related_model is User
    }
    assert columns == set(PLACES)


def test_a_deleted_account_names_nobody(client: Client) -> None:
    user, heir = make_user(email="ada@example.org", first_name="Ada"), make_user()
    team = make_team(owner=user, members=[heir])
    create_token(user, ["read"], 30, "laptop")
    invite(team, user, timezone.now())
    sign_in(client, user)
    answer = client.post("/account/data/", {"email": "ADA@example.org"})
    assert answer.status_code == 302
    assert "Your account is deleted." in client.get(answer["Location"]).content.decode()
    assert client.get("/account/").status_code == 302
    left = User.objects.get(pk=user.pk)
    assert (left.email, left.first_name, left.is_active) == (f"deleted-{user.pk}@deleted.invalid", "", False)
    assert left.is_deleted
    assert _who(left) == "a deleted account"
    assert not left.has_usable_password()
    for rows in (EmailAddress, AuthToken, UserSession, TeamMember):
        assert not rows.objects.filter(user=user).exists()
    assert not Invitation.objects.filter(invited_by=user).exists()
    assert TeamMember.objects.get(team=team).role == TeamMember.Role.OWNER
    deleted = AuditRecord.objects.get(act=Act.ACCOUNT_DELETED)
    assert (deleted.account_id, deleted.what) == (user.pk, "")  # type: ignore[attr-defined]
    assert not Client().login(username=user.email, password=PASSWORD)


@pytest.mark.parametrize("typed", ["", "someone@else.org"])
def test_a_wrong_address_deletes_nothing(client: Client, typed: str) -> None:
    user = make_user()
    sign_in(client, user)
    answer = client.post("/account/data/", {"email": typed}, follow=True)
    assert "Nothing was deleted" in answer.content.decode()
    assert User.objects.get(pk=user.pk).is_active


def test_a_session_of_long_ago_must_show_its_password_first(client: Client) -> None:
    """Who finds a browser open neither deletes the account nor takes its data."""
    user = make_user()
    client.force_login(user)
    answer = client.post("/account/data/", {"email": user.email})
    assert "reauthenticate" in answer["Location"]
    assert "reauthenticate" in client.get("/account/data.json")["Location"]
    assert User.objects.get(pk=user.pk).is_active


@pytest.mark.parametrize("address", ["/account/data/", "/account/data.json"])
def test_a_stranger_is_asked_to_sign_in(client: Client, address: str) -> None:
    for answer in (client.get(address), client.post(address)):
        assert answer.status_code in (302, 405)
        assert "/account/login/" in answer.get("Location", "/account/login/")


def test_a_maintainer_asks_an_operator(client: Client) -> None:
    """Whose command keeps the decisions, and the chain with them."""
    maintainer = make_maintainer(email="mary@example.org", public_name="Mary")
    make_team()
    sign_in(client, maintainer)
    answer = client.post("/account/data/", {"email": maintainer.email}, follow=True)
    assert "Ask an operator" in answer.content.decode()
    assert User.objects.get(pk=maintainer.pk).is_maintainer
    decided = set(Decision.objects.values_list("decided_by", flat=True))
    out = StringIO()
    call_command("delete_account", maintainer.email, stdout=out)
    assert User.objects.get(pk=maintainer.pk).is_maintainer
    assert "Add --yes" in out.getvalue()
    call_command("delete_account", maintainer.email, "--yes", stdout=out)
    left = User.objects.get(pk=maintainer.pk)
    assert (left.public_name, left.is_maintainer, left.is_active) == (FORMER_MAINTAINER, False, False)
    assert set(Decision.objects.values_list("decided_by", flat=True)) == decided
    assert not list(verify_decisions())


def test_the_export_holds_ones_own_and_nobody_elses(client: Client) -> None:
    user, other = make_user(email="ada@example.org"), make_user(email="someone@else.org")
    make_team(owner=user, members=[other])
    sign_in(client, user)
    answer = client.get("/account/data.json")
    assert answer["Content-Disposition"].startswith("attachment")
    found = json.loads(answer.content)
    assert found["account"][0]["email"] == "ada@example.org"
    assert [each["role"] for each in found["teams"]] == ["owner"]
    assert found["sessions"]
    text = answer.content.decode()
    assert "someone@else.org" not in text
    assert user.password not in text
    assert AuditRecord.objects.filter(act=Act.DATA_EXPORTED, account=user).exists()


def make_old(days: int, **columns: Any) -> User:
    user = make_user(**columns)
    User.objects.filter(pk=user.pk).update(date_joined=timezone.now() - timedelta(days=days))
    return user


def test_what_is_forgotten_and_what_is_not(settings: Any, client: Client) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    now = timezone.now()
    gone, fresh = make_old(31), make_old(29)
    verified, member, maintainer = make_old(400), make_old(400), make_maintainer()
    User.objects.filter(pk=maintainer.pk).update(date_joined=now - timedelta(days=400))
    EmailAddress.objects.create(user=verified, email=verified.email, verified=True)
    team = make_team(owner=member)
    for days, accepted in ((91, False), (89, False), (400, True)):
        invite(team, member, now)
        last = Invitation.objects.latest("pk")
        ended = now - timedelta(days=days)
        Invitation.objects.filter(pk=last.pk).update(
            expires_at=ended, accepted_at=ended if accepted else None
        )
    for days in (31, 29):
        create_token(verified, ["read"], 30, f"{days}")
        AuthToken.objects.filter(pk=AuthToken.objects.latest("created").pk).update(
            expiry=now - timedelta(days=days)
        )
    UserSession.objects.create(user=verified, ip="192.0.2.1", session_key="gone", user_agent="")
    assert forget_all(now) == {
        "ended sessions": 1, "ended tokens": 2, "old invitations": 1, "accounts never verified": 1,
    }  # fmt: skip
    left = set(User.objects.values_list("pk", flat=True))
    assert gone.pk not in left
    assert {fresh.pk, verified.pk, member.pk, maintainer.pk} <= left
    assert set(forget_all(now).values()) == {0}


def test_where_addresses_need_no_verifying_no_account_is_forgotten(settings: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    make_old(400)
    assert forget_all(timezone.now())["accounts never verified"] == 0
