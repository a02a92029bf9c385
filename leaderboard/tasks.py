"""Edges of the leaderboard: open reviews, and find the graded submissions nobody opened one for."""

import logging

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from grading.rings import ring
from leaderboard.receipts.issue import issue_receipts
from leaderboard.receipts.key_store import KeyStoreError
from leaderboard.review import find_graded, open_review
from submissions.models import Submission

log = logging.getLogger(__name__)


@shared_task
def review(public_id: str) -> None:
    submission = Submission.objects.select_related("team__organisation", "benchmark").get(public_id=public_id)
    if not open_review(submission, timezone.now()):
        log.info("%s is in review already, or not graded", public_id)


@shared_task
def sign_receipts() -> None:
    """Signs what was published, or pinned anew, since the last time."""
    try:
        if issued := issue_receipts(settings.SIGNING_DIR, timezone.now()):
            log.info("%d receipts issued", issued)
    except (KeyStoreError, OSError) as error:
        log.error("no receipts can be issued: %s", error)


@shared_task
def sweep() -> None:
    """Rings every graded submission that has no review yet."""
    for public_id in find_graded():
        ring("leaderboard.tasks.review", str(public_id))
