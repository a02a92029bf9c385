"""The clock's part of the audit log: nothing is kept for ever."""

import logging

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from leaderboard.audit.record import forget_before

log = logging.getLogger(__name__)


@shared_task
def tidy() -> None:
    if forgotten := forget_before(timezone.now() - settings.AUDIT_RETENTION):
        log.info("%d lines of the audit log were kept long enough and are gone", forgotten)
