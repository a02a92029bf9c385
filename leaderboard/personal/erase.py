"""Deletes an account: what is the person's alone goes, what others stand on stays without a name."""

from datetime import datetime
from typing import Any

from django.apps import apps
from django.contrib.auth.hashers import make_password
from django.db import models, transaction

from leaderboard.audit.acts import Act
from leaderboard.audit.record import record
from leaderboard.personal.places import PLACES, Fate
from submissions.membership import leave_team
from submissions.models import Team, User
from submissions.models.people import DELETED_ADDRESS
from submissions.people import PeopleError
from submissions.sessions import end_all

FORMER_MAINTAINER = "A former maintainer"


class NotErased(Exception):
    """Shown to the person: why the account stays, and what must happen first."""


def erase_account(user: User, now: datetime, is_operator: bool = False) -> None:
    """Nobody can sign in to the account any more, and it names nobody. Raises NotErased for a maintainer's own wish.

    Decisions and submissions keep their author's number, under the organisation; a maintainer's name beside decisions
    becomes "A former maintainer".
    """
    if user.is_maintainer and not is_operator:
        raise NotErased(
            "You decide in public as a maintainer. Ask an operator of the site, who ends that first."
        )
    with transaction.atomic():
        record(Act.ACCOUNT_DELETED, account=user)
        _leave_teams(user)
        end_all(user, with_tokens=True)
        for place, fate in PLACES.items():
            if fate == Fate.DELETE:
                _rows(place, user).delete()
        _forget_names(user)


def _leave_teams(user: User) -> None:
    """Others inherit a team; one without others stays with its submissions, and a maintainer can add people."""
    for team in Team.objects.of(user):
        try:
            leave_team(team, user)
        except PeopleError:
            team.members.filter(user=user).delete()


def _rows(place: str, user: User) -> models.QuerySet[Any]:
    label, _, column = place.rpartition(".")
    rows: models.QuerySet[Any] = apps.get_model(label)._base_manager.filter(**{column: user})
    return rows


def _forget_names(user: User) -> None:
    """By `update`, which nobody hears: the audit log would note the name that is being forgotten."""
    was_maintainer = bool(user.public_name)
    name = f"deleted-{user.pk}"
    User.objects.filter(pk=user.pk).update(
        email=f"{name}{DELETED_ADDRESS}",
        username=name,
        first_name="",
        last_name="",
        public_name=FORMER_MAINTAINER if was_maintainer else "",
        password=make_password(None),
        last_login=None,
        is_active=False,
        is_staff=False,
        is_superuser=False,
        is_maintainer=False,
    )
