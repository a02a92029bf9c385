"""Edges of validity checks: one task checks one file, the sweep rings what was lost, tidying forgets."""

import logging

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from grading.lease import keep_lease
from grading.rings import ring
from grading.sandbox.errors import SandboxError
from grading.stopping import Stopping
from grading.verdict import GraderFault
from submissions.validity import stage
from submissions.validity.execute import execute, work_folder
from submissions.validity.host import require_isolation

log = logging.getLogger(__name__)


@shared_task
def check(public_id: str) -> None:
    require_isolation(timezone.now())
    claim = stage.claim_check(public_id, timezone.now())
    if claim is None:
        log.info("validity check %s is done or in other hands", public_id)
        return
    if claim.is_spent:
        stage.record_found(claim, stage.FAULT, timezone.now())
        return
    try:
        with keep_lease(lambda: stage.extend_check(claim, timezone.now()), settings.VALIDITY_LEASE):
            found = execute(claim.check)
    except (SandboxError, GraderFault, OSError) as error:
        log.error("validity check %s failed: %s: %s", public_id, type(error).__name__, error)
        stage.give_back(claim, timezone.now())
        return
    except Stopping:
        log.info("validity check %s is given back: this worker ends", public_id)
        stage.release(claim, timezone.now())
        return
    stage.record_found(claim, found, timezone.now())


@shared_task
def sweep() -> None:
    """Rings some of the checks that are due and that nobody holds."""
    stage.mend_times(timezone.now())
    for public_id in stage.take_unrung(timezone.now()):
        ring("submissions.validity.tasks.check", public_id)


@shared_task
def tidy() -> None:
    """Deletes files after an hour and rows after a week."""
    now = timezone.now()
    log.info("%d files of validity checks deleted", stage.give_up_old(now))
    log.info("%d stray files deleted", stage.delete_stray_uploads(now) + stage.delete_strays(work_folder()))
    log.info("%d validity checks forgotten", stage.forget_old(now))
