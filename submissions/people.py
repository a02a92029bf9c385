"""Organisations, teams and who joins them."""

import hashlib
import secrets
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.text import slugify

from submissions.models import (
    Invitation,
    Organisation,
    RunCardRevision,
    Submission,
    Team,
    TeamMember,
    User,
)
from submissions.room import may_make_organisation
from submissions.signals import organisation_verified


class PeopleError(Exception):
    """Shown to the person: why a team, an invitation or a verification did not come to be."""


def create_team(user: User, name: str, organisation_name: str) -> Team:
    """A new team with the user as its owner, under a new organisation of that name.

    An organisation that exists is joined by invitation only: its quota and its name are not for the taking.
    """
    if Organisation.objects.filter(name__iexact=organisation_name, teams__isnull=False).exists():
        raise PeopleError(
            "This organisation has a team already. Ask one of its members for an invitation link, or a maintainer."
        )
    if Organisation.objects.filter(name__iexact=organisation_name).exists():
        raise PeopleError(
            "Results of this organisation were imported and nobody has claimed them yet. Ask a maintainer to add you."
        )
    try:
        with transaction.atomic():
            _require_few(user)
            organisation = Organisation.objects.create(
                name=organisation_name, slug=_free_slug(organisation_name)
            )
            return _create_team(organisation, name, user)
    except IntegrityError as error:
        raise PeopleError("Somebody registered this organisation a moment ago.") from error


def _require_few(user: User) -> None:
    User.objects.select_for_update().get(pk=user.pk)  # Of many at once, one after the other.
    if not may_make_organisation(user):
        raise PeopleError(
            "You have made several organisations that no maintainer has verified yet. Wait until one is, or ask them."
        )


def _free_slug(name: str) -> str:
    base = slugify(name)[:100] or "organisation"
    taken = Organisation.objects.filter(slug=base).exists()
    return f"{base}-{secrets.token_hex(3)}" if taken else base


def _create_team(organisation: Organisation, name: str, owner: User) -> Team:
    team = Team.objects.create(organisation=organisation, name=name)
    TeamMember.objects.create(team=team, user=owner, role=TeamMember.Role.OWNER)
    return team


def find_tie(user: User, organisation: Organisation) -> str:
    """What ties a person to an organisation, in a sentence; empty where nothing does. Leaving does not undo it."""
    if TeamMember.objects.filter(user=user, team__organisation=organisation).exists():
        return f"You belong to {organisation}."
    if _invited(user, organisation) or _handed_in(user, organisation):
        return f"You belonged to {organisation} or worked on what it handed in."
    return ""


def tied_organisations(user: User) -> frozenset[int]:
    """Ids of every organisation for which `find_tie` finds something, in as many queries for one as for all."""
    path = "team__organisation"
    either = Q(invited_by=user) | Q(accepted_by=user)
    found: tuple[QuerySet[Any, Any], ...] = (
        TeamMember.objects.filter(user=user).values_list(path, flat=True),
        Invitation.objects.filter(either).values_list(path, flat=True),
        _worked_for(user).values_list("organisation", flat=True),
    )
    return frozenset(organisation for ids in found for organisation in ids.order_by().distinct())


def _invited(user: User, organisation: Organisation) -> bool:
    """Only members invite, and who accepts becomes one."""
    either = Q(invited_by=user) | Q(accepted_by=user)
    return Invitation.objects.filter(either, team__organisation=organisation).exists()


def _handed_in(user: User, organisation: Organisation) -> bool:
    return _worked_for(user).filter(organisation=organisation).exists()


def _worked_for(user: User) -> QuerySet[Team]:
    """Teams for which the person began or confirmed a submission, or wrote a run card.

    Found from what the person did, which is little, and not from all that the teams handed in.
    """
    written = Submission.objects.filter(
        pk__in=RunCardRevision.objects.filter(author=user).values("submission")
    )
    done = (Submission.objects.filter(created_by=user), Submission.objects.filter(confirmed_by=user), written)
    began, confirmed, wrote = (Q(pk__in=found.order_by().values("team")) for found in done)
    return Team.objects.filter(began | confirmed | wrote)


def verify_organisation(organisation: Organisation, maintainer: User, now: datetime) -> list[UUID]:
    """Lets its teams be graded; the first verification stands. Public ids of the submissions that wait for it.

    Raises PeopleError where the maintainer is tied to the organisation.
    """
    if tie := find_tie(maintainer, organisation):
        raise PeopleError(f"{tie} Another maintainer must verify it.")
    unverified = Organisation.objects.filter(pk=organisation.pk, verified_at=None)
    if unverified.update(verified_at=now, verified_by=maintainer):
        organisation_verified.send(sender=Organisation, organisation=organisation, maintainer=maintainer)
    waiting = Submission.objects.filter(team__organisation=organisation, status=Submission.Status.QUEUED)
    return list(waiting.values_list("public_id", flat=True))


def invite(team: Team, user: User, now: datetime) -> str:
    """The secret of a new invitation. It is shown once; only its digest is kept."""
    secret = secrets.token_urlsafe(24)
    Invitation.objects.create(
        team=team,
        secret_digest=_digest(secret),
        invited_by=user,
        expires_at=now + settings.INVITATION_EXPIRES,
    )
    return secret


def find_invitation(secret: str, now: datetime) -> Invitation | None:
    """The invitation that this secret still opens."""
    return (
        Invitation.objects.select_related("team__organisation")
        .filter(secret_digest=_digest(secret), accepted_at=None, expires_at__gt=now)
        .first()
    )


def accept_invitation(secret: str, user: User, now: datetime) -> Team:
    """The team joined. An invitation is good for one person; raises PeopleError where it is used up or too old."""
    invitation = find_invitation(secret, now)
    if invitation is None:
        raise PeopleError("This invitation was used or has expired. Ask for a new link.")
    with transaction.atomic():
        taken = Invitation.objects.filter(pk=invitation.pk, accepted_at=None)
        if not taken.update(accepted_at=now, accepted_by=user):
            raise PeopleError("This invitation was used a moment ago. Ask for a new link.")
        TeamMember.objects.get_or_create(team=invitation.team, user=user)
    return invitation.team


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
