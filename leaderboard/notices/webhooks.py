"""Webhooks: made, changed, tested and switched off. Who may look after one is asked here, once for all."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils.crypto import salted_hmac

from leaderboard.models import Notice, Webhook
from leaderboard.notices.addresses import BadAddress, parse_target
from leaderboard.notices.kinds import Group, Kind, kinds_by_webhook
from leaderboard.notices.news import News
from leaderboard.notices.outbox import put
from leaderboard.notices.signature import to_secret
from submissions.models import Team, TeamMember, User

MOST = 5  # Of one team, or of the site.
# So long the secret before still signs beside the new one.
BOTH_SIGN_FOR = timedelta(hours=24)
KEY_SALT = "leaderboard.notices.webhook"


class WebhookError(Exception):
    """Shown to the person: why it cannot be so."""


def manageable_by(user: User) -> QuerySet[Webhook]:
    """Those the person may look after: of teams they own, and the site's where they may maintain."""
    of_teams = Q(team__in=owned_teams(user).values("pk"))
    allowed = of_teams | Q(team=None) if user.may_maintain else of_teams
    return Webhook.objects.filter(allowed).select_related("team__organisation")


def owned_teams(user: User) -> QuerySet[Team]:
    return Team.objects.filter(members__user=user, members__role=TeamMember.Role.OWNER)


def offered_kinds(team: Team | None) -> list[Kind]:
    return kinds_by_webhook(Group.TEAM if team else Group.MAINTAINERS)


def create_webhook(
    user: User, team: Team | None, url: str, kinds: Iterable[str], now: datetime
) -> tuple[Webhook, str]:
    """The webhook and its secret, which is shown this once. Raises WebhookError."""
    if Webhook.objects.filter(team=team).count() >= MOST:
        raise WebhookError(f"There are {MOST} already, the most there may be. Delete one first.")
    hook = Webhook(team=team, created_by=user, created_at=now, **_checked(team, url, kinds))
    hook.save()
    return hook, to_secret(_key(hook, hook.secret_number))


def change_webhook(hook: Webhook, url: str, kinds: Iterable[str]) -> None:
    """Another address, or other kinds. Raises WebhookError."""
    Webhook.objects.filter(pk=hook.pk).update(**_checked(hook.team, url, kinds))


def _checked(team: Team | None, url: str, kinds: Iterable[str]) -> dict[str, object]:
    try:
        parse_target(url.strip(), settings.WEBHOOK_LOOPBACK)
    except BadAddress as error:
        raise WebhookError(str(error)) from error
    chosen = [kind.value for kind in offered_kinds(team) if kind in set(kinds)]
    if not chosen:
        raise WebhookError("Choose at least one thing that it should be told.")
    return {"url": url.strip(), "kinds": chosen}


def rotate_secret(hook: Webhook, now: datetime) -> str:
    """The new secret, shown this once. For a day deliveries carry the old one's signature too."""
    Webhook.objects.filter(pk=hook.pk).update(secret_number=F("secret_number") + 1, rotated_at=now)
    hook.refresh_from_db()
    return to_secret(_key(hook, hook.secret_number))


def signing_keys(hook: Webhook, now: datetime) -> list[bytes]:
    """The key, and for a day after a change the one before."""
    is_new = hook.rotated_at is not None and now < hook.rotated_at + BOTH_SIGN_FOR
    numbers = [hook.secret_number, hook.secret_number - 1] if is_new else [hook.secret_number]
    return [_key(hook, number) for number in numbers]


def _key(hook: Webhook, number: int) -> bytes:
    """Derived from the site's secret key, so that a copy of the database signs nothing."""
    return salted_hmac(KEY_SALT, f"{hook.public_id}:{number}", algorithm="sha256").digest()


def ping(hook: Webhook, now: datetime) -> bool:
    """Writes a test delivery; False where one waits already, or the webhook is off."""
    if not hook.is_on or hook.notices.filter(kind=Kind.PING, state=Notice.State.WAITING).exists():
        return False
    Notice.objects.create(
        kind=Kind.PING,
        key=f"ping:{uuid4()}",
        webhook=hook,
        group=_group(hook),
        team=hook.team,
        path=_path(hook),
        happened_at=now,
        created_at=now,
        next_try_at=now,
    )
    return True


def switch_on(hook: Webhook) -> None:
    """News from now on is told again; what was missed stays so."""
    Webhook.objects.filter(pk=hook.pk).update(
        is_on=True, off_since=None, off_because="", failures=0, resume_at=None
    )


def switch_off(hook: Webhook, because: str, now: datetime, is_told: bool = False) -> None:
    """Ends what waits for it. Twice is once. `is_told`: those who look after it hear of it."""
    with transaction.atomic():
        on = Webhook.objects.filter(pk=hook.pk, is_on=True)
        if not on.update(is_on=False, off_since=now, off_because=because):
            return
        hook.notices.filter(state=Notice.State.WAITING).update(
            state=Notice.State.DROPPED, ended_at=now, fault="the webhook was switched off"
        )
        if is_told:
            put(_off_news(hook, now), now)


def _off_news(hook: Webhook, now: datetime) -> News:
    keepers = Group.OWNERS if hook.team else Group.MAINTAINERS
    facts = {"team": hook.team.name} if hook.team else {}
    key = f"webhook:{hook.pk}:{now:%Y%m%d%H%M%S%f}"
    return News(key, now, ((Kind.WEBHOOK_OFF, keepers),), facts, _path(hook), team=hook.team)


def _group(hook: Webhook) -> Group:
    return Group.TEAM if hook.team else Group.MAINTAINERS


def _path(hook: Webhook) -> str:
    return reverse("webhook", args=[hook.public_id])
