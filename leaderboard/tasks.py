"""Edges of the leaderboard: open reviews, and find the graded submissions nobody opened one for."""

import logging

from celery import shared_task
from django.utils import timezone

from grading.rings import ring
from leaderboard.review import open_review
from submissions.models import Submission

log = logging.getLogger(__name__)


@shared_task
def review(public_id: str) -> None:
    submission = Submission.objects.select_related("team__organisation", "benchmark").get(public_id=public_id)
    if not open_review(submission, timezone.now()):
        log.info("%s is in review already, or not graded", public_id)


@shared_task
def sweep() -> None:
    """Rings every graded submission: its ring was lost, or the worker was killed on the way."""
    graded = Submission.objects.filter(status=Submission.Status.GRADED)
    for public_id in graded.values_list("public_id", flat=True):
        ring("leaderboard.tasks.review", str(public_id))
