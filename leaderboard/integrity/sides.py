"""Who stands on which side of an entry: its team, and the maintainers."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from leaderboard.models import Entry
from submissions.models import Organisation, Submission, Team, TeamMember, User
from submissions.people import find_tie


def members_of(entry: Entry) -> QuerySet[TeamMember]:
    """Those who speak for the entry: its team; of an imported one, whoever belongs to the organisation by now."""
    if entry.submission is not None:
        return TeamMember.objects.filter(team=entry.submission.team_id)
    return TeamMember.objects.filter(team__organisation=entry.agent.organisation_id)


def is_on_team(user: Any, entry: Entry) -> bool:
    return user.is_authenticated and members_of(entry).filter(user=user).exists()


def leads_team(user: Any, entry: Entry) -> bool:
    """Whether the person is an owner of the team, who may object to a decision in its name."""
    owners = members_of(entry).filter(role=TeamMember.Role.OWNER)
    return user.is_authenticated and owners.filter(user=user).exists()


def find_conflict_with(maintainer: User, organisations: Iterable[Organisation]) -> str:
    """Why this maintainer may not decide on what one of the organisations handed in; empty if they may."""
    tie = next(filter(None, (find_tie(maintainer, organisation) for organisation in organisations)), "")
    return f"{tie} Another maintainer must decide on its entries." if tie else ""


def may_judge(user: Any, submission: Submission) -> bool:
    """Whether the person may see what is kept from the team: a maintainer whom nothing ties to the organisation."""
    return getattr(user, "may_maintain", False) and not find_tie(user, submission.team.organisation)


def sees_private(user: Any, entry: Entry) -> bool:
    """Whether the person may see what is kept between the team and the maintainers."""
    return user.is_authenticated and (user.may_maintain or is_on_team(user, entry))


def is_of(user: Any) -> Exists:
    """Whether the entry that a row names is of the person's teams. Asked of a row only once it is looked at."""
    return Exists(entries_of(user).filter(pk=OuterRef("entry")))


def entries_of(user: Any) -> QuerySet[Entry]:
    """The entries of the person's teams, published or not; for looking at one, not for going through all. One query."""
    teams = dict(Team.objects.filter(members__user=user).values_list("pk", "organisation"))
    handed_in = Q(submission__team__in=list(teams))
    imported = Q(submission=None, agent__organisation__in=set(teams.values()))
    return Entry.objects.filter(handed_in | imported)
