"""The queue's truth: claims, leases, fencing, retries. Delivered twice, killed anywhere, graded once."""

from datetime import datetime, timedelta

import pytest
from django.conf import settings

from grading.grade import (
    claim_grading,
    extend_lease,
    give_back,
    record_verdict,
    request_grading,
    take_unrung,
)
from grading.lease import RING_AGAIN_AFTER, RINGS_AT_ONCE
from grading.models import Blob, Grading, Ring
from grading.verdict import Verdict, fault_verdict
from tests.factories import NOW, make_answers, make_competition

pytestmark = pytest.mark.django_db
RING = ("submissions.tasks.advance", "abc")
SCORED = Verdict("scored", 0.8, wall_s=0.1, peak_memory_mb=60.0)


def due(now: datetime) -> list[int]:
    """What a worker could take now."""
    return list(Grading.objects.claimable(now).values_list("pk", flat=True))


@pytest.fixture
def grading() -> Grading:
    competition = make_competition()
    make_answers(competition)
    blob = Blob.objects.create(realm="team", sha256="a" * 64, size=3, key="csv/x/a")
    return request_grading(blob, competition.pk, RING, NOW)


def test_asking_twice_makes_one_grading(grading: Grading) -> None:
    again = request_grading(grading.blob, grading.competition_id, RING, NOW)
    other = request_grading(grading.blob, grading.competition_id, (RING[0], "def"), NOW)
    assert grading == again == other
    assert Ring.objects.filter(grading=grading).count() == 2


def test_new_answers_make_a_new_grading(grading: Grading) -> None:
    make_answers(grading.competition)
    assert request_grading(grading.blob, grading.competition_id, RING, NOW) != grading


def test_without_answers_it_is_still_one(grading: Grading) -> None:
    competition = make_competition()
    first, second = (request_grading(grading.blob, competition.pk, RING, NOW) for _ in range(2))
    assert first == second
    assert first.answers is None


def test_one_claim_at_a_time(grading: Grading) -> None:
    assert claim_grading(NOW) is not None
    assert claim_grading(NOW) is None
    assert due(NOW) == []


def test_verdict_is_recorded_once(grading: Grading) -> None:
    claim = claim_grading(NOW)
    assert claim is not None
    assert [str(ring) for ring in record_verdict(claim, SCORED, NOW)] == ["submissions.tasks.advance(abc)"]
    assert record_verdict(claim, Verdict("scored", 0.9), NOW) == []
    assert claim_grading(NOW + timedelta(days=1)) is None
    grading.refresh_from_db()
    assert (grading.state, grading.outcome, grading.score) == ("done", "scored", 0.8)


def test_killed_worker_is_replaced_and_its_late_result_dropped(grading: Grading) -> None:
    lost = claim_grading(NOW)
    later = NOW + settings.GRADING_LEASE + timedelta(seconds=1)
    assert due(later) == [grading.pk]
    taken = claim_grading(later)
    assert lost is not None
    assert taken is not None
    assert not extend_lease(lost, later)
    assert record_verdict(lost, Verdict("scored", 0.1), later) == []
    assert record_verdict(taken, SCORED, later)
    grading.refresh_from_db()
    assert (grading.score, grading.attempts, grading.fencing_token) == (0.8, 2, 2)


def test_extended_lease_keeps_others_away(grading: Grading) -> None:
    claim = claim_grading(NOW)
    assert claim is not None
    half = NOW + settings.GRADING_LEASE / 2
    assert extend_lease(claim, half)
    assert claim_grading(NOW + settings.GRADING_LEASE + timedelta(seconds=1)) is None


def test_our_fault_is_tried_again_after_a_pause_and_then_reported(grading: Grading) -> None:
    now = NOW
    for attempt in range(1, settings.GRADING_ATTEMPTS + 1):
        assert due(now) == [grading.pk], attempt
        claim = claim_grading(now)
        assert claim is not None
        rings = give_back(claim, fault_verdict("machine_fault"), now)
        assert bool(rings) == (attempt == settings.GRADING_ATTEMPTS)
        assert due(now) == []
        now += timedelta(minutes=5)
    grading.refresh_from_db()
    assert (grading.state, grading.outcome, grading.code) == ("done", "grader_error", "machine_fault")


def test_a_file_that_kills_its_workers_is_parked(grading: Grading) -> None:
    now = NOW
    for _ in range(settings.GRADING_ATTEMPTS):
        claim = claim_grading(now)
        assert claim is not None
        assert not claim.is_spent
        now += settings.GRADING_LEASE + timedelta(seconds=1)
    last = claim_grading(now)
    assert last is not None
    assert last.is_spent


def test_the_sweep_rings_once_in_a_while_and_at_once_for_what_was_given_back(grading: Grading) -> None:
    assert take_unrung(NOW) == [grading.pk]
    assert take_unrung(NOW + RING_AGAIN_AFTER) == []
    later = NOW + RING_AGAIN_AFTER + timedelta(seconds=1)
    assert take_unrung(later) == [grading.pk]
    claim = claim_grading(later)
    assert claim is not None
    assert take_unrung(later + RING_AGAIN_AFTER + timedelta(seconds=1)) == []
    give_back(claim, fault_verdict("machine_fault"), later)
    assert take_unrung(later + timedelta(seconds=2)) == [grading.pk]


def test_the_sweep_rings_a_few_at_a_time(grading: Grading) -> None:
    for number in range(RINGS_AT_ONCE):
        blob = Blob.objects.create(realm="team", sha256=f"{number:064}", size=3, key=f"csv/x/{number}")
        request_grading(blob, grading.competition_id, RING, NOW)
    assert len(take_unrung(NOW)) == RINGS_AT_ONCE
    assert len(take_unrung(NOW)) == 1
