"""Edges of likeness: read predictions (on intake's queue), compare them, and ring what was lost."""

import logging

from celery import shared_task
from django.db.models import Q
from django.utils import timezone

from grading.fault_points import fault_point
from grading.rings import ring
from leaderboard.fingerprints import reading
from leaderboard.fingerprints.comparing import compare as compare_submission
from leaderboard.models import Likeness
from submissions.models import Submission

LIKENESS_CLAIMED = fault_point("likeness_claimed")
LIKENESS_READ = fault_point("likeness_read")
LIKENESS_COMPARED = fault_point("likeness_compared")
log = logging.getLogger(__name__)
READ, COMPARE = "leaderboard.fingerprints.tasks.read", "leaderboard.fingerprints.tasks.compare"


@shared_task
def read(public_id: str) -> None:
    """A few seconds' worth of one submission; rings itself while some is left."""
    claim = reading.claim_reading(public_id, timezone.now())
    if claim is None:
        log.info("likeness of %s is read or in other hands", public_id)
        return
    if claim.is_spent:
        reading.give_back(claim, timezone.now())
        return
    LIKENESS_CLAIMED.reach()
    try:
        is_done = reading.read_some(claim, timezone.now())
    except OSError as error:
        log.error("predictions of %s could not be read: %s", public_id, type(error).__name__)
        reading.give_back(claim, timezone.now())
        return
    LIKENESS_READ.reach()
    ring(COMPARE if is_done else READ, public_id)


@shared_task
def compare(public_id: str) -> None:
    submission = Submission.objects.select_related("team").get(public_id=public_id)
    if not compare_submission(submission, timezone.now()):
        log.info("%s is compared already, or not read", public_id)
        return
    LIKENESS_COMPARED.reach()


@shared_task
def sweep() -> None:
    """Takes in what is being graded, and rings what waits to be read or compared."""
    now = timezone.now()
    reading.take_in(reading.ON_RECORD)
    for public_id in reading.take_unrung(now, reading.unread(now)):
        ring(READ, str(public_id))
    for public_id in reading.take_unrung(now, Q(state=Likeness.State.READ)):
        ring(COMPARE, str(public_id))


@shared_task
def take_in_published() -> None:
    """Some of those that were published before predictions were compared."""
    reading.take_in([Submission.Status.PUBLISHED])
