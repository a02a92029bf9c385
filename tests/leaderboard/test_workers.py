"""Who is heard and who is not, as the status page says it; and what a worker that ends gives back."""

import os
import signal
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone

from grading import stopping
from grading.grade import claim_grading, release, request_grading
from grading.grade import mend_times as mend_gradings
from grading.lease import CLOCKS_APART, keep_lease
from grading.models import Blob, Grading
from grading.stopping import Stopping, stoppable
from leaderboard import heartbeat
from leaderboard.failed_tasks import record_failure
from leaderboard.heartbeat import KINDS, SILENT_AFTER, kinds_heard, say
from leaderboard.models import Heartbeat
from submissions import intake
from submissions.models import Submission
from tests.factories import NOW, make_answers, make_competition, make_submission

SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("ago", "heard", "silent"), [(0 * SECOND, 1, 0), (SILENT_AFTER, 1, 0), (SILENT_AFTER + SECOND, 0, 1)]
)
def test_a_worker_is_heard_for_a_minute(ago: timedelta, heard: int, silent: int) -> None:
    say("intake", "host", NOW, NOW - ago)
    state = next(state for state in kinds_heard(NOW) if state.name == "intake")
    assert (state.heard, state.silent, state.is_well) == (heard, silent, bool(heard))
    assert state.last_heard_at == NOW - ago


@pytest.mark.django_db
def test_the_same_worker_is_one_row_however_often_it_speaks() -> None:
    for second in range(3):
        say("intake", "host", NOW, NOW + second * SECOND)
    assert Heartbeat.objects.get().heard_at == NOW + 2 * SECOND


@pytest.mark.django_db
def test_every_kind_is_named_though_none_was_ever_heard() -> None:
    assert [state.name for state in kinds_heard(NOW)] == list(KINDS)
    assert not any(state.is_well for state in kinds_heard(NOW))


@pytest.mark.django_db
def test_the_status_page_says_who_is_not_heard_and_what_is_parked(client: Client) -> None:
    now = timezone.now()
    say("intake", "host", now, now)
    say("grading", "host", now, now - HOUR)
    record_failure("leaderboard.tasks.review", "abc", "ValueError", now, is_hopeless=True)
    page = client.get("/status/").content.decode()
    assert "1 task parked" in page
    assert "ValueError" not in page
    rows = {row.split("</th>")[0]: row for row in page.split('<th scope="row">')[1:]}
    assert "1 now" in rows["intake"]
    assert "not heard" in rows["grading"]
    assert "none heard" in rows["evidence"]


@pytest.mark.django_db
def test_a_worker_that_ends_in_good_order_is_missed_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    say("intake", "host", NOW, NOW)
    monkeypatch.setattr(heartbeat, "_name", ("intake", "host"))
    monkeypatch.setattr(heartbeat, "_done", SimpleNamespace(set=lambda: None))
    heartbeat._end()
    assert not Heartbeat.objects.exists()


def test_a_database_that_is_away_ends_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    said = []

    def fail(*_: object) -> None:
        said.append(1)
        raise DatabaseError

    done = SimpleNamespace(is_set=lambda: len(said) > 1, wait=lambda _: None)
    monkeypatch.setattr(heartbeat, "say", fail)
    monkeypatch.setattr(heartbeat, "_done", done)
    monkeypatch.setattr(heartbeat.connection, "close", lambda: None)
    heartbeat._beat("intake", "host")
    assert len(said) == 2


@pytest.fixture
def listening() -> object:
    before = signal.getsignal(stopping.STOP)
    stopping.listen()
    yield
    signal.signal(stopping.STOP, before)


def ask() -> None:
    os.kill(os.getpid(), stopping.STOP)
    time.sleep(0.01)


def test_only_work_that_may_stop_is_stopped(listening: object) -> None:
    ask()
    with pytest.raises(Stopping), stoppable():
        ask()
    ask()


def test_what_holds_a_lease_may_stop(listening: object) -> None:
    with pytest.raises(Stopping), keep_lease(lambda: True, HOUR):
        ask()


@pytest.fixture
def grading() -> Grading:
    competition = make_competition()
    make_answers(competition)
    blob = Blob.objects.create(realm="team", sha256="a" * 64, size=3, key="csv/x/a")
    return request_grading(blob, competition.pk, ("submissions.tasks.advance", "abc"), NOW)


@pytest.mark.django_db
def test_a_grading_given_back_is_free_at_once_and_counts_as_no_attempt(grading: Grading) -> None:
    claim = claim_grading(NOW)
    assert claim
    release(claim, NOW)
    grading.refresh_from_db()
    assert (grading.state, grading.attempts, grading.lease_until) == ("queued", 0, None)
    assert claim_grading(NOW)


@pytest.mark.django_db
def test_who_lost_the_claim_gives_nothing_back(grading: Grading) -> None:
    first = claim_grading(NOW)
    later = NOW + HOUR
    assert first
    assert claim_grading(later)
    release(first, later)
    grading.refresh_from_db()
    assert (grading.state, grading.attempts) == ("running", 2)


@pytest.mark.django_db
@pytest.mark.parametrize(("back", "is_mended"), [(HOUR, True), (CLOCKS_APART / 2, False)])
def test_a_lease_from_before_the_clock_was_put_back_ends(
    grading: Grading, back: timedelta, is_mended: bool
) -> None:
    assert claim_grading(NOW)
    now = NOW - back
    mend_gradings(now)
    assert bool(claim_grading(now + SECOND)) == is_mended


@pytest.mark.django_db
def test_a_pause_from_before_the_clock_was_put_back_ends(grading: Grading) -> None:
    now = NOW - HOUR
    assert claim_grading(now) is None
    mend_gradings(now)
    assert claim_grading(now)


@pytest.fixture
def bundle() -> Submission:
    return make_submission(status=Submission.Status.RECEIVED)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("mend", "now"),
    [(lambda now: intake.mend_times(now), NOW - HOUR), (lambda now: None, NOW + HOUR)],
)
def test_a_check_is_found_again_whichever_way_the_clock_went(
    bundle: Submission, mend: Callable[[datetime], None], now: datetime
) -> None:
    assert intake.claim_check(bundle, NOW)
    mend(now)
    assert intake.find_unchecked(now + SECOND) == [bundle.public_id]


@pytest.mark.django_db
def test_a_check_given_back_is_free_at_once_and_counts_as_no_attempt(bundle: Submission) -> None:
    claim = intake.claim_check(bundle, NOW)
    assert claim
    intake.release(claim, NOW)
    bundle.refresh_from_db()
    assert bundle.attempts == 0
    assert intake.find_unchecked(NOW + SECOND) == [bundle.public_id]
