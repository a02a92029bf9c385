"""Every route of the URL configuration, for everybody, in every state: `routes.toml` says what each is promised.

A route without a rule fails by name, and so does a rule without a route.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache as counted
from django.test import Client

from submissions.models import User
from tests import factories as make
from tests.security.asking import EVERYTHING, ask, sign_in
from tests.security.routes import Route, all_routes, questions
from tests.security.world import ROLES, World, make_world

pytestmark = pytest.mark.django_db
RULES = Path(__file__).with_name("routes.toml")
# What may come of a method that no rule names.
DENIED = frozenset({"login", "401", "403", "404", "405"})
# Pages of other packages have rules of their own below.
APART = ("admin:", "account_", "mfa_", "usersessions_")
PARTS = ("page", "api", "record")


@cache
def rules() -> Mapping[str, Mapping[str, str]]:
    """By route its rows: `METHOD` or `METHOD state state` to what each role is answered."""
    found: dict[str, Mapping[str, str]] = {}
    for rule in tomllib.loads(RULES.read_text())["rule"]:
        rows = {key: value for key, value in rule.items() if key not in ("says", "routes")}
        found |= dict.fromkeys(rule["routes"], rows)
    return found


def own_routes() -> list[Route]:
    return [route for route in all_routes() if not route.name.startswith(APART)]


def part_of(route: Route) -> str:
    """A third of all routes each, so that they can be asked beside one another."""
    if route.name.startswith("api"):
        return "api"
    return "record" if "<" in route.pattern and route.pattern[0] in "def" else "page"


def promised(name: str, method: str, state: str) -> list[str]:
    """What each role is answered; empty where no rule names the method."""
    for key, row in rules()[name].items():
        word, *states = key.split()
        if word == method and (not states or state in states):
            return row.split()
    return []


def test_every_route_has_a_rule_and_every_rule_a_route() -> None:
    assert {route.name for route in own_routes()} == set(rules())


@pytest.mark.parametrize("part", PARTS)
def test_everybody_is_answered_as_promised(part: str) -> None:
    world = make_world()
    clients = {role: sign_in(world.people[role]) for role in ROLES}
    wrong = []
    for route in own_routes():
        if part_of(route) == part:
            wrong += _wrong(route, world, clients)
    assert not wrong, "\n".join(wrong)


def _wrong(route: Route, world: World, clients: Mapping[str, Client]) -> list[str]:
    found = []
    for method, state, path in questions(route, world):
        wanted = promised(route.name, method, state)
        got = [ask(clients[role], method, path, route.name) for role in ROLES]
        if (got != wanted) if wanted else not DENIED.issuperset(got):
            found.append(
                f"{route.name}, {method} {state}: promised {' '.join(wanted) or 'nothing'}, got {' '.join(got)}"
            )
    return found


def test_nothing_is_changed_without_the_forms_token() -> None:
    """Whatever somebody signed in may change, another site's form may not change for them."""
    world = make_world()
    taken = []
    for route in own_routes():
        for method, state, path in questions(route, world):
            roles = [
                role
                for role, word in zip(ROLES, promised(route.name, method, state), strict=False)
                if word[0] == "2"
            ]
            if method == "GET" or not roles or route.name == "notice-unsubscribe":
                continue
            client = Client(enforce_csrf_checks=True)
            if user := world.people[roles[-1]]:
                client.force_login(user)
            counted.clear()
            taken += [route.name] * (
                client.generic(method, path, "{}", "application/json").status_code != 403
            )
    assert taken == []


@pytest.fixture
def people(settings: Any) -> dict[str, User]:
    settings.REQUIRE_MAINTAINER_TOTP = True
    super_stranger = make.make_user(is_superuser=True, is_staff=True)
    return {
        "anonymous": None,  # type: ignore[dict-item]
        "stranger": make.make_user(),
        "staff who is no maintainer": super_stranger,
        "maintainer without a second factor": make.make_maintainer(is_superuser=True, is_staff=True),
    }


ADMIN = [route for route in all_routes() if route.name.startswith("admin:")]


def admin_address(route: Route) -> str:
    path = "/" + route.pattern.replace("<path:content_type_id>", "1").replace("<path:object_id>", "1")
    path = path.replace("<id>", "1").replace("^(?P<app_label>", "").partition("leaderboard|")[0]
    return path.replace("(?P<url>.*)$", "nowhere")


def test_nobody_enters_the_admin_without_a_second_factor(people: dict[str, User]) -> None:
    entered = []
    for who, user in people.items():
        client = sign_in(user)
        for path in dict.fromkeys(map(admin_address, ADMIN)):
            for method in ("GET", "POST"):
                answer = ask(client, method, path)
                if answer not in ("login", "302", "403", "404"):
                    entered.append(f"{who}: {method} {path}: {answer}")
    assert len(ADMIN) > 50
    assert not entered, "\n".join(entered)


def test_the_admin_takes_no_password() -> None:
    """Django's form there would sign in with nothing else, however often one guesses."""
    staff, maintainer = make.make_user(is_staff=True), make.make_maintainer(is_staff=True)
    client = sign_in(staff)
    client.post("/admin/login/", {"username": maintainer.email, "password": make.PASSWORD})
    client.post("/admin/login/", {"username": maintainer.username, "password": make.PASSWORD})
    assert client.session["_auth_user_id"] == str(staff.pk)


