"""Quotas: counted per organisation and period, once per submission, and given back when the fault was ours."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from grading.models import Grading
from grading.splits import Split
from submissions.confirm import Confirmation, NotConfirmed, confirm, finish_grading
from submissions.models import Organisation, QuotaPeriod, QuotaUse, Submission
from submissions.quotas import QuotaSpent, allowance_of, period_around, refund_quota, take_quota
from tests.factories import NOW, make_benchmark, make_organisation, make_run, make_submission, make_team

WEEK = timedelta(days=7)


@pytest.mark.parametrize(
    ("now", "days", "begin"),
    [
        ("2026-05-01T12:00", 7, "2026-04-27"),  # a Friday: the week began on Monday
        ("2026-04-27T00:00", 7, "2026-04-27"),
        ("2026-04-26T23:59", 7, "2026-04-20"),
        ("2026-05-01T12:00", 1, "2026-05-01"),
        ("2023-12-31T12:00", 7, "2023-12-25"),  # before the first one
    ],
)
def test_a_period_holds_its_moment(now: str, days: int, begin: str) -> None:
    moment = datetime.fromisoformat(now).replace(tzinfo=UTC)
    starts_at, ends_at = period_around(moment, timedelta(days=days))
    assert starts_at == datetime.fromisoformat(begin).replace(tzinfo=UTC)
    assert starts_at <= moment < ends_at == starts_at + timedelta(days=days)


@pytest.fixture(autouse=True)
def three(settings: Any) -> None:
    settings.QUOTA_SUBMISSIONS, settings.QUOTA_PERIOD = 3, WEEK


def awaiting(organisation: Organisation | None = None, **benchmark: Any) -> Submission:
    """Of a team of its own, so that only the organisation is shared."""
    team = make_team(organisation=organisation)
    submission = make_submission(team=team, benchmark=make_benchmark(**benchmark))
    make_run(submission, "s0", f"{submission.benchmark.slug}-a")
    return submission


def confirmed(submission: Submission, now: datetime = NOW) -> Submission:
    confirm(submission, submission.created_by, Confirmation(Split.LOW, "Ada", 1), now)
    return submission


@pytest.mark.django_db
def test_the_fourth_is_refused_until_the_next_period_and_loses_nothing() -> None:
    organisation = make_organisation()
    for _ in range(3):
        confirmed(awaiting(organisation))
    fourth = awaiting(organisation)
    with pytest.raises(NotConfirmed, match=r"3 of 3 submissions graded in this period.*2026-05-04T00:00:00Z"):
        confirmed(fourth)
    assert (fourth.status, fourth.confirmed_at) == ("awaiting_team", None)
    assert not fourth.events.filter(after="queued").exists()
    assert not QuotaUse.objects.filter(submission=fourth).exists()
    confirmed(awaiting())  # another organisation is not concerned
    assert confirmed(fourth, NOW + WEEK).status == "queued"
    assert [period.used for period in organisation.quota_periods.all()] == [1, 3]


@pytest.mark.django_db
def test_the_same_submission_counts_once() -> None:
    submission = awaiting()
    for _ in range(5):
        take_quota(submission, NOW)
    assert allowance_of(submission.team.organisation, NOW).left == 2


@pytest.mark.django_db
def test_public_answers_and_a_limit_of_zero_count_nothing(settings: Any) -> None:
    take_quota(awaiting(answers_public=True), NOW)
    settings.QUOTA_SUBMISSIONS = 0
    take_quota(awaiting(), NOW)
    assert not QuotaPeriod.objects.exists()


@pytest.mark.django_db
def test_a_fault_of_ours_gives_it_back_once() -> None:
    submission = awaiting()
    take_quota(submission, NOW)
    assert refund_quota(submission, NOW) is True
    assert refund_quota(submission, NOW) is False
    assert allowance_of(submission.team.organisation, NOW).left == 3
    assert refund_quota(awaiting(), NOW) is False


@pytest.mark.django_db
@pytest.mark.parametrize(("outcome", "left"), [("grader_error", 3), ("invalid", 2)])
def test_only_a_failure_of_grading_is_a_fault_of_ours(outcome: str, left: int) -> None:
    submission = confirmed(awaiting())
    Submission.objects.filter(pk=submission.pk).update(status="grading")
    run = submission.runs.get()
    run.grading = Grading.objects.create(
        blob=run.blob, competition=run.competition, grader_version="v", not_before=NOW,
        state="done", outcome=outcome, graded_at=NOW,
    )  # fmt: skip
    run.save()
    submission.refresh_from_db()
    assert finish_grading(submission, NOW)
    assert allowance_of(submission.team.organisation, NOW).left == left


@pytest.mark.django_db
def test_the_team_sees_what_is_left_before_it_confirms(client: Client) -> None:
    organisation = make_organisation()
    submission = awaiting(organisation)
    client.force_login(submission.created_by)
    address = f"/submissions/{submission.public_id}/confirm/"
    assert "<b>3</b> left until" in client.get(address).content.decode()
    starts_at, ends_at = period_around(datetime.now(UTC), WEEK)
    QuotaPeriod.objects.create(organisation=organisation, starts_at=starts_at, ends_at=ends_at, used=3)
    assert "No submission left in this period" in client.get(address).content.decode()
    said = {"scope": "low", "attested_name": "Ada", "revision": 1, "accept": "on"}
    refused = client.post(address, said).content.decode()
    assert f"{ends_at:%Y-%m-%dT%H:%M:%SZ}" in refused
    with pytest.raises(QuotaSpent):
        take_quota(submission, datetime.now(UTC))
