"""API tokens of a person. Only a digest is kept; the token itself is shown once."""

from knox.models import AuthToken
from knox.settings import knox_settings

from submissions.models import User


class TokenError(Exception):
    """Shown to the person: why there is no new token."""


def create_token(user: User) -> str:
    """The secret of a new token. Raises TokenError where the person has as many as allowed."""
    limit = knox_settings.TOKEN_LIMIT_PER_USER
    if AuthToken.objects.filter(user=user).count() >= limit:
        raise TokenError(f"You have {limit} tokens, the most a person may have. Revoke one first.")
    _, secret = AuthToken.objects.create(user)
    return str(secret)


def revoke_token(user: User, token_key: str) -> bool:
    """Whether a token of the user began with this and is gone now."""
    deleted, _ = AuthToken.objects.filter(user=user, token_key=token_key).delete()
    return bool(deleted)