def test_the_admin_leads_back_to_what_was_asked_for() -> None:
    wanted = "/admin/leaderboard/entry/"
    asked = Client().get(wanted, follow=True)
    way = asked.request["QUERY_STRING"]
    user = make.make_maintainer()
    sent = Client().post(
        f"/account/login/?{way}", {"login": user.email, "password": make.PASSWORD}, follow=True
    )
    assert sent.request["PATH_INFO"] == wanted


# What a maintainer may change in the admin, and nothing besides: records are looked at.
MAY_ADD = {"submissions/organisation", "submissions/team"}
MAY_CHANGE = {*MAY_ADD, "leaderboard/track"}
SECRET = ("mfa/authenticator", "knox/authtoken", "usersessions/usersession", "auth/group")


def models() -> list[str]:
    """`app/model` of everything in the admin."""
    lists = [route.pattern.split("/")[1:3] for route in ADMIN if route.name.endswith("_changelist")]
    return ["/".join(words) for words in lists]


def test_what_a_maintainer_may_do_in_the_admin() -> None:
    world = make_world()
    client = sign_in(world.people["maintainer"])
    looked = {model: ask(client, "GET", f"/admin/{model}/") for model in models()}
    hidden = {"account/emailaddress", "submissions/user"}
    assert {model for model, status in looked.items() if status != "200"} == hidden
    added = {model for model in models() if ask(client, "GET", f"/admin/{model}/add/") == "200"}
    assert added == MAY_ADD
    for model in models():
        if model not in MAY_ADD:
            assert ask(client, "POST", f"/admin/{model}/add/") == "403", model
        assert ask(client, "POST", f"/admin/{model}/1/delete/") in ("403", "302"), model
    assert not set(SECRET) & set(models())


def test_records_are_not_changed_in_the_admin() -> None:
    from django.apps import apps

    world = make_world()
    client = sign_in(world.people["maintainer"])
    tried = 0
    for label in models():
        app, model = label.split("/")
        row = apps.get_model(app, model)._default_manager.order_by("pk").first()
        if row is None or label in MAY_CHANGE:
            continue
        tried += 1
        assert ask(client, "POST", f"/admin/{label}/{row.pk}/change/") in ("403", "302"), label
        assert ask(client, "POST", f"/admin/{label}/{row.pk}/delete/") == "403", label
        row.refresh_from_db()
    assert tried > 10


# Pages of accounts: a visitor's answer, and that of somebody who signed in a while ago.
ACCOUNT = {
    "account_login": ("200", "302"),
    "account_logout": ("302", "200"),
    "account_inactive": ("200", "200"),
    "account_signup": ("200", "302"),
    "account_reauthenticate": ("login", "200"),
    "account_request_reauthentication_code": ("login", "302"),
    "account_confirm_reauthentication_code": ("login", "302"),
    "account_email": ("login", "200"),
    "account_email_verification_sent": ("200", "200"),
    "account_change_password": ("login", "200"),
    "account_set_password": ("login", "302"),
    "account_reset_password": ("200", "200"),
    "account_confirm_login_code": ("login", "302"),
    "account_confirm_email": ("200", "200"),
    "account_reset_password_from_key_done": ("200", "200"),
    "account_reset_password_from_key": ("200", "200"),
    "account_reset_password_done": ("200", "200"),
    "mfa_index": ("login", "200"),
    "mfa_authenticate": ("login", "302"),
    "mfa_reauthenticate": ("login", "302"),
    "mfa_activate_totp": ("login", "302"),
    "mfa_deactivate_totp": ("login", "404"),
    "mfa_view_recovery_codes": ("login", "404"),
    "mfa_generate_recovery_codes": ("login", "302"),
    "mfa_download_recovery_codes": ("login", "404"),
    "usersessions_list": ("login", "200"),
}


def account_address(route: Route) -> str:
    path = "/" + route.pattern.replace("^", "").replace("$", "")
    return path.replace("(?P<key>[-:\\w]+)", "none").replace("(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)", "1-none")


def test_pages_of_accounts() -> None:
    routes = {
        route.name: account_address(route) for route in all_routes() if route.name.startswith(APART[1:])
    }
    assert set(routes) == set(ACCOUNT)
    visitor, person = sign_in(None), sign_in(make.make_user())
    got = {name: (ask(visitor, "GET", path), ask(person, "GET", path)) for name, path in routes.items()}
    assert {name: pair for name, pair in got.items() if pair != ACCOUNT[name]} == {}


def test_the_answers_differ_between_a_maintainer_and_one_with_a_tie() -> None:
    """Otherwise the table would show nothing: of each decision, one may make it and the other may not."""
    rows = [row.split() for each in rules().values() for key, row in each.items() if key.startswith("POST")]
    assert sum(row[4] != row[5] for row in rows) >= 10
    assert EVERYTHING["reason"]


def test_a_maintainer_without_a_second_factor_is_none(settings: Any) -> None:
    """Every page and every act that is theirs: a password alone opens none of them."""
    world = make_world()
    settings.REQUIRE_MAINTAINER_TOTP = True
    client = sign_in(world.people["maintainer"])
    opened, tried = [], 0
    for route in own_routes():
        for method, state, path in questions(route, world):
            promise = promised(route.name, method, state)
            if promise and promise[4] != promise[1]:
                tried += 1
                got = ask(client, method, path, route.name)
                opened += [] if got in DENIED else [f"{route.name}, {method} {state}: {got}"]
    assert tried > 40
    assert opened == []
