"""The clock's part of retention. Housekeeping runs it."""

import logging

from celery import shared_task
from django.utils import timezone

from leaderboard.personal.retention import forget_all

log = logging.getLogger(__name__)


@shared_task
def tidy() -> None:
    for name, count in forget_all(timezone.now()).items():
        if count:
            log.info("%d %s are gone", count, name)
