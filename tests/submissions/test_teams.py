"""Teams: creating, inviting, joining, leaving; and who verifies an organisation."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.admin.sites import site
from django.test import Client, RequestFactory
from django.urls import reverse

from submissions.admin import OrganisationAdmin
from submissions.membership import leave_team
from submissions.models import Invitation, Organisation, Submission, Team, TeamMember, User
from tests.factories import (
    make_grading,
    make_maintainer,
    make_organisation,
    make_run,
    make_submission,
    make_team,
    make_user,
)
from tests.submissions.uploading import make_upload

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(owner: User, client: Client) -> Client:
    client.force_login(owner)
    return client


def other(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_a_team_and_its_organisation(browser: Client, owner: User) -> None:
    answer = browser.post(reverse("team-new"), {"name": "Solvers", "organisation": "Example University"})
    team = Team.objects.get()
    assert answer["Location"] == reverse("team", args=[team.public_id])
    assert (team.organisation.name, team.organisation.is_verified) == ("Example University", False)
    assert team.members.get().role == TeamMember.Role.OWNER
    page = browser.get(answer["Location"]).content.decode()
    assert "A maintainer must verify your organisation" in page
    assert owner.email in page


def test_an_organisation_is_not_for_the_taking(browser: Client) -> None:
    make_team(make_organisation("Example University"))
    answer = browser.post(reverse("team-new"), {"name": "Others", "organisation": "example university"})
    assert "Ask one of its members" in answer.content.decode()
    assert Team.objects.count() == 1


def invited(browser: Client, team: Team) -> str:
    """The path of a new invitation link, as the page shows it once."""
    page = browser.post(reverse("team-invite", args=[team.public_id])).content.decode()
    link = re.search(r"http://testserver(/invitations/[^/]+/)", page)
    assert link
    return link[1]


def test_an_invitation_is_good_for_one_person(browser: Client, owner: User) -> None:
    team = make_team(owner=owner)
    path = invited(browser, team)
    assert path.split("/")[2] not in browser.get(reverse("team", args=[team.public_id])).content.decode()
    assert path.split("/")[2] not in str(Invitation.objects.values())
    first, second = make_user(), make_user()
    assert f"Join as {first.email}" in other(first).get(path).content.decode()
    assert not team.members.filter(user=first).exists(), "looking at it is not accepting"
    assert other(first).post(path)["Location"] == reverse("team", args=[team.public_id])
    assert other(second).post(path).status_code == 404
    assert set(team.members.values_list("user", flat=True)) == {owner.pk, first.pk}


def test_an_invitation_before_signing_in(browser: Client, owner: User) -> None:
    path = invited(browser, make_team(owner=owner))
    page = Client().get(path).content.decode()
    assert f"{reverse('account_signup')}?next={path}" in page
    assert Client().post(path).status_code == 200
    assert Invitation.objects.get().accepted_at is None


def test_an_old_invitation(browser: Client, owner: User) -> None:
    path = invited(browser, make_team(owner=owner))
    invitation = Invitation.objects.get()
    Invitation.objects.update(expires_at=invitation.expires_at - timedelta(days=15))
    answer = browser.get(path)
    assert answer.status_code == 404
    assert "Ask the person who sent it" in answer.content.decode()


@pytest.mark.parametrize("name", ["team", "team-invite", "team-leave"])
def test_a_team_is_its_members_business(browser: Client, name: str) -> None:
    team = make_team()
    for client in (browser, Client()):
        ask = client.get if name == "team" else client.post
        assert ask(reverse(name, args=[team.public_id])).status_code == 404


def test_leaving_hands_the_team_on(browser: Client, owner: User) -> None:
    heir = make_user()
    team = make_team(owner=owner, members=[heir, make_user()])
    browser.post(reverse("team-leave", args=[team.public_id]))
    assert not team.members.filter(user=owner).exists()
    assert team.members.get(role=TeamMember.Role.OWNER).user == heir


def test_the_last_one_stays(browser: Client, owner: User) -> None:
    team = make_team(owner=owner)
    answer = browser.post(reverse("team-leave", args=[team.public_id]), follow=True)
    assert "You are the last member" in answer.content.decode()
    assert team.members.count() == 1


def verify(user: User, organisation: Organisation) -> None:
    request = RequestFactory().post("/")
    request.user = user
    request._messages = []  # type: ignore[attr-defined]
    admin = OrganisationAdmin(Organisation, site)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("submissions.admin.messages.success", lambda *_: None)
        admin.verify(request, Organisation.objects.filter(pk=organisation.pk))


def test_verifying_lets_waiting_submissions_go_on(
    rings: list[tuple[str, Any]], django_capture_on_commit_callbacks: Any
) -> None:
    organisation = make_organisation(verified=False)
    team = make_team(organisation)
    waiting = make_submission(team=team, status=Submission.Status.QUEUED, scope="low")
    make_submission(team=team)
    maintainer = make_maintainer()
    with django_capture_on_commit_callbacks(execute=True):
        verify(maintainer, organisation)
    organisation.refresh_from_db()
    assert organisation.verified_by == maintainer
    assert rings == [("submissions.tasks.advance", (str(waiting.public_id),))]


def test_a_maintainers_own_organisation_waits_for_another(client: Client) -> None:
    maintainer = make_maintainer()
    own, other_one = make_organisation(verified=False), make_organisation(verified=False)
    team = make_team(own, owner=maintainer, members=[make_user()])
    make_team(other_one)
    make_submission(team)
    leave_team(team, maintainer)
    client.force_login(maintainer)
    chosen = {"action": "verify", "_selected_action": [own.pk, other_one.pk]}
    page = client.post("/admin/submissions/organisation/", chosen, follow=True).content.decode()
    assert "Another maintainer must verify it" in page
    page = client.post(f"/organisations/{own.slug}/verify/", follow=True).content.decode()
    assert "Another maintainer must verify it" in page
    verified = Organisation.objects.exclude(verified_at=None)
    assert (verified.filter(pk=own.pk).exists(), verified.get(pk=other_one.pk).verified_by) == (
        False,
        maintainer,
    )


MEMBERS = {"members-TOTAL_FORMS": "1", "members-INITIAL_FORMS": "0", "members-0-role": "owner"}


def test_the_admin_makes_a_team_for_an_unclaimed_organisation_and_keeps_a_record(client: Client) -> None:
    unclaimed, claimed = make_organisation(), make_team().organisation
    owner, maintainer = make_user(), make_maintainer()
    client.force_login(maintainer)
    team = {"name": "Claimers", **MEMBERS, "members-0-user": owner.pk}
    refused = client.post("/admin/submissions/team/add/", {**team, "organisation": claimed.pk})
    assert refused.status_code == 200
    assert claimed.teams.count() == 1
    client.post("/admin/submissions/team/add/", {**team, "organisation": unclaimed.pk})
    assert unclaimed.teams.get().members.get().user == owner
    record = LogEntry.objects.get()
    assert (record.user, record.is_addition()) == (maintainer, True)
    assert str(owner) in record.get_change_message()


def test_the_admin_changes_nobodys_team(client: Client) -> None:
    team, elsewhere, maintainer = make_team(), make_organisation(), make_maintainer()
    member = team.members.get()
    client.force_login(maintainer)
    page = f"/admin/submissions/team/{team.pk}/change/"
    assert client.get(page).status_code == 200
    sent = {
        "name": "Renamed",
        "organisation": elsewhere.pk,
        "members-TOTAL_FORMS": "2",
        "members-INITIAL_FORMS": "1",
        "members-0-id": member.pk,
        "members-0-team": team.pk,
        "members-0-user": maintainer.pk,
        "members-0-role": "member",
        "members-0-DELETE": "on",
        "members-1-team": team.pk,
        "members-1-user": maintainer.pk,
        "members-1-role": "owner",
    }
    client.post(page, sent)
    before = team.organisation
    team.refresh_from_db()
    assert (team.organisation, team.members.get().user) == (before, member.user)


def test_staff_alone_may_not_verify(settings: Any) -> None:
    settings.REQUIRE_MAINTAINER_TOTP = True
    admin, request = OrganisationAdmin(Organisation, site), RequestFactory().get("/")
    for user in (make_user(is_staff=True, is_superuser=True), make_maintainer(is_staff=True)):
        request.user = user
        assert not admin.has_verify_permission(request)


RECORDS = ["submission", "event", "runcardrevision", "upload", "bundle", "run"]


def test_records_cannot_be_changed_in_the_admin() -> None:
    submission = make_upload(b"x")
    run = make_run(submission, "s1", submission.benchmark.competitions.first().pk)
    make_grading(run, 0.98765)
    client = other(make_maintainer(is_staff=True))
    for name in RECORDS:
        assert client.get(f"/admin/submissions/{name}/").status_code == 200
        assert client.get(f"/admin/submissions/{name}/add/").status_code == 403
    for name, record in (("submission", submission), ("run", run), ("upload", submission.upload)):
        page = client.get(f"/admin/submissions/{name}/{record.pk}/change/")
        assert page.status_code == 200
        assert "0.98765" not in page.content.decode()
        assert client.post(f"/admin/submissions/{name}/{record.pk}/change/", {}).status_code == 403
        assert (
            client.post(f"/admin/submissions/{name}/{record.pk}/delete/", {"post": "yes"}).status_code == 403
        )
