"""Regrades: new gradings beside the old, never twice, and never before a team's run."""

from datetime import datetime, timedelta

import pytest
from django.conf import settings

from grading.grade import (
    claim_grading,
    record_verdict,
    request_grading,
    take_unrung,
)
from grading.lease import RING_AGAIN_AFTER, RINGS_AT_ONCE
from grading.models import Blob, Competition, Grading
from grading.regrade import Asked, progress_of, request_regrade, take_unrung_regrades
from grading.verdict import Verdict, fault_verdict
from tests.factories import NOW, make_answers, make_competition

pytestmark = pytest.mark.django_db
RING = ("submissions.tasks.advance", "abc")
SCORED = Verdict("scored", 0.8)


@pytest.fixture
def competition() -> Competition:
    competition = make_competition()
    make_answers(competition)
    return competition


def make_blob(number: int = 1) -> Blob:
    return Blob.objects.create(realm="team", sha256=f"{number:064}", size=3, key=f"csv/x/{number}")


def ask(blob: Blob, competition: Competition, number: int = 1, dry_run: bool = False) -> Asked:
    answers = competition.answers.get(number=number)
    return request_regrade(blob, competition.pk, answers, NOW, dry_run).asked


def finish(grading: Grading, verdict: Verdict) -> None:
    claim = claim_grading(NOW)
    assert claim is not None
    assert claim.grading == grading
    record_verdict(claim, verdict, NOW)


def taken(now: datetime) -> Grading:
    """What a worker takes now."""
    claim = claim_grading(now)
    assert claim is not None
    return claim.grading


def graded(blob: Blob, competition: Competition, verdict: Verdict = SCORED) -> Grading:
    grading = request_grading(blob, competition.pk, RING, NOW)
    finish(grading, verdict)
    return grading


def test_new_answers_make_a_grading_beside_the_old(competition: Competition) -> None:
    blob = make_blob()
    old = graded(blob, competition)
    make_answers(competition)
    assert ask(blob, competition, 2) is Asked.NEW
    new = Grading.objects.get(answers__number=2)
    assert (new.state, new.priority, new.repeat) == ("queued", Grading.Priority.REGRADE, 0)
    old.refresh_from_db()
    assert (old.state, old.score) == ("done", 0.8)


def test_asking_again_makes_nothing(competition: Competition) -> None:
    blob = make_blob()
    assert ask(blob, competition) is Asked.NEW
    assert ask(blob, competition) is Asked.WAITING
    finish(Grading.objects.get(), SCORED)
    assert ask(blob, competition) is Asked.DONE
    assert Grading.objects.count() == 1


@pytest.mark.parametrize(
    ("verdict", "asked"),
    [
        (SCORED, Asked.DONE),
        (Verdict("invalid", code="ids_differ"), Asked.DONE),
        (fault_verdict("machine_fault"), Asked.NEW),
        (Verdict("timed_out"), Asked.NEW),
        (Verdict("out_of_memory"), Asked.NEW),
    ],
)
def test_what_the_machine_ended_is_asked_for_again(
    competition: Competition, verdict: Verdict, asked: Asked
) -> None:
    blob = make_blob()
    graded(blob, competition, verdict)
    assert ask(blob, competition) is asked
    repeats = list(Grading.objects.order_by("repeat").values_list("repeat", flat=True))
    assert repeats == ([0, 1] if asked is Asked.NEW else [0])


def test_without_answers_it_can_be_asked_for_again(db: None) -> None:
    competition, blob = make_competition(), make_blob()
    graded(blob, competition, fault_verdict("answers_not_loaded"))
    for repeat in (1, 2):
        assert request_regrade(blob, competition.pk, None, NOW).asked is Asked.NEW
        finish(Grading.objects.get(repeat=repeat), fault_verdict("answers_not_loaded"))


def test_a_dry_run_writes_nothing(competition: Competition) -> None:
    assert ask(make_blob(), competition, dry_run=True) is Asked.NEW
    assert not Grading.objects.exists()


