"""API tokens of a person: made with scopes and an end. Only a digest is kept; the token itself is shown once."""

from collections.abc import Collection
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from knox.models import AuthToken
from knox.settings import knox_settings

from submissions.models import TokenGrant, TokenScope, User

DAYS = (7, 30, 90, 365)
USUAL_DAYS = 90


class TokenError(Exception):
    """Shown to the person: why there is no new token."""


def create_token(
    user: User,
    scopes: Collection[str] = tuple(TokenScope.values),
    days: int = USUAL_DAYS,
    name: str = "",
) -> str:
    """The secret of a new token. Raises TokenError where there may be none like this."""
    limit = knox_settings.TOKEN_LIMIT_PER_USER
    if AuthToken.objects.filter(user=user).count() >= limit:
        raise TokenError(f"You have {limit} tokens, the most a person may have. Revoke one first.")
    if not scopes:
        raise TokenError("Choose at least one thing that the token may do.")
    with transaction.atomic():
        token, secret = AuthToken.objects.create(user, expiry=timedelta(days=days))
        TokenGrant.objects.create(token=token, name=name.strip()[:60], scopes=_ordered(scopes))
    return str(secret)


def _ordered(scopes: Collection[str]) -> list[str]:
    return [scope for scope in TokenScope.values if scope in scopes]


def tokens_of(user: User) -> QuerySet[AuthToken]:
    """Oldest first, with what each may do."""
    found: QuerySet[AuthToken] = AuthToken.objects.filter(user=user)
    return found.select_related("grant").order_by("created")


def scopes_of(token: AuthToken) -> list[str]:
    """What the token may do; one whose scopes are lost may do nothing."""
    grant = TokenGrant.objects.filter(token=token).first()
    return list(grant.scopes) if grant else []


def revoke_token(user: User, token_key: str) -> bool:
    """Whether a token of the user began with this and is gone now."""
    deleted, _ = AuthToken.objects.filter(user=user, token_key=token_key).delete()
    return bool(deleted)
