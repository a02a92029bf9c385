"""Webhooks of a team, for its owners, and of the site, for maintainers. Everybody else finds nothing here."""

import uuid
from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading.rings import ring
from leaderboard.models import Webhook
from leaderboard.notices.kinds import KINDS
from leaderboard.notices.webhooks import (
    WebhookError,
    change_webhook,
    create_webhook,
    manageable_by,
    offered_kinds,
    owned_teams,
    ping,
    rotate_secret,
    switch_off,
    switch_on,
)
from submissions.models import Team, User
from submissions.views.shared import FormThrottle, Visit

SITE = "site"
DELIVERIES_SHOWN = 25
PINGS = "30/hour"


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def webhooks(request: Visit) -> HttpResponse:
    """Those the person looks after, and a form for another; posted, its page with the secret, shown this once."""
    owners = _owners(request.user)
    if not owners:
        raise Http404
    if request.method == "POST":
        return _create(request, owners)
    return _list_page(request, owners)


def _owners(user: User) -> dict[str, Team | None]:
    """Whom the person may make a webhook for, by what the form calls it."""
    teams = {str(team.public_id): team for team in owned_teams(user).select_related("organisation")}
    return {**teams, SITE: None} if user.may_maintain else dict(teams)


def _create(request: Visit, owners: Mapping[str, Team | None]) -> HttpResponse:
    given = request.POST.get("owner", "")
    if given not in owners:
        raise Http404
    team = owners[given]
    kinds = [kind.value for kind in offered_kinds(team)]
    try:
        hook, secret = create_webhook(request.user, team, request.POST.get("url", ""), kinds, timezone.now())
    except WebhookError as error:
        return _list_page(request, owners, str(error))
    messages.success(request, "The webhook is made and on. Keep its secret now: it is not shown again.")
    return _page(request, hook, secret=secret)


def _list_page(request: Visit, owners: Mapping[str, Team | None], error: str = "") -> HttpResponse:
    context = {
        "webhooks": manageable_by(request.user),
        "owners": [
            (value, str(team) if team else "The site, as maintainers hear it")
            for value, team in owners.items()
        ],
        "url": request.POST.get("url", ""),
        "owner": request.POST.get("owner", ""),
        "error": error,
    }
    return render(request, "leaderboard/notices/webhooks.html", context, status=422 if error else 200)


@login_required
@never_cache
@require_safe
def detail(request: Visit, public_id: uuid.UUID) -> HttpResponse:
    """One webhook: where it goes, what it carries, and how its last deliveries went."""
    return _page(request, _own(request, public_id))


@login_required
@never_cache
@require_POST
def act(request: Visit, public_id: uuid.UUID, action: str) -> HttpResponse:
    """One of the buttons of the webhook's page."""
    if action not in ACTIONS:
        raise Http404
    return ACTIONS[action](request, _own(request, public_id))


class PingThrottle(FormThrottle):
    """By account: whoever holds a button down must not have this site knock at a stranger's door all day."""

    def get_rate(self) -> str:
        return PINGS


def _ping(request: Visit, hook: Webhook) -> HttpResponse:
    if not PingThrottle("ping").allow(request):
        return render(request, "429.html", status=429)
    if ping(hook, timezone.now()):
        ring("leaderboard.notices.tasks.send_webhooks")
        messages.success(request, "A test is on its way. Look here again in a few seconds.")
    else:
        messages.info(request, "Nothing was sent: a test waits already, or the webhook is off.")
    return redirect("webhook", hook.public_id)


def _rotate(request: Visit, hook: Webhook) -> HttpResponse:
    secret = rotate_secret(hook, timezone.now())
    messages.success(request, "Here is the new secret. For 24 hours the old one signs as well.")
    return _page(request, hook, secret=secret)


def _on(request: Visit, hook: Webhook) -> HttpResponse:
    switch_on(hook)
    messages.success(request, "The webhook is on. What happened meanwhile is not sent.")
    return redirect("webhook", hook.public_id)


def _off(request: Visit, hook: Webhook) -> HttpResponse:
    switch_off(hook, "switched off by hand", timezone.now())
    messages.success(request, "The webhook is off.")
    return redirect("webhook", hook.public_id)


def _change(request: Visit, hook: Webhook) -> HttpResponse:
    try:
        change_webhook(hook, request.POST.get("url", ""), request.POST.getlist("kinds"))
    except WebhookError as error:
        return _page(request, hook, error=str(error))
    messages.success(request, "Saved.")
    return redirect("webhook", hook.public_id)


def _delete(request: Visit, hook: Webhook) -> HttpResponse:
    hook.delete()
    messages.success(request, "The webhook is deleted, with the list of its deliveries.")
    return redirect("webhooks")


ACTIONS: Mapping[str, Callable[[Visit, Webhook], HttpResponse]] = {
    "ping": _ping,
    "secret": _rotate,
    "on": _on,
    "off": _off,
    "change": _change,
    "delete": _delete,
}


def _own(request: Visit, public_id: uuid.UUID) -> Webhook:
    return get_object_or_404(manageable_by(request.user), public_id=public_id)


def _page(request: Visit, hook: Webhook, secret: str = "", error: str = "") -> HttpResponse:
    deliveries: Any = hook.notices.order_by("-pk")[:DELIVERIES_SHOWN]
    context = {
        "webhook": hook,
        "kinds": [(kind.value, KINDS[kind].title, kind in hook.kinds) for kind in offered_kinds(hook.team)],
        "deliveries": deliveries,
        "secret": secret,
        "error": error,
    }
    return render(request, "leaderboard/notices/webhook.html", context, status=422 if error else 200)
