"""How often people want mail of a kind, and the link by which they end it without signing in."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.core import signing
from django.db import transaction

from leaderboard.models import NoticeSetting
from leaderboard.notices.kinds import KINDS, Kind, Often, kinds_for
from submissions.models import User

SALT = "leaderboard.notices.unsubscribe"
# In a link: whatever comes in the daily mail.
DAILY_MAIL = "daily"


class BadLink(Exception):
    """The link to end mail was changed, or is not ours."""


@dataclass(frozen=True)
class Ending:
    """Whose mail of which kinds a link ends."""

    user: User
    kinds: tuple[Kind, ...]
    is_daily: bool = False


def often_for(users: Iterable[int], kind: Kind) -> Mapping[int, Often]:
    """By user, for those who chose something. For all others it is the usual."""
    chosen = NoticeSetting.objects.filter(user__in=list(users), kind=kind)
    return {user: Often(often) for user, often in chosen.values_list("user", "often")}


def often_of(user: User, kind: Kind) -> Often:
    return often_for([user.pk], kind).get(user.pk, KINDS[kind].usually)


def settings_of(user: User) -> dict[Kind, Often]:
    """Every kind the person can hear of, with what holds for them."""
    chosen = dict(NoticeSetting.objects.filter(user=user).values_list("kind", "often"))
    return {
        kind: Often(chosen.get(kind, KINDS[kind].usually)) for kind in kinds_for(bool(user.is_maintainer))
    }


def choose(user: User, wanted: Mapping[Kind, Often]) -> None:
    """Keeps what the person wants, also where it is the usual now: that may change, their word does not."""
    with transaction.atomic():
        for kind, often in wanted.items():
            NoticeSetting.objects.update_or_create(user=user, kind=kind, defaults={"often": often})


def link_token(user: User, kind: Kind | None) -> str:
    """The token of a link that ends mail of the kind; without one, what comes in the daily mail."""
    return signing.dumps([user.pk, kind or DAILY_MAIL], salt=SALT)


def read_token(token: str) -> Ending:
    """Raises BadLink. It does not run out: a mail may be read years later."""
    try:
        number, what = signing.loads(token, salt=SALT)
        user = User.objects.get(pk=number)
        kinds = _daily_kinds(user) if what == DAILY_MAIL else (Kind(what),)
    except (signing.BadSignature, ValueError, TypeError, User.DoesNotExist) as error:
        raise BadLink from error
    return Ending(user, kinds, what == DAILY_MAIL)


def _daily_kinds(user: User) -> tuple[Kind, ...]:
    return tuple(kind for kind, often in settings_of(user).items() if often == Often.DAILY)


def end_mail(ending: Ending) -> None:
    choose(ending.user, dict.fromkeys(ending.kinds, Often.NEVER))
