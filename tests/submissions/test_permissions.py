"""Every route under a submission, for everybody: found from the URL configuration, so that none can be forgotten."""

import uuid
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from submissions.models import Submission, User
from tests.factories import make_maintainer, make_submission, make_team, make_user
from tests.submissions.uploading import make_upload

pytestmark = pytest.mark.django_db
Status = Submission.Status
JSON = "application/json"


class Route(NamedTuple):
    """A route's methods: those for whoever may see a submission, and those (and pages) for its team alone."""

    read: tuple[str, ...] = ()
    team: tuple[str, ...] = ()


# A new route under a submission must be entered here, or `test_every_route_is_listed` fails.
ROUTES = {
    "submission": Route(read=("get", "head")),
    "submission-upload": Route(team=("post",)),
    "submission-run-card": Route(read=("get",), team=("post",)),
    "submission-confirm": Route(team=("get", "post")),
    "submission-withdraw": Route(team=("get", "post")),
    # For its team from the opening of the review, and for maintainers: tests/leaderboard/evidence/test_pages.py.
    "submission-evidence": Route(),
    "submission-source": Route(team=("get", "post")),
    "api:submission": Route(read=("get",)),
    "api:upload": Route(team=("get",)),
    "api:upload-part": Route(team=("put",)),
    "api:upload-parts": Route(team=("post",)),
    "api:upload-complete": Route(team=("post",)),
    "api:run-card": Route(read=("get",), team=("put",)),
    "api:confirm": Route(team=("post",)),
    "api:withdraw": Route(team=("post",)),
    "api:source": Route(team=("put",)),
}
READ = [(name, method) for name, route in ROUTES.items() for method in route.read]
TEAM = [(name, method) for name, route in ROUTES.items() for method in route.team]


def routes_under_a_submission(patterns: Any, prefix: str = "", space: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            inner = f"{pattern.namespace}:" if pattern.namespace else space
            yield from routes_under_a_submission(pattern.url_patterns, route, inner)
        elif isinstance(pattern, URLPattern) and "submissions/<" in route:
            yield f"{space}{pattern.name}"


def address(name: str, submission: Submission | None = None) -> str:
    public_id = submission.public_id if submission else uuid.uuid4()
    return reverse(name, args=[public_id, 1] if name == "api:upload-part" else [public_id])


def ask(client: Client, name: str, method: str, submission: Submission | None = None) -> Any:
    is_api = name.startswith("api:")
    more = {"data": "{}", "content_type": JSON} if is_api and method in ("post", "put") else {}
    return getattr(client, method)(address(name, submission), **more)


def signed_in(user: User | None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client


@pytest.fixture
def member() -> User:
    return make_user()


@pytest.fixture(params=["anonymous", "stranger", "member of another team"])
def outsider(request: pytest.FixtureRequest) -> Client:
    if request.param == "anonymous":
        return signed_in(None)
    user = make_user()
    if request.param == "member of another team":
        make_team(owner=user)
    return signed_in(user)


def private(member: User) -> list[Submission]:
    """One that is uploading, one that waits for its team, one that is graded, and one that was withdrawn."""
    team = make_team(members=[member])
    return [
        make_upload(b"x", team),
        *(make_submission(team=team, status=status) for status in (Status.AWAITING_TEAM, Status.WITHDRAWN)),
        make_submission(team=team, status=Status.GRADED, scope="low"),
    ]


def test_every_route_is_listed() -> None:
    assert set(routes_under_a_submission(get_resolver().url_patterns)) == set(ROUTES)


@pytest.mark.parametrize(("name", "method"), [*READ, *TEAM])
def test_outsiders_get_404_for_what_is_not_public(
    name: str, method: str, outsider: Client, member: User
) -> None:
    absent = ask(outsider, name, method)
    assert absent.status_code == 404
    for submission in private(member):
        answer = ask(outsider, name, method, submission)
        assert (answer.status_code, answer["Content-Type"]) == (404, absent["Content-Type"])
        if name.startswith("api:"):
            assert answer.content == absent.content


@pytest.mark.parametrize(("name", "method"), READ)
def test_outsiders_may_read_what_is_published(name: str, method: str, outsider: Client, member: User) -> None:
    public = make_submission(team=make_team(members=[member]), status=Status.PUBLISHED, scope="low")
    assert ask(outsider, name, method, public).status_code == 200


@pytest.mark.parametrize(("name", "method"), TEAM)
def test_only_the_team_may_change_what_is_published(
    name: str, method: str, outsider: Client, member: User
) -> None:
    public = make_submission(team=make_team(members=[member]), status=Status.PUBLISHED, scope="low")
    assert ask(outsider, name, method, public).status_code == 404


@pytest.mark.parametrize(("name", "method"), [*READ, *TEAM])
def test_a_member_gets_through(name: str, method: str, member: User) -> None:
    team = make_team(members=[member])
    submission = make_upload(b"x", team)
    assert ask(signed_in(member), name, method, submission).status_code != 404


@pytest.mark.parametrize(("name", "method"), READ)
def test_a_maintainer_may_read_everything(name: str, method: str, member: User) -> None:
    for submission in private(member):
        assert ask(signed_in(make_maintainer()), name, method, submission).status_code == 200


@pytest.mark.parametrize(("name", "method"), TEAM)
def test_a_maintainer_changes_nothing_for_a_team(name: str, method: str, member: User) -> None:
    for submission in private(member):
        assert ask(signed_in(make_maintainer()), name, method, submission).status_code == 404


def test_a_maintainer_without_the_second_factor_is_a_stranger(settings: Any, member: User) -> None:
    settings.REQUIRE_MAINTAINER_TOTP = True
    client = signed_in(make_maintainer())
    assert ask(client, "api:submission", "get", private(member)[0]).status_code == 404


def test_who_has_left_sees_nothing(member: User) -> None:
    team = make_team(members=[member])
    submission = make_submission(team=team)
    client = signed_in(member)
    assert ask(client, "submission", "get", submission).status_code == 200
    client.post(reverse("team-leave", args=[team.public_id]))
    assert ask(client, "submission", "get", submission).status_code == 404


def test_an_outsider_of_a_published_one_sees_nothing_of_the_team(member: User) -> None:
    team = make_team(members=[member])
    public = make_submission(team=team, status=Status.PUBLISHED, scope="low")
    shown = signed_in(None).get(address("submission", public)).content.decode()
    assert team.name in shown
    assert team.members.first().user.email not in shown  # type: ignore[union-attr]
    assert "What happened" not in shown
