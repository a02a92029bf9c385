"""The pages: settings for everybody signed in, webhooks for owners and maintainers, the link for whoever holds it."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from leaderboard.models import Notice, Webhook
from leaderboard.notices.kinds import KINDS, Kind, Often
from leaderboard.notices.preferences import choose, link_token, settings_of
from submissions.models import User
from tests.factories import make_maintainer, make_team, make_user
from tests.leaderboard.notices.told import make_notice, make_webhook
from tests.leaderboard.test_board_page import text_of

pytestmark = pytest.mark.django_db
SETTINGS, WEBHOOKS = "/account/notices/", "/account/webhooks/"
URL = "https://hooks.example.org/x"


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.parametrize("address", [SETTINGS, WEBHOOKS])
def test_strangers_are_asked_to_sign_in(client: Client, address: str) -> None:
    for answer in (client.get(address), client.post(address)):
        assert answer["Location"].startswith("/account/login/")


def test_the_page_shows_what_holds_and_keeps_what_is_chosen(client: Client) -> None:
    user = make_user()
    client.force_login(user)
    html = client.get(SETTINGS).content.decode()
    assert html.count("<select") == sum(not told.is_for_maintainers for told in KINDS.values())
    posted = {
        "submission.status": "daily",
        "entry.flag": "never",
        "docket.flag": "never",
        "entry.decision": "x",
    }
    answer = client.post(SETTINGS, posted, follow=True)
    assert "Saved." in text_of(answer)
    kept = dict(user.notice_settings.values_list("kind", "often"))
    assert kept == {"submission.status": "daily", "entry.flag": "never"}
    flag = re.search(r'<select[^>]*name="entry.flag".*?</select>', answer.content.decode(), re.DOTALL)
    assert flag is not None
    assert '<option value="never" selected>' in flag[0]


def test_maintainers_choose_about_the_docket_too(client: Client) -> None:
    user = make_maintainer()
    client.force_login(user)
    assert client.get(SETTINGS).content.decode().count("<select") == len(KINDS)
    client.post(SETTINGS, {"docket.flag": "daily"})
    assert settings_of(user)[Kind.DOCKET_FLAG] == Often.DAILY


def test_the_account_page_leads_here(client: Client) -> None:
    client.force_login(make_user())
    assert f'href="{SETTINGS}"' in client.get("/account/").content.decode()


@pytest.mark.parametrize("token", ["x", "WzEsImRhaWx5Il0:1abc:def", "a:b:c"])
def test_a_link_that_was_changed_does_nothing(client: Client, token: str) -> None:
    assert client.get(f"/notices/unsubscribe/{token}/").status_code == 404
    assert client.post(f"/notices/unsubscribe/{token}/").status_code == 404


def test_a_link_for_one_person_or_kind_is_no_link_for_another(client: Client) -> None:
    ada, bob = make_user(), make_user()
    token = link_token(ada, Kind.FLAG)
    head, _, rest = token.partition(":")
    other = link_token(bob, Kind.FLAG).partition(":")[0]
    assert head != other
    assert client.post(f"/notices/unsubscribe/{other}:{rest}/").status_code == 404
    client.post(f"/notices/unsubscribe/{token}/")
    assert settings_of(ada)[Kind.FLAG] == Often.NEVER
    assert settings_of(ada)[Kind.DECISION] == Often.NOW
    assert settings_of(bob)[Kind.FLAG] == Often.NOW


def test_the_page_of_a_link_says_what_ends_and_asks_nobody_to_sign_in(client: Client) -> None:
    user = make_user()
    choose(user, {Kind.FLAG: Often.DAILY})
    for token, words in ((link_token(user, Kind.DECISION), "Decisions"), (link_token(user, None), "Flags")):
        address = f"/notices/unsubscribe/{token}/"
        page = text_of(client.get(address))
        assert words in page
        assert user.email not in page
        assert "No more mail of this kind" in text_of(client.post(address))


def test_owners_make_webhooks_and_see_the_secret_once(client: Client) -> None:
    owner = make_user()
    team = make_team(owner=owner)
    client.force_login(owner)
    answer = client.post(WEBHOOKS, {"url": URL, "owner": str(team.public_id)})
    hook = Webhook.objects.get()
    assert (hook.team, hook.url, hook.created_by) == (team, URL, owner)
    secret = re.search(r"whsec_[A-Za-z0-9+/=]{44}", answer.content.decode())
    assert secret is not None
    page = client.get(f"{WEBHOOKS}{hook.public_id}/").content.decode()
    assert "whsec_" not in page
    rotated = client.post(f"{WEBHOOKS}{hook.public_id}/secret/").content.decode()
    assert "whsec_" in rotated
    assert secret[0] not in rotated


def test_a_bad_address_is_said_beside_its_field(client: Client) -> None:
    owner = make_user()
    team = make_team(owner=owner)
    client.force_login(owner)
    posted = {"url": "http://10.0.0.1/", "owner": str(team.public_id)}
    answer = client.post(WEBHOOKS, posted)
    assert answer.status_code == 422
    assert "https:// addresses only" in text_of(answer)
    assert 'value="http://10.0.0.1/"' in answer.content.decode()
    hook = make_webhook(team)
    answer = client.post(
        f"{WEBHOOKS}{hook.public_id}/change/", {"url": "https://10.0.0.1/", "kinds": ["entry.flag"]}
    )
    assert answer.status_code == 422
    hook.refresh_from_db()
    assert hook.url == URL


def test_changing_switching_testing_and_deleting(client: Client, rings: list[Any]) -> None:
    owner = make_user()
    hook = make_webhook(make_team(owner=owner))
    client.force_login(owner)
    address = f"{WEBHOOKS}{hook.public_id}/"
    client.post(f"{address}change/", {"url": f"{URL}/2", "kinds": ["entry.flag", "docket.flag"]})
    hook.refresh_from_db()
    assert (hook.url, hook.kinds) == (f"{URL}/2", ["entry.flag"])
    assert "A test is on its way" in text_of(client.post(f"{address}ping/", follow=True))
    assert hook.notices.get().kind == "ping"
    client.post(f"{address}off/")
    hook.refresh_from_db()
    assert not hook.is_on
    assert "Off since" in text_of(client.get(address))
    client.post(f"{address}on/")
    hook.refresh_from_db()
    assert hook.is_on
    client.post(f"{address}delete/")
    assert not Webhook.objects.exists()
    assert not Notice.objects.exists()


def test_the_last_deliveries_are_listed(client: Client) -> None:
    owner = make_user()
    hook = make_webhook(make_team(owner=owner))
    make_notice(
        webhook=hook, state=Notice.State.SENT, answered=204, took_ms=77, attempts=2, ended_at=timezone.now()
    )
    make_notice(webhook=hook, fault="no answer in time", attempts=1)
    client.force_login(owner)
    page = text_of(client.get(f"{WEBHOOKS}{hook.public_id}/"))
    for words in ("204", "77 ms", "no answer in time", "sent", "waiting"):
        assert words in page


ACTIONS = ["", "ping/", "secret/", "on/", "off/", "change/", "delete/"]


@pytest.mark.parametrize("action", ACTIONS)
def test_only_those_who_look_after_a_webhook_reach_it(client: Client, action: str) -> None:
    owner, member = make_user(), make_user()
    team = make_team(owner=owner, members=[member])
    of_team, of_site = make_webhook(team), make_webhook(None)
    allowed = {owner: {of_team}, make_maintainer(): {of_site}, member: set(), make_user(): set()}
    for hook in (of_team, of_site):
        address = f"{WEBHOOKS}{hook.public_id}/{action}"
        for user, theirs in allowed.items():
            if hook in theirs:
                continue
            answer = signed_in(user).post(address) if action else signed_in(user).get(address)
            assert answer.status_code == 404
        answer = client.post(address) if action else client.get(address)
        assert answer["Location"].startswith("/account/login/")
    assert Webhook.objects.filter(is_on=True, secret_number=1).count() == 2
    assert not Notice.objects.exists()
    assert signed_in(owner).get(f"{WEBHOOKS}{of_team.public_id}/").status_code == 200


def test_nobody_makes_a_webhook_for_others(client: Client) -> None:
    owner, member = make_user(), make_user()
    team = make_team(owner=owner, members=[member])
    other = make_team()
    for user, given in (
        (owner, str(other.public_id)),
        (owner, "site"),
        (member, str(team.public_id)),
        (make_maintainer(), str(team.public_id)),
        (make_user(), str(team.public_id)),
    ):
        assert signed_in(user).post(WEBHOOKS, {"url": URL, "owner": given}).status_code == 404
    assert not Webhook.objects.exists()


def test_maintainers_make_the_sites_own(client: Client) -> None:
    client.force_login(make_maintainer())
    assert client.post(WEBHOOKS, {"url": URL, "owner": "site"}).status_code == 200
    hook = Webhook.objects.get()
    assert hook.team is None
    assert all(kind.startswith("docket.") for kind in hook.kinds)


def test_a_maintainer_without_the_second_factor_reaches_no_webhook_of_the_site(
    client: Client, settings: Any
) -> None:
    settings.REQUIRE_MAINTAINER_TOTP = True
    hook = make_webhook(None)
    client.force_login(make_maintainer())
    assert client.get(f"{WEBHOOKS}{hook.public_id}/").status_code == 404
    assert client.get(WEBHOOKS).status_code == 404
