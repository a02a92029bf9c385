"""From the team's confirmation to the last grading."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from grading.fault_points import fault_point
from grading.grade import request_grading
from grading.lanes import join_lane
from grading.models import Grading, GradingLane, Membership
from grading.splits import Split
from submissions.cards import latest_card
from submissions.closing import current_closure
from submissions.models import Run, Submission, User
from submissions.quotas import QuotaSpent, refund_quota, take_quota
from submissions.resubmission import Replaces, columns_of, find_fault
from submissions.seeds import find_collisions, seed_map
from submissions.states import StatusConflict, move, record_event

Status = Submission.Status
CONFIRMATION_WRITTEN = fault_point("confirmation_written")
CONFIRMED = fault_point("confirmed")
SUBMISSION_STARTED = fault_point("submission_started")
GRADING_ASKED = fault_point("grading_asked")
GRADING_FINISHED = fault_point("grading_finished")
RING = "submissions.tasks.advance"


class NotConfirmed(Exception):
    """Shown to the team: what stands in the way, each as code, where, message."""

    def __init__(self, problems: list[dict[str, str]]) -> None:
        super().__init__("; ".join(problem["message"] for problem in problems))
        self.problems = problems


@dataclass(frozen=True)
class Confirmation:
    """What the team says when it confirms: the scope, who attests, and which revision of the card they saw.

    `replaces`: None leaves it as it was said at upload.
    """

    scope: Split
    attested_name: str
    revision: int
    replaces: Replaces | None = None


def scope_competitions(benchmark_id: int, scope: Split) -> frozenset[str]:
    """Ids of the competitions a scope covers."""
    members = Membership.objects.filter(benchmark_id=benchmark_id, split__in=[s.value for s in scope.members])
    return frozenset(members.values_list("competition_id", flat=True))


def possible_scopes(benchmark_id: int) -> list[Split]:
    """The scopes a submission can claim: each split with members, and `all` where it has any."""
    stored = set(
        Membership.objects.filter(benchmark_id=benchmark_id).values_list("split", flat=True).distinct()
    )
    return [scope for scope in Split if stored & {split.value for split in scope.members}]


def confirm(submission: Submission, user: User, said: Confirmation, now: datetime) -> None:
    """Fixes scope and run card and queues the submission. Saying it twice is the same as once."""
    if submission.confirmed_at is not None:
        return
    card = latest_card(submission)
    problems = _problems(submission, said, card.number if card else 0)
    if problems:
        raise NotConfirmed(problems)
    assert card is not None
    try:
        with transaction.atomic():
            held_at = now if current_closure() else None
            move(
                submission,
                Status.QUEUED,
                at=now,
                actor=user,
                detail={"scope": said.scope.value, "run_card": card.number},
                scope=said.scope.value,
                confirmed_at=now,
                confirmed_by=user,
                confirmed_revision=card,
                attested_name=said.attested_name.strip(),
                held_at=held_at,
                **columns_of(_replaces(submission, said)),
            )
            take_quota(submission, now)
            if held_at:
                record_event(submission, "held", at=now)
            CONFIRMATION_WRITTEN.reach()
        CONFIRMED.reach()
    except QuotaSpent as error:
        submission.refresh_from_db()
        raise NotConfirmed([_problem("quota_spent", "organisation", str(error))]) from error
    except StatusConflict as error:
        submission.refresh_from_db()
        if submission.confirmed_at is None:
            raise NotConfirmed(
                [_problem("not_awaiting", "status", f"It is {submission.get_status_display()}.")]
            ) from error


def _replaces(submission: Submission, said: Confirmation) -> Replaces:
    return said.replaces or Replaces(submission.supersedes, submission.what_changed)


def _problems(submission: Submission, said: Confirmation, newest: int) -> list[dict[str, str]]:
    problems = []
    if said.revision != newest or not newest:
        problems.append(
            _problem("stale_card", "run card", "The run card was changed meanwhile. Look at it again.")
        )
    if collisions := _collisions(submission):
        problems += [
            _problem("seed_collision", "run card: seeds.run_groups", sentence) for sentence in collisions
        ]
    if not said.attested_name.strip():
        problems.append(_problem("no_name", "your name", "Give the name of the person who attests this."))
    if fault := find_fault(submission, _replaces(submission, said)):
        problems.append(_problem(*fault))
    if said.scope not in possible_scopes(submission.benchmark_id):
        problems.append(
            _problem("no_such_scope", "scope", "This benchmark has no competitions in that scope.")
        )
    elif not runs_in_scope(submission, said.scope).exists():
        problems.append(_problem("nothing_in_scope", "scope", "The bundle holds no run of this scope."))
    return problems


def _collisions(submission: Submission) -> list[str]:
    card = latest_card(submission)
    places = submission.runs.values_list("folder", "competition_id", "checkpoint_hours")
    return find_collisions(places, seed_map(card.document)) if card else []


def _problem(code: str, where: str, message: str) -> dict[str, str]:
    return {"code": code, "where": where, "message": message}


def runs_in_scope(submission: Submission, scope: Split) -> QuerySet[Run]:
    """The ranked runs of the scope, without checkpoints."""
    competitions = scope_competitions(submission.benchmark_id, scope)
    return submission.runs.filter(checkpoint_hours=None, competition_id__in=competitions)


def start_grading(submission: Submission, now: datetime) -> Collection[int]:
    """Ids of the gradings it asked for now: those that were not asked for yet, however often it is called.

    Nothing is graded while the organisation is unverified or the submission is held.
    """
    if submission.status == Status.QUEUED:
        if submission.held_at or not submission.team.organisation.is_verified:
            return []
        move(submission, Status.GRADING, at=now)
        SUBMISSION_STARTED.reach()
    if submission.status != Status.GRADING:
        return []
    unasked = runs_in_scope(submission, Split(submission.scope)).filter(grading=None).select_related("blob")
    if not unasked:
        return []
    lane = join_lane(submission.team.organisation.lane, Grading.Priority.TEAM)
    return {_request(run, submission, lane, now).pk for run in unasked}


def _request(run: Run, submission: Submission, lane: GradingLane, now: datetime) -> Grading:
    grading = request_grading(run.blob, run.competition_id, (RING, str(submission.public_id)), now, lane)
    Run.objects.filter(pk=run.pk, grading=None).update(grading=grading)
    GRADING_ASKED.reach()
    return grading


def finish_grading(submission: Submission, now: datetime) -> bool:
    """Whether the submission left `grading` now: every run of its scope has an outcome."""
    if submission.status != Status.GRADING:
        return False
    runs = runs_in_scope(submission, Split(submission.scope))
    if runs.filter(Q(grading=None) | ~Q(grading__state=Grading.State.DONE)).exists():
        return False
    ours = Q(grading__outcome=Grading.Outcome.GRADER_ERROR)
    after = Status.GRADED if runs.exclude(ours).exists() else Status.GRADING_FAILED
    try:
        with transaction.atomic():
            move(submission, after, at=now)
            if after == Status.GRADING_FAILED:
                refund_quota(submission, now)
    except StatusConflict:
        return False
    GRADING_FINISHED.reach()
    return True


def find_unfinished() -> list[UUID]:
    """Public ids of submissions that can go on: confirmed and free to be graded, or being graded."""
    ready = Q(status=Status.QUEUED, held_at=None, team__organisation__verified_at__isnull=False)
    # In the order of confirmation, which is that of the queue.
    found = Submission.objects.filter(ready | Q(status=Status.GRADING)).order_by("confirmed_at", "pk")
    return list(found.values_list("public_id", flat=True))
