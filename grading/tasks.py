"""Edges of grading: one task grades what waits, one CSV after the other; the sweep rings what was lost."""

import logging
import time

from billiard import current_process
from celery import shared_task
from django.conf import settings
from django.utils import timezone

from grading.execute import execute
from grading.fault_points import fault_point
from grading.grade import (
    GradingClaim,
    claim_grading,
    extend_lease,
    give_back,
    mend_times,
    record_verdict,
    release,
    take_unrung,
)
from grading.host import end_pool, isolated_pool
from grading.laps import Laps
from grading.lease import keep_lease
from grading.models import Ring
from grading.rings import ring
from grading.sandbox.errors import SandboxError
from grading.sandbox.pool import Pool
from grading.stopping import Stopping, is_ending
from grading.vault import VaultError
from grading.verdict import GraderFault, fault_verdict

GRADING_CLAIMED = fault_point("grading_claimed")
RESULT_REACHED = fault_point("result_reached")
RESULT_RECORDED = fault_point("result_recorded")
# After so long the next message is taken, else those that the sweep sends would heap up behind one that never ends.
TURN_S = 2.0
log = logging.getLogger(__name__)


@shared_task
def grade(grading_id: int) -> None:
    """Takes what is next until nothing waits, or its turn is over: a message wakes a worker, and says no more."""
    over = time.monotonic() + TURN_S
    while not is_ending() and _grade_next() and time.monotonic() < over:
        pass


def _grade_next() -> bool:
    """Whether there was anything to grade. The log says what each part of it cost this slot."""
    pool = isolated_pool(timezone.now(), slot=getattr(current_process(), "index", 0))
    laps = Laps()
    claim = claim_grading(timezone.now())
    if claim is None:
        return False
    laps.end("claim")
    GRADING_CLAIMED.reach()
    rings = _grade(claim, pool, laps)
    RESULT_RECORDED.reach()
    for wanted in rings:
        ring(*wanted.message())
    laps.end("record")
    log.info("grading %s: %s", claim.grading.pk, laps)
    return True


def _grade(claim: GradingClaim, pool: Pool, laps: Laps) -> list[Ring]:
    if claim.is_spent:
        return record_verdict(claim, fault_verdict("workers_lost"), timezone.now())
    try:
        with keep_lease(lambda: extend_lease(claim, timezone.now()), settings.GRADING_LEASE):
            verdict = execute(claim.grading, pool)
            RESULT_REACHED.reach()
    except (SandboxError, GraderFault, VaultError, OSError) as error:
        log.error("grading %s failed: %s: %s", claim.grading.pk, type(error).__name__, error)
        if isinstance(error, SandboxError):
            end_pool()  # The next one asks the canary first.
        return give_back(claim, fault_verdict("machine_fault"), timezone.now())
    except Stopping:
        log.info("grading %s is given back: this worker ends", claim.grading.pk)
        release(claim, timezone.now())
        return []
    finally:
        laps.end("run")
    return record_verdict(claim, verdict, timezone.now())


@shared_task
def sweep() -> None:
    """Rings some of the gradings that are due and that nobody holds."""
    mend_times(timezone.now())
    for grading_id in take_unrung(timezone.now()):
        ring("grading.tasks.grade", grading_id)
