"""The people and webhooks that hear of a piece of news, as members of a group."""

from collections.abc import Iterable, Iterator

from leaderboard.models import Webhook
from leaderboard.notices.kinds import Group, Kind
from leaderboard.notices.news import News
from submissions.models import Organisation, Team, TeamMember, User
from submissions.people import find_tie


def people_of(news: News, group: Group) -> list[User]:
    """Who is told by mail. Whoever did it knows already."""
    return [user for user in _people(news, group) if user.is_active and user.pk != news.by]


def _people(news: News, group: Group) -> Iterable[User]:
    if group == Group.MAINTAINERS:
        return _maintainers(news.organisations)
    if group == Group.RAISER:
        return dict.fromkeys(news.raisers)
    return _members(news.team, group) if news.team else []


def _members(team: Team, group: Group) -> Iterable[User]:
    members = TeamMember.objects.filter(team=team)
    if group == Group.OWNERS:
        members = members.filter(role=TeamMember.Role.OWNER)
    return User.objects.filter(pk__in=members.values("user")).order_by("pk")


def _maintainers(organisations: Iterable[int]) -> Iterator[User]:
    """Those who may act as such, and have no tie to the organisations."""
    bodies = list(Organisation.objects.filter(pk__in=organisations))
    for user in User.objects.filter(is_maintainer=True, is_active=True).order_by("pk"):
        if user.may_maintain and not any(find_tie(user, body) for body in bodies):
            yield user


def webhooks_of(news: News, kind: Kind, group: Group) -> list[Webhook]:
    """The team's for what the team hears, the site's for what maintainers hear; those that want this kind."""
    if group not in (Group.TEAM, Group.MAINTAINERS) or (group == Group.TEAM and news.team is None):
        return []
    team = news.team if group == Group.TEAM else None
    return [hook for hook in Webhook.objects.filter(team=team, is_on=True) if kind in hook.kinds]


def still_hears(user: User, group: Group, team: Team | None) -> bool:
    """Whether the person may still be told as a member of the group: people leave between news and mail."""
    if not user.is_active:
        return False
    if group == Group.MAINTAINERS:
        return user.may_maintain
    if group == Group.RAISER:
        return True
    return team is not None and user in _members(team, group)
