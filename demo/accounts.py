"""The demo's people: a verified organisation with one team, its member, and a maintainer who is not in it."""

from allauth.account.models import EmailAddress
from django.utils import timezone

from demo.logins import MAINTAINER_EMAIL, TEAM_EMAIL, Logins
from submissions.models import Organisation, Team, TeamMember, User
from submissions.people import verify_organisation

ORGANISATION = "Demo Organisation"
TEAM = "Demo Team"


def create_accounts(logins: Logins) -> None:
    """Creates what is not there yet."""
    member = _user(TEAM_EMAIL, "demo-team", logins.team_password)
    maintainer = _user(
        MAINTAINER_EMAIL,
        "demo-maintainer",
        logins.maintainer_password,
        is_maintainer=True,
        public_name="Demo maintainer",
    )
    organisation, _ = Organisation.objects.get_or_create(
        name=ORGANISATION, defaults={"slug": "demo-organisation"}
    )
    team, _ = Team.objects.get_or_create(organisation=organisation, name=TEAM)
    TeamMember.objects.get_or_create(team=team, user=member, defaults={"role": TeamMember.Role.OWNER})
    verify_organisation(organisation, maintainer, timezone.now())


def _user(email: str, username: str, password: str, **columns: object) -> User:
    user = User.objects.filter(email=email).first()
    if user is None:
        user = User.objects.create_user(username, email, password, **columns)
        EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    return user
