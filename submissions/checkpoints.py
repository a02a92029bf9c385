"""Grading of checkpoints: what a run would have handed in earlier. Graded last, never ranked, waited for by nobody."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from grading.grade import request_grading
from grading.lanes import join_lane
from grading.models import Grading, GradingLane, Membership
from grading.splits import Split
from submissions.confirm import RING, scope_competitions
from submissions.models import Run, Submission

Status = Submission.Status
# The runs themselves are graded, and nothing was called off.
AFTER = (Status.GRADED, Status.IN_REVIEW, Status.PUBLISHED)


def start_checkpoints(submission: Submission, now: datetime) -> Collection[int]:
    """Ids of the gradings it asked for now: those that were not asked for yet, however often it is called."""
    if submission.status not in AFTER:
        return []
    unasked = checkpoints_of(submission).filter(grading=None).select_related("blob")
    if not unasked:
        return set()
    lane = join_lane(submission.team.organisation.lane, Grading.Priority.CHECKPOINT)
    return {_request(run, submission, lane, now) for run in unasked}


def _request(run: Run, submission: Submission, lane: GradingLane, now: datetime) -> int:
    ring = (RING, str(submission.public_id))
    grading = request_grading(run.blob, run.competition_id, ring, now, lane)
    Run.objects.filter(pk=run.pk, grading=None).update(grading=grading)
    return grading.pk


def checkpoints_of(submission: Submission) -> QuerySet[Run]:
    """Those of the competitions it was submitted for."""
    competitions = scope_competitions(submission.benchmark_id, Split(submission.scope))
    return submission.runs.filter(competition_id__in=competitions).exclude(checkpoint_hours=None)


def find_unasked() -> list[UUID]:
    """Public ids of submissions with checkpoints that nobody asked for, since a worker was killed."""
    members = Membership.objects.filter(
        benchmark=OuterRef("submission__benchmark"), competition=OuterRef("competition")
    )
    parts = [split.value for split in Split.ALL.members]
    in_scope = Q(Exists(members.filter(split=OuterRef("submission__scope")))) | Q(
        Exists(members.filter(split__in=parts)), submission__scope=Split.ALL.value
    )
    waiting = Run.objects.filter(in_scope, grading=None, submission__status__in=AFTER)
    found = waiting.exclude(checkpoint_hours=None).order_by("submission")
    return list(found.values_list("submission__public_id", flat=True).distinct())
