"""Edges of the leaderboard: open reviews, and find the graded submissions nobody opened one for."""

import logging

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from grading.rings import ring
from leaderboard import failed_tasks
from leaderboard.integrity import promises
from leaderboard.receipts.checkpoint import ChainContradicted, sign_checkpoint
from leaderboard.receipts.issue import issue_receipts
from leaderboard.receipts.key_store import KeyStoreError
from leaderboard.review import find_graded, open_review
from submissions.models import Submission

log = logging.getLogger(__name__)


@shared_task
def review(public_id: str) -> None:
    submission = Submission.objects.select_related("team__organisation", "benchmark").get(public_id=public_id)
    if not open_review(submission, timezone.now()):
        log.info("%s is in review already, not graded, or its logs are still to be read", public_id)


@shared_task
def sign_receipts() -> None:
    """Signs what was published, or pinned anew, since the last time."""
    try:
        if issued := issue_receipts(settings.SIGNING_DIR, timezone.now()):
            log.info("%d receipts issued", issued)
    except (KeyStoreError, OSError) as error:
        log.error("no receipts can be issued: %s", error)


@shared_task
def sign_chain() -> None:
    """Signs where the chain of decisions ends, if it has grown since the last time."""
    try:
        if checkpoint := sign_checkpoint(settings.SIGNING_DIR, timezone.now()):
            log.info("%s signed", checkpoint)
    except ChainContradicted as error:
        log.critical("the chain of decisions was tampered with, nothing is signed: %s", error)
    except (KeyStoreError, OSError) as error:
        log.error("no checkpoint can be signed: %s", error)


@shared_task
def sweep() -> None:
    """Rings every graded submission that has no review yet."""
    for public_id in find_graded():
        ring("leaderboard.tasks.review", str(public_id))


@shared_task
def tidy_failed_tasks() -> None:
    """Forgets failures that did not come again."""
    log.info("%d failures of tasks forgotten", failed_tasks.forget_old(timezone.now()))


@shared_task
def sweep_promises() -> None:
    """Restates claims whose promise of source has passed its day."""
    if expired := promises.sweep_promises(timezone.now()):
        log.info("%d promises of source have expired", expired)