def test_a_team_that_asks_for_the_same_brings_it_forward(competition: Competition) -> None:
    blob = make_blob()
    ask(blob, competition)
    grading = request_grading(blob, competition.pk, RING, NOW)
    grading.refresh_from_db()
    assert (Grading.objects.count(), grading.priority) == (1, Grading.Priority.TEAM)
    assert grading.rings.count() == 1


def test_a_team_gets_the_last_of_repeated_gradings(competition: Competition) -> None:
    blob = make_blob()
    graded(blob, competition, fault_verdict("machine_fault"))
    ask(blob, competition)
    assert request_grading(blob, competition.pk, RING, NOW).repeat == 1


@pytest.mark.parametrize(
    ("verdict", "repeat"), [(SCORED, 0), (fault_verdict("machine_fault"), 1), (Verdict("timed_out"), 1)]
)
def test_a_bad_day_of_the_machine_does_not_stick_to_the_file(
    competition: Competition, verdict: Verdict, repeat: int
) -> None:
    blob = make_blob()
    graded(blob, competition, verdict)
    assert request_grading(blob, competition.pk, RING, NOW).repeat == repeat
    assert request_grading(blob, competition.pk, RING, NOW).repeat == repeat


def test_a_regrade_is_not_taken_while_a_teams_run_waits(competition: Competition) -> None:
    behind, first = make_blob(1), make_blob(2)
    ask(behind, competition)
    regrade = Grading.objects.get()
    team = request_grading(first, competition.pk, RING, NOW)
    claim = claim_grading(NOW)
    assert claim is not None
    assert claim.grading == team
    # While the team's run is being graded, a free slot may take a regrade.
    assert taken(NOW) == regrade
    assert record_verdict(claim, SCORED, NOW)


def test_a_teams_run_that_was_lost_goes_first_too(competition: Competition) -> None:
    ask(make_blob(1), competition)
    regrade, team = Grading.objects.get(), request_grading(make_blob(2), competition.pk, RING, NOW)
    assert taken(NOW) == team
    later = NOW + settings.GRADING_LEASE + timedelta(seconds=1)
    assert [taken(later), taken(later)] == [team, regrade]


def test_a_teams_run_that_pauses_holds_nobody_up(competition: Competition) -> None:
    ask(make_blob(1), competition)
    regrade = Grading.objects.get()
    team = request_grading(make_blob(2), competition.pk, RING, NOW)
    Grading.objects.filter(pk=team.pk).update(not_before=NOW + timedelta(minutes=1))
    assert taken(NOW) == regrade


def test_whichever_was_rung_a_teams_run_is_taken_first(competition: Competition) -> None:
    for number in range(RINGS_AT_ONCE):
        ask(make_blob(number), competition)
    team = request_grading(make_blob(1000), competition.pk, RING, NOW + timedelta(seconds=1))
    rung = take_unrung(NOW + timedelta(seconds=2))
    assert len(rung) == RINGS_AT_ONCE
    assert taken(NOW + timedelta(seconds=2)) == team


def test_whoever_waits_rings_no_more_than_the_sweep_at_a_time(competition: Competition) -> None:
    for number in range(RINGS_AT_ONCE + 5):
        ask(make_blob(number), competition)
    request_grading(make_blob(1000), competition.pk, RING, NOW)
    first = take_unrung_regrades(NOW)
    assert len(first) == RINGS_AT_ONCE
    assert take_unrung_regrades(NOW) == []
    Grading.objects.filter(priority=Grading.Priority.TEAM).update(not_before=NOW + timedelta(days=1))
    finish(Grading.objects.get(pk=first[0]), SCORED)
    assert len(take_unrung_regrades(NOW)) == 1
    again = take_unrung_regrades(NOW + RING_AGAIN_AFTER + timedelta(seconds=1))
    assert set(first[1:]) < set(again)
    assert len(again) == RINGS_AT_ONCE


def test_progress(competition: Competition) -> None:
    for number in range(3):
        ask(make_blob(number), competition)
    gradings = list(Grading.objects.values_list("pk", flat=True))
    finish(Grading.objects.get(pk=gradings[0]), SCORED)
    state = progress_of(gradings)
    assert (state.total, state.done, state.outcomes, state.is_complete) == (3, 1, {"scored": 1}, False)
    assert progress_of([]).is_complete
