"""The people of the scenarios, made before the site starts so that signing up costs nothing; they act by HTTP alone."""

import secrets
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.utils import timezone
from django.utils.text import slugify

from submissions.models import Organisation, Team, TeamMember, User
from submissions.people import verify_organisation
from tests.scenarios.cases import Scenario

MAINTAINERS = ("maintainer", "maintainer-2")


@dataclass(frozen=True)
class Login:
    email: str
    password: str


@dataclass(frozen=True)
class Cast:
    """Who signs in how, by scenario and name, and the name of each team's organisation."""

    logins: dict[tuple[str, str], Login]

    def login(self, scenario: str, who: str) -> Login:
        return self.logins.get((scenario, who)) or self.logins["", who]


def organisation_of(scenario: str, team: str) -> str:
    return f"{scenario} {team}"


def create_cast(scenarios: list[Scenario]) -> Cast:
    """Everybody of every scenario, two maintainers, and a stranger who is in no team."""
    logins = {("", name): _create("", name, is_maintainer=True)[1] for name in MAINTAINERS}
    logins["", "stranger"] = _create("", "stranger")[1]
    judge = User.objects.get(username="maintainer")
    for scenario in scenarios:
        for team in scenario.teams:
            user, logins[scenario.name, team] = _create(scenario.name, team)
            _found_team(scenario.name, team, user, judge)
        for name, about in scenario.people.items():
            user, logins[scenario.name, name] = _create(
                scenario.name, name, is_maintainer=about.get("maintainer", False)
            )
            if "member_of" in about:
                team = Team.objects.get(name=organisation_of(scenario.name, about["member_of"]))
                role = TeamMember.Role(about.get("role", "member"))
                TeamMember.objects.create(team=team, user=user, role=role)
    return Cast(logins)


def _create(scenario: str, name: str, **columns: object) -> tuple[User, Login]:
    username = slugify(f"{scenario} {name}").strip("-")
    login = Login(f"{username}@scenarios.example", secrets.token_urlsafe(12))
    user = User.objects.create_user(
        username, login.email, login.password, public_name=username.replace("-", " "), **columns
    )
    EmailAddress.objects.create(user=user, email=login.email, verified=True, primary=True)
    return user, login


def _found_team(scenario: str, name: str, owner: User, judge: User) -> None:
    title = organisation_of(scenario, name)
    organisation = Organisation.objects.create(name=title, slug=slugify(title))
    team = Team.objects.create(organisation=organisation, name=title)
    TeamMember.objects.create(team=team, user=owner, role=TeamMember.Role.OWNER)
    verify_organisation(organisation, judge, timezone.now())
