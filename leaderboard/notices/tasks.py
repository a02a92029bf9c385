"""Edges of notices: find what nobody was told of, send what is due, forget what is old. Housekeeping runs them."""

import logging
from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from leaderboard.notices.outbox import forget_told, tell_all
from leaderboard.notices.send_mail import send_due_mail
from leaderboard.notices.send_webhooks import send_due_deliveries
from leaderboard.notices.trying import delete_old, give_up_lost

log = logging.getLogger(__name__)
KEPT_FOR = timedelta(days=90)


@shared_task
def tell() -> None:
    """Turns what happened since the last time into notices."""
    if told := tell_all(timezone.now()):
        log.info("%d pieces of news told", told)


@shared_task
def send_mail() -> None:
    if sent := send_due_mail(timezone.now()):
        log.info("%d mails sent", sent)


@shared_task
def send_webhooks() -> None:
    if tried := send_due_deliveries(timezone.now()):
        log.info("%d webhook deliveries tried", tried)


@shared_task
def tidy() -> None:
    """Ends notices that no worker survives, and deletes those that ended three months ago."""
    now = timezone.now()
    log.info("%d notices given up", give_up_lost(now))
    log.info("%d old notices deleted", delete_old(now, KEPT_FOR))
    log.info("%d marks of told news deleted", forget_told(now))
