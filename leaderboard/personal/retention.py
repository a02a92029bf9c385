"""What is forgotten by itself, and when. Bundles, notices, checks and the audit log have tasks of their own."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, ManyToOneRel, OuterRef, Q
from knox.models import AuthToken

from leaderboard.models import AuditRecord
from submissions.models import Invitation, TeamMember, User

TOKENS_AFTER: Final = timedelta(days=30)
INVITATIONS_AFTER: Final = timedelta(days=90)
ACCOUNTS_AFTER: Final = timedelta(days=30)
AT_ONCE: Final = 500
# Rows that go with an account nobody verified; lines of the audit log name accounts that are gone.
WITH_THE_ACCOUNT: Final = (EmailAddress, UserSession, AuditRecord)


def forget_sessions(now: datetime) -> int:
    """Sessions that have ended, with the addresses they came from."""
    Session.objects.filter(expire_date__lt=now).delete()
    live = Session.objects.filter(session_key=OuterRef("session_key"))
    return int(UserSession.objects.filter(~Exists(live)).delete()[0])


def forget_tokens(now: datetime) -> int:
    return int(AuthToken.objects.filter(expiry__lt=now - TOKENS_AFTER).delete()[0])


def forget_invitations(now: datetime) -> int:
    """Those nobody accepted. An accepted one says who belonged to an organisation, which its decisions rest on."""
    return int(
        Invitation.objects.filter(accepted_at=None, expires_at__lt=now - INVITATIONS_AFTER).delete()[0]
    )


def forget_unverified(now: datetime) -> int:
    """Accounts whose address was never verified, where it must be, and that did nothing."""
    if settings.ACCOUNT_EMAIL_VERIFICATION != "mandatory":
        return 0
    verified = EmailAddress.objects.filter(user=OuterRef("pk"), verified=True)
    member = TeamMember.objects.filter(user=OuterRef("pk"))
    rights = Q(is_maintainer=True) | Q(is_staff=True) | Q(is_superuser=True)
    found = User.objects.filter(
        ~Exists(verified), ~Exists(member), ~rights, is_active=True, date_joined__lt=now - ACCOUNTS_AFTER
    )
    return sum(_delete(user) for user in found[:AT_ONCE])


def _delete(user: User) -> bool:
    """An account that anything rests on stays; somebody verified it by hand.

    Without the framework's cascade, which would ask for the right to delete everybody's second factor.
    """
    others = [each for each in _pointing_at_users() if each.model not in WITH_THE_ACCOUNT]
    if any(each.model._base_manager.filter(**{each.name: user}).exists() for each in others):
        return False
    with transaction.atomic():
        for model in (EmailAddress, UserSession):
            model.objects.filter(user=user).delete()
        User.objects.filter(pk=user.pk)._raw_delete(User.objects.db)
    return True


def _pointing_at_users() -> list[Any]:
    """Every foreign key to an account, those without a way back too."""
    fields = User._meta.get_fields(include_hidden=True)
    return [field.field for field in fields if isinstance(field, ManyToOneRel)]


RULES: Final[Mapping[str, Callable[[datetime], int]]] = {
    "ended sessions": forget_sessions,
    "ended tokens": forget_tokens,
    "old invitations": forget_invitations,
    "accounts never verified": forget_unverified,
}


def forget_all(now: datetime) -> dict[str, int]:
    """How many of each kind were forgotten."""
    return {name: rule(now) for name, rule in RULES.items()}
