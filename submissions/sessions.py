"""Where a person is signed in, and how they end that."""

from allauth.usersessions.models import UserSession
from django.db import transaction
from knox.models import AuthToken

from submissions.models import User


def sessions_of(user: User) -> list[UserSession]:
    """Those that still work, newest first; the others are deleted on the way."""
    found = UserSession.objects.purge_and_list(user)
    return sorted(found, key=lambda session: session.created_at, reverse=True)


def end_session(user: User, number: int) -> bool:
    """Whether the user had such a session, which is over now."""
    found = UserSession.objects.filter(user=user, pk=number).first()
    if found is None:
        return False
    found.end()
    return True


def end_all(user: User, but: str | None = None, with_tokens: bool = False) -> int:
    """Ends every session except the one of this key. How many that were. `with_tokens`: API tokens end as well."""
    others = UserSession.objects.filter(user=user).exclude(session_key=but)
    with transaction.atomic():
        ended = [session.end() for session in others]
        if with_tokens:
            AuthToken.objects.filter(user=user).delete()
    return len(ended)
