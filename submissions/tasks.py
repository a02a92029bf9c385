"""Edges of submissions: check a bundle, start and advance its grading, and sweep up what was lost."""

import logging

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from grading.lease import keep_lease
from grading.rings import ring, ring_graders
from grading.stopping import Stopping
from submissions import uploads
from submissions.checkpoints import find_unasked, start_checkpoints
from submissions.closing import release_held
from submissions.confirm import find_unfinished, finish_grading, start_grading
from submissions.intake import (
    CheckLost,
    check_bundle,
    claim_check,
    extend_check,
    find_unchecked,
    give_up_check,
    mend_times,
    release,
)
from submissions.models import Submission
from submissions.orphans import delete_lost_spools, delete_old_copies, delete_orphans
from submissions.states import StatusConflict

log = logging.getLogger(__name__)


@shared_task
def check(public_id: str) -> None:
    claim = claim_check(Submission.objects.get(public_id=public_id), timezone.now())
    if claim is None:
        log.info("bundle of %s is checked or in other hands", public_id)
        return
    if claim.is_spent:
        give_up_check(claim, timezone.now())
        return
    try:
        with keep_lease(lambda: extend_check(claim, timezone.now()), settings.INTAKE_LEASE):
            check_bundle(claim, timezone.now())
    except (CheckLost, StatusConflict):
        log.warning("bundle of %s was taken over", public_id)
    except OSError as error:
        log.error("bundle of %s could not be read: %s", public_id, error)
        give_up_check(claim, timezone.now())
    except Stopping:
        log.info("bundle of %s is given back: this worker ends", public_id)
        release(claim, timezone.now())


@shared_task
def advance(public_id: str) -> None:
    """Takes a confirmed submission as far as it can go now. Safe to ring at any time, any number of times."""
    submission = Submission.objects.select_related("team__organisation").get(public_id=public_id)
    if submission.status == Submission.Status.QUEUED:
        for task in settings.CONFIRMED_TASKS:
            ring(task, public_id)
    try:
        ring_graders(start_grading(submission, timezone.now()))
    except StatusConflict:
        log.info("%s moved on meanwhile", public_id)
        return
    if finish_grading(submission, timezone.now()):
        ring(settings.GRADED_TASK, public_id)
    ring_graders(start_checkpoints(submission, timezone.now()))


@shared_task
def sweep() -> None:
    """Rings what is received, lost by a killed worker, confirmed or held, or graded without anybody having noticed."""
    mend_times(timezone.now())
    for public_id in find_unchecked(timezone.now()):
        ring("submissions.tasks.check", str(public_id))
    release_held(timezone.now())
    for public_id in (*find_unfinished(), *find_unasked()):
        ring("submissions.tasks.advance", str(public_id))


@shared_task
def tidy_intake() -> None:
    """Deletes what checks that were killed or rejected have left behind in folders; intake alone may write there."""
    log.info("%d folders of lost checks deleted", delete_lost_spools())
    log.info("%d copies of killed processes deleted", delete_old_copies())
    log.info("%d files that no row names deleted", delete_orphans(in_buckets=False))


@shared_task
def tidy() -> None:
    """Gives up unfinished uploads and deletes bundles that were kept as long as we said."""
    now = timezone.now()
    log.info("%d uploads given up", uploads.abandon_expired(now))
    log.info("%d old bundles deleted", uploads.delete_old_bundles(now))
    log.info("%d stray uploads ended in the store", uploads.abort_strays(now))
    log.info("%d objects that no row names deleted", delete_orphans(in_buckets=True))
