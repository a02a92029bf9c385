"""Leaving a team."""

from django.db import transaction

from submissions.models import Team, TeamMember, User
from submissions.people import PeopleError


def leave_team(team: Team, user: User) -> None:
    """Ends the membership. If no owner is left, the longest member becomes one; the last cannot leave."""
    with transaction.atomic():
        others = team.members.exclude(user=user)
        if not others.exists():
            raise PeopleError(
                "You are the last member. Invite somebody first: the submissions stay with the team."
            )
        team.members.filter(user=user).delete()
        if not others.filter(role=TeamMember.Role.OWNER).exists():
            heir = others.order_by("joined_at", "pk")[:1]
            team.members.filter(pk__in=heir.values("pk")).update(role=TeamMember.Role.OWNER)
