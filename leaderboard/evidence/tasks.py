"""Edges of the reading of logs and code: one task reads one submission, the sweep rings what was lost."""

import logging
from datetime import datetime

from celery import shared_task
from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.utils import timezone
from django.utils.module_loading import import_string

from grading.fault_points import fault_point
from grading.lease import keep_lease
from grading.rings import ring
from grading.stopping import Stopping
from leaderboard.evidence import stage
from leaderboard.evidence.execute import read_evidence
from submissions.models import Submission

READING_CLAIMED = fault_point("reading_claimed")
EVIDENCE_READ = fault_point("evidence_read")
EVIDENCE_RECORDED = fault_point("evidence_recorded")
READING_FINISHED = fault_point("reading_finished")
# The store's or the database's trouble, and not that of the files.
PASSING = (OSError, OperationalError, InterfaceError)
log = logging.getLogger(__name__)


@shared_task
def read(public_id: str) -> None:
    submission = Submission.objects.get(public_id=public_id)
    stage.request_reading(submission, timezone.now())
    claim = stage.claim_reading(public_id, timezone.now())
    if claim is None:
        log.info("%s holds no logs or code, or they are read or in other hands", public_id)
        return
    if claim.is_spent:
        stage.give_up(claim, timezone.now())
    else:
        _read(claim)
    _go_on(public_id)


def _read(claim: stage.ReadingClaim) -> None:
    try:
        with keep_lease(lambda: stage.extend_reading(claim, timezone.now()), settings.EVIDENCE_LEASE):
            READING_CLAIMED.reach()
            _read_patterns(claim)
            _further(claim.submission, timezone.now())
    except Exception:  # Whatever a stranger's file brings about: the review must not wait for ever.
        log.exception("the evidence of %s could not be read", claim.submission.public_id)
        stage.give_back(claim, timezone.now())
        return
    except Stopping:
        log.info("the evidence of %s is given back: this worker ends", claim.submission.public_id)
        stage.release(claim, timezone.now())
        return
    stage.finish_reading(claim, timezone.now())
    READING_FINISHED.reach()


def _read_patterns(claim: stage.ReadingClaim) -> None:
    """Once: an attempt that was lost later has left its facts."""
    if not claim.reading.facts:
        found = read_evidence(claim.submission)
        EVIDENCE_READ.reach()
        stage.record_facts(claim, found.facts(), found.lines)
        EVIDENCE_RECORDED.reach()


def _further(submission: Submission, now: datetime) -> None:
    """What else reads the same files, each on its own: one that fails keeps none of the others from running.

    Raises the last of PASSING, after all of them: another attempt may go well.
    """
    passing: Exception | None = None
    for name in settings.EVIDENCE_STAGES:
        try:
            import_string(name)(submission, now)
        except PASSING as error:
            log.error("%s failed on %s: %s", name, submission.public_id, type(error).__name__)
            passing = error
        except Exception:
            log.exception("%s failed on %s", name, submission.public_id)
    if passing:
        raise passing


def _go_on(public_id: str) -> None:
    """The review, where all runs were graded before this was done."""
    graded = Submission.objects.filter(public_id=public_id, status=Submission.Status.GRADED)
    if stage.not_awaited(graded).exists():
        ring(settings.GRADED_TASK, public_id)


@shared_task
def sweep() -> None:
    """Rings some of the readings that are due and that nobody holds."""
    stage.mend_times(timezone.now())
    for public_id in stage.take_unrung(timezone.now()):
        ring("leaderboard.evidence.tasks.read", public_id)
