"""Many teams, so that no submission is another's earlier one, and a maintainer."""

import secrets
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.utils import timezone

from submissions.models import Organisation, Team, TeamMember, User
from submissions.people import verify_organisation

TEAMS = 6
MAINTAINER = "judge"


@dataclass(frozen=True)
class Cast:
    """Everybody has the same password, made for this run."""

    password: str

    def email(self, name: str) -> str:
        return f"{name}@faults.example"


def team_name(number: int) -> str:
    return f"team-{number}"


def create_cast() -> Cast:
    cast = Cast(secrets.token_urlsafe(12))
    hashed = make_password(cast.password)  # Once, since it is meant to take long.
    judge = _create(cast, hashed, MAINTAINER, is_maintainer=True, public_name="Judge")
    for number in range(TEAMS):
        name = team_name(number)
        organisation = Organisation.objects.create(name=name, slug=name)
        team = Team.objects.create(organisation=organisation, name=name)
        TeamMember.objects.create(team=team, user=_create(cast, hashed, name), role=TeamMember.Role.OWNER)
        verify_organisation(organisation, judge, timezone.now())
    return cast


def _create(cast: Cast, hashed: str, name: str, **columns: object) -> User:
    user = User.objects.create(username=name, email=cast.email(name), password=hashed, **columns)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user
