"""The audit log: what leaves a line, what it says, who reads it, and that nobody changes it."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from leaderboard.audit.acts import Act
from leaderboard.audit.record import forget_before, record
from leaderboard.audit.tasks import tidy
from leaderboard.integrity.models import DecisionIsPermanent
from leaderboard.models import AuditRecord
from leaderboard.views.audit import changes_of
from submissions.models import User
from submissions.people import accept_invitation, create_team, invite
from submissions.tokens import create_token
from tests.accounts.test_accounts import NEW, code_for, sign_up
from tests.factories import NOW, PASSWORD, make_maintainer, make_organisation, make_team, make_user

pytestmark = pytest.mark.django_db


def acts() -> list[str]:
    return list(AuditRecord.objects.order_by("pk").values_list("act", flat=True))


def newest() -> AuditRecord:
    return AuditRecord.objects.latest("pk")


def test_signing_up_in_and_out_and_failing(client: Client) -> None:
    client.post(reverse("account_signup"), NEW)
    client.post(reverse("account_logout"))
    login = reverse("account_login")
    client.post(login, {"login": NEW["email"], "password": "not the one"})
    failed = newest()
    client.post(login, {"login": "nobody@example.org", "password": "secret typed"})
    unknown = newest()
    client.post(login, {"login": NEW["email"], "password": PASSWORD})
    assert acts() == ["signed_up", "signed_in", "signed_out", "sign_in_failed", "sign_in_failed", "signed_in"]
    user = User.objects.get()
    assert (failed.account, failed.actor, failed.address) == (user, None, "127.0.0.1")
    assert (unknown.account, unknown.what) == (None, "no such account")
    assert (newest().account, newest().actor) == (user, user)
    kept = str(list(AuditRecord.objects.values()))
    assert "nobody@example.org" not in kept, "people type passwords into the wrong field"
    assert "secret typed" not in kept


def test_the_password_and_the_second_factor(client: Client) -> None:
    sign_up(client)
    client.get(reverse("mfa_activate_totp"))
    client.post(reverse("mfa_activate_totp"), {"code": code_for(client.session["mfa.totp.secret"])})
    assert {(line.act, line.what) for line in AuditRecord.objects.filter(act=Act.FACTOR_ADDED)} == {
        ("factor_added", "totp"),
        ("factor_added", "recovery_codes"),
    }
    fresh = Client()
    fresh.post(reverse("account_login"), {"login": NEW["email"], "password": PASSWORD})
    fresh.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert newest().act == Act.FACTOR_FAILED
    client.post(reverse("mfa_generate_recovery_codes"))
    assert [(line.act, line.what) for line in AuditRecord.objects.all()[:2]] == [
        ("factor_added", "recovery_codes"),
        ("factor_removed", "recovery_codes"),
    ]
    client.post(reverse("mfa_deactivate_totp"))
    assert Act.FACTOR_REMOVED in acts()
    new = {
        "oldpassword": PASSWORD,
        "password1": "another-horse-battery",
        "password2": "another-horse-battery",
    }
    client.post(reverse("account_change_password"), new)
    assert newest().act == Act.PASSWORD_CHANGED


def make_a_token(user: User) -> None:
    create_token(user, ["read"], name="laptop")


def join(user: User) -> None:
    team = make_team()
    accept_invitation(invite(team, team.members.get().user, NOW), user, NOW)


def leave(user: User) -> None:
    make_team(members=[user]).members.filter(user=user).delete()


def become_maintainer(user: User) -> None:
    user.is_maintainer, user.public_name = True, "Ada"
    user.save()


def rename_an_organisation(user: User) -> None:
    organisation = make_organisation()
    organisation.name = "Another"
    organisation.save()


DONE: list[tuple[Callable[[User], Any], Act, str]] = [
    (make_a_token, Act.TOKEN_MADE, ""),
    (lambda user: (make_a_token(user), user.auth_token_set.all().delete()), Act.TOKEN_ENDED, ""),
    (join, Act.MEMBER_JOINED, "Team"),
    (leave, Act.MEMBER_LEFT, "Team"),
    (lambda user: create_team(user, "A", "B"), Act.MEMBER_JOINED, "A (B)"),
    (become_maintainer, Act.PERSON_CHANGED, "is_maintainer, public_name"),
    (lambda user: make_maintainer(), Act.PERSON_CHANGED, "is_maintainer"),
    (rename_an_organisation, Act.ORGANISATION_CHANGED, "Another"),
    (lambda user: create_team(user, "A", "B").delete(), Act.MEMBER_LEFT, "A (B)"),
]


@pytest.mark.parametrize(("do", "act", "what"), DONE)
def test_each_change_of_rights_leaves_a_line(do: Callable[[User], Any], act: Act, what: str) -> None:
    do(make_user())
    assert newest().act == act
    assert what in newest().what


def test_nothing_is_written_where_no_right_changes() -> None:
    user = make_user()
    user.first_name = "Ada"
    user.save()
    User.objects.get(pk=user.pk).save(update_fields=["last_login"])
    assert acts() == []


def test_verifying_an_organisation_leaves_one_line(client: Client) -> None:
    organisation, maintainer = make_organisation(verified=False), make_maintainer()
    make_team(organisation)
    client.force_login(maintainer)
    for _ in range(2):
        client.post(reverse("organisation-verify", args=[organisation.slug]))
    lines = AuditRecord.objects.filter(act=Act.ORGANISATION_VERIFIED)
    assert [(line.what, line.actor, line.address) for line in lines] == [
        (organisation.name, maintainer, "127.0.0.1")
    ]


def test_a_change_in_the_admin_says_which_fields(client: Client) -> None:
    maintainer, organisation = make_maintainer(), make_organisation()
    client.force_login(maintainer)
    words = {"name": "Renamed", "slug": organisation.slug, "url": ""}
    client.post(f"/admin/submissions/organisation/{organisation.pk}/change/", words)
    edit = AuditRecord.objects.get(act=Act.ADMIN_EDIT)
    assert (edit.actor, edit.what) == (maintainer, "Renamed")
    assert "Changed Name" in edit.detail["change"]


@pytest.mark.parametrize("is_maintainer", [True, False])
def test_private_evidence_seen_by_a_maintainer_leaves_a_line(client: Client, is_maintainer: bool) -> None:
    from tests.factories import make_graded_submission, make_reviewed

    member = make_user()
    submission = make_graded_submission({"s": {}}, team=make_team(members=[member]))
    make_reviewed(submission)
    client.force_login(make_maintainer() if is_maintainer else member)
    path = reverse("submission-evidence", args=[submission.public_id])
    assert client.get(path).status_code == 200
    seen = list(AuditRecord.objects.filter(act=Act.EVIDENCE_SEEN).values_list("what", flat=True))
    assert seen == ([path] if is_maintainer else [])


def test_no_line_is_changed_by_code_or_by_sql() -> None:
    record(Act.SIGNED_OUT)
    line = newest()
    with pytest.raises(DecisionIsPermanent):
        AuditRecord.objects.update(what="nothing")
    with pytest.raises(DecisionIsPermanent):
        AuditRecord.objects.all().delete()
    with pytest.raises(DecisionIsPermanent):
        line.save()
    with (
        pytest.raises(DatabaseError, match="never changed"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("UPDATE leaderboard_auditrecord SET what = 'nothing'")


def test_a_line_outlives_its_account() -> None:
    user = make_user()
    record(Act.SIGNED_IN, account=user, actor=user)
    user.delete()
    page = Client()
    page.force_login(make_maintainer())
    assert "account" in page.get(reverse("audit")).content.decode()
    assert AuditRecord.objects.filter(act=Act.SIGNED_IN).count() == 1


def test_old_lines_are_forgotten(settings: Any) -> None:
    settings.AUDIT_RETENTION = timedelta(days=30)
    record(Act.SIGNED_IN)
    assert forget_before(timezone.now() - timedelta(days=1)) == 0
    tidy()
    assert len(acts()) == 1
    settings.AUDIT_RETENTION = timedelta(0)
    tidy()
    assert acts() == []


def test_the_page_is_narrowed_and_for_maintainers_alone(client: Client) -> None:
    user = make_user(email="ada@example.org")
    record(Act.TOKEN_MADE, "abc", account=user, actor=user)
    record(Act.SIGNED_IN, account=make_user(email="bob@example.org"))
    client.force_login(make_maintainer())
    table = re.compile(r"<tbody>.*</tbody>", re.DOTALL)

    def shown(query: str) -> str:
        found = table.search(client.get(reverse("audit") + query).content.decode())
        return found[0] if found else ""

    assert "ada@" in shown("")
    assert "bob@" in shown("")
    assert "bob@" not in shown("?act=token_made")
    assert "ada@" in shown("?who=ADA@example.org")
    assert shown("?act=nonsense") == shown("?address=nowhere") == ""
    assert EmailAddress.objects.count() == 0


@pytest.mark.parametrize(
    ("act", "detail", "said"),
    [
        (Act.SIGNED_IN, {}, []),
        (Act.MEMBER_JOINED, {"role": "owner"}, ["role: owner"]),
        (Act.PERSON_CHANGED, {"is_maintainer": [False, True]}, ["is maintainer: no → yes"]),
        (Act.ORGANISATION_CHANGED, {"url": ["", "https://a.example"]}, ["url: nothing → https://a.example"]),
        (Act.TOKEN_MADE, {"scopes": ["read", "upload"]}, ["scopes: read, upload"]),
    ],
)
def test_a_line_says_both_sides_of_what_was_changed(
    act: Act, detail: dict[str, Any], said: list[str]
) -> None:
    assert changes_of(act, detail) == said
