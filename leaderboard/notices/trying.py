"""Claiming notices to send, and writing down how it went.

A claim is a conditional update that pushes the next try into the future: whoever is killed while sending leaves a
notice that is due again after the lease. So one may go out twice, with the same id, and none is lost.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet

from leaderboard.models import Notice
from leaderboard.notices.backoff import ATTEMPTS, wait_after

State = Notice.State
# Longer than the slowest try, so that nobody takes over what is still being sent.
LEASE = timedelta(minutes=2)


@dataclass(frozen=True)
class Claim:
    """The right to send these once. It is recognised by its moment."""

    notices: Sequence[Notice]
    at: datetime

    def held(self) -> QuerySet[Notice]:
        """Its rows, as long as no one else has claimed or ended them."""
        return Notice.objects.filter(
            pk__in=[notice.pk for notice in self.notices], state=State.WAITING, tried_at=self.at
        )


def claim(numbers: QuerySet[Any] | Sequence[int], now: datetime) -> Claim:
    """A claim on those of the notices that are still due, in the order they were written."""
    with transaction.atomic():
        due = Notice.objects.due(now).filter(pk__in=list(numbers)).select_for_update(of=("self",))
        found = list(due.select_related("user", "webhook", "team").order_by("pk"))
        Notice.objects.filter(pk__in=[notice.pk for notice in found]).update(
            attempts=F("attempts") + 1, tried_at=now, next_try_at=now + LEASE
        )
    for notice in found:
        notice.attempts += 1
    return Claim(found, now)


def end(claimed: Claim, state: str, now: datetime, **columns: Any) -> None:
    """Nothing more will be sent of these."""
    claimed.held().update(state=state, ended_at=now, **columns)


def record_failure(claimed: Claim, fault: str, now: datetime, **columns: Any) -> None:
    """They are tried again, later each time; after the last attempt they are given up with the reason."""
    attempts = max((notice.attempts for notice in claimed.notices), default=0)
    if attempts >= ATTEMPTS:
        end(claimed, State.FAILED, now, fault=fault, **columns)
    else:
        claimed.held().update(next_try_at=now + wait_after(attempts), fault=fault, **columns)


def give_up_lost(now: datetime) -> int:
    """Ends notices whose every attempt was lost without a word: they kill their workers. Returns how many."""
    lost = Notice.objects.filter(state=State.WAITING, next_try_at__lte=now, attempts__gte=ATTEMPTS)
    return lost.update(state=State.FAILED, ended_at=now, fault="every attempt was lost")


def delete_old(now: datetime, kept_for: timedelta) -> int:
    """Deletes notices that ended long ago. Returns how many."""
    deleted, _ = Notice.objects.filter(ended_at__lt=now - kept_for).delete()
    return deleted
