"""Checkpoints are graded last, once, for submissions whose runs are graded, and hold up nothing."""

from datetime import timedelta
from uuid import UUID

import pytest

from grading.grade import claim_grading, request_grading
from grading.lanes import join_lane
from grading.models import Blob, Grading
from grading.regrade import request_regrade
from submissions.checkpoints import find_unasked, start_checkpoints
from submissions.confirm import RING, finish_grading
from submissions.models import Run, Submission
from submissions.tasks import advance, sweep
from tests import factories as make
from tests.factories import NOW, Status

pytestmark = pytest.mark.django_db
SPLITS = {"easy": "low", "hard": "high"}


def submitted(status: str = Status.GRADED, scope: str = "low") -> Submission:
    """One graded run of an easy competition, and checkpoints of that one and of a hard one."""
    submission = make.make_submission(
        benchmark=make.make_benchmark(splits=SPLITS), scope=scope, status=status
    )
    make.make_grading(make.make_run(submission, "s1", "easy"), 0.9)
    for competition, hours in (("easy", 1.0), ("easy", 6.5), ("hard", 1.0)):
        make.make_run(submission, "s1", competition, checkpoint_hours=hours)
    return submission


def asked(submission: Submission) -> set[tuple[str, float | None]]:
    """Competition and hours of every checkpoint that is asked for."""
    runs = submission.runs.exclude(checkpoint_hours=None).exclude(grading=None)
    return set(runs.values_list("competition_id", "checkpoint_hours"))


@pytest.mark.parametrize("status", [Status.GRADED, Status.IN_REVIEW, Status.PUBLISHED])
def test_they_are_asked_for_once_their_runs_are_graded(status: str) -> None:
    submission = submitted(status)
    assert find_unasked() == [submission.public_id]
    found = start_checkpoints(submission, NOW)
    assert asked(submission) == {("easy", 1.0), ("easy", 6.5)}
    assert {grading.priority for grading in Grading.objects.filter(pk__in=found)} == {
        Grading.Priority.CHECKPOINT
    }
    assert start_checkpoints(submission, NOW) == set()
    assert find_unasked() == []


def test_a_wider_scope_has_more_of_them() -> None:
    submission = submitted(scope="all")
    start_checkpoints(submission, NOW)
    assert asked(submission) == {("easy", 1.0), ("easy", 6.5), ("hard", 1.0)}


@pytest.mark.parametrize("status", sorted(set(Status) - {Status.GRADED, Status.IN_REVIEW, Status.PUBLISHED}))
def test_nothing_is_asked_before_or_after_that(status: str) -> None:
    submission = submitted(status)
    assert list(start_checkpoints(submission, NOW)) == []
    assert find_unasked() == []


def test_they_hold_up_nothing() -> None:
    submission = submitted(Status.GRADING)
    assert finish_grading(submission, NOW)
    submission.refresh_from_db()
    assert submission.status == Status.GRADED


def test_the_task_and_the_sweep_ask_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    submission, rung = submitted(Status.GRADING), []
    for module in ("submissions.tasks", "grading.rings"):
        monkeypatch.setattr(f"{module}.ring", lambda task, *words: rung.append((task, *words)))
    advance(str(submission.public_id))
    assert len(asked(submission)) == 2
    assert [task for task, *_ in rung].count("grading.tasks.grade") == 2
    lost, rung[:] = submitted(), []
    sweep()
    assert ("submissions.tasks.advance", str(lost.public_id)) in rung
    assert ("submissions.tasks.advance", str(submission.public_id)) not in rung


def test_every_other_grading_comes_first() -> None:
    submission = submitted()
    late = start_checkpoints(submission, NOW)
    answers = make.make_answers(make.make_competition())
    waiting = [Blob.objects.create(realm="r", sha256=f"{at:064}", size=1, key=str(at)) for at in range(2)]
    team = request_grading(waiting[0], answers.competition_id, (RING, str(UUID(int=1))), NOW)
    request_regrade(waiting[1], answers.competition_id, answers, NOW, False)
    regrade = Grading.objects.get(priority=Grading.Priority.REGRADE)
    claims = [claim_grading(NOW + timedelta(seconds=each)) for each in range(5)]
    assert [claim.grading.pk for claim in claims if claim] == [team.pk, regrade.pk, *sorted(late)]


def test_a_checkpoint_that_is_a_run_elsewhere_too_comes_forward() -> None:
    submission = submitted()
    start_checkpoints(submission, NOW)
    checkpoint = Run.objects.get(submission=submission, checkpoint_hours=6.5)
    again = request_grading(checkpoint.blob, "easy", (RING, str(UUID(int=1))), NOW)
    assert again.pk == checkpoint.grading_id
    again.refresh_from_db()
    assert again.priority == Grading.Priority.TEAM
    last = join_lane("x", Grading.Priority.CHECKPOINT)
    request_grading(checkpoint.blob, "easy", (RING, str(UUID(int=2))), NOW, last)
    again.refresh_from_db()
    assert again.priority == Grading.Priority.TEAM
