"""Sending the webhook deliveries that are due. Housekeeping alone does it."""

import json
import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import F, OuterRef, Q, Subquery

from leaderboard.models import Notice, Webhook
from leaderboard.notices.backoff import wait_after
from leaderboard.notices.kinds import Kind
from leaderboard.notices.post import Answer, Delivery, post_all
from leaderboard.notices.signature import sign
from leaderboard.notices.trying import Claim, State, claim, end, record_failure
from leaderboard.notices.webhooks import signing_keys, switch_off

# At a time, one for each webhook; so many rounds as fit into the time that housekeeping can spare.
AT_ONCE = 8
WITHIN_S = 8.0
# Tries in a row. With the waits between them that is about twenty hours.
OFF_AFTER = 12


def send_due_deliveries(now: datetime) -> int:
    """How many were tried."""
    tried, deadline = 0, time.monotonic() + WITHIN_S
    while time.monotonic() < deadline:
        claimed = claim(_next_numbers(now), now)
        if not claimed.notices:
            break
        _send(claimed.notices, claimed.at, now)
        tried += len(claimed.notices)
    return tried


def _next_numbers(now: datetime) -> Sequence[int]:
    """One due notice of each of some webhooks. One that failed rests first, but a person's test goes out at once.

    The least tried goes first: what a receiver cannot take must not stand before what it can.
    """
    rested = Q(webhook__resume_at=None) | Q(webhook__resume_at__lte=now) | Q(kind=Kind.PING)
    due = Notice.objects.due(now).filter(rested, webhook=OuterRef("pk")).order_by("attempts", "pk")
    hooks = Webhook.objects.filter(is_on=True).annotate(next=Subquery(due.values("pk")[:1]))
    found = hooks.exclude(next=None).order_by("next").values_list("next", flat=True)
    return list(found[:AT_ONCE])


def _send(notices: Sequence[Notice], claimed_at: datetime, now: datetime) -> None:
    deliveries = [to_delivery(notice, now) for notice in notices]
    answers = post_all(deliveries, settings.WEBHOOK_LOOPBACK)
    for notice, answer in zip(notices, answers, strict=True):
        _record(notice, Claim([notice], claimed_at), answer, now)


def to_delivery(notice: Notice, now: datetime) -> Delivery:
    """What is sent: the same body and id at each try, signed anew with the time of the try."""
    assert notice.webhook is not None, "only notices to webhooks are delivered"
    body = json.dumps(to_payload(notice), separators=(",", ":"), sort_keys=True).encode()
    keys = signing_keys(notice.webhook, now)
    return Delivery(notice.webhook.url, body, sign(keys, str(notice.public_id), int(now.timestamp()), body))


def to_payload(notice: Notice) -> dict[str, Any]:
    """The JSON of a delivery: what happened, when, and ids and links to ask the site by."""
    return {
        "type": notice.kind,
        "timestamp": f"{notice.happened_at:%Y-%m-%dT%H:%M:%SZ}",
        "data": {**notice.facts, "url": f"{settings.SITE_URL}{notice.path}"},
    }


def _record(notice: Notice, claimed: Claim, answer: Answer, now: datetime) -> None:
    seen = {"answered": answer.status, "took_ms": answer.took_ms}
    of_notice = Webhook.objects.filter(notices=notice)
    if answer.is_taken:
        end(claimed, State.SENT, now, fault="", **seen)
        of_notice.update(failures=0, resume_at=None)
        return
    fault = answer.fault or f"answered {answer.status}"
    if notice.kind == Kind.PING:
        end(claimed, State.FAILED, now, fault=fault, **seen)
        return
    record_failure(claimed, fault, now, **seen)
    of_notice.update(failures=F("failures") + 1)
    for hook in of_notice.select_related("team"):
        _rest(hook, now)


def _rest(hook: Webhook, now: datetime) -> None:
    """Lets a webhook that failed rest; after too many failures in a row it is off."""
    if hook.failures >= OFF_AFTER:
        switch_off(hook, f"{OFF_AFTER} tries in a row failed", now, is_told=True)
    else:
        Webhook.objects.filter(pk=hook.pk).update(resume_at=now + wait_after(hook.failures))
