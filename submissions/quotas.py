"""How many submissions an organisation may have graded in a period, and the count of those it had.

Benchmarks whose answers are public are not counted: there is nothing to climb on.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F

from submissions.models import Organisation, QuotaPeriod, QuotaUse, Submission

# A Monday, so that periods of seven days begin on Mondays.
FIRST_PERIOD = datetime(2024, 1, 1, tzinfo=UTC)


class QuotaSpent(Exception):
    """Shown to the team: nothing is left in this period, and when the next one begins."""

    def __init__(self, allowance: "Allowance") -> None:
        self.allowance = allowance
        super().__init__(
            f"Your organisation has had {allowance.used} of {allowance.limit} submissions graded in this period. "
            f"The next period begins at {allowance.resets_at:%Y-%m-%dT%H:%M:%SZ}; confirm again then. "
            "Nothing of this submission is lost."
        )


@dataclass(frozen=True)
class Allowance:
    """What an organisation has used of what it may use, until `resets_at` (UTC)."""

    used: int
    limit: int
    resets_at: datetime

    @property
    def left(self) -> int:
        return max(0, self.limit - self.used)


def is_counted(submission: Submission) -> bool:
    """Whether grading it takes from the quota; a limit of 0 counts nothing."""
    return settings.QUOTA_SUBMISSIONS > 0 and not submission.benchmark.answers_public


def allowance_of(organisation: Organisation, now: datetime) -> Allowance:
    """What is used and left now."""
    starts_at, ends_at = period_around(now, settings.QUOTA_PERIOD)
    period = QuotaPeriod.objects.filter(organisation=organisation, starts_at=starts_at).first()
    return Allowance(period.used if period else 0, settings.QUOTA_SUBMISSIONS, ends_at)


def take_quota(submission: Submission, now: datetime) -> None:
    """Counts the submission, once however often it is called. Raises QuotaSpent where nothing is left.

    A conditional update, since of many at once exactly as many as are left may pass, on any database.
    """
    if not is_counted(submission):
        return
    organisation = submission.team.organisation
    starts_at, ends_at = period_around(now, settings.QUOTA_PERIOD)
    with transaction.atomic():
        period, _ = QuotaPeriod.objects.get_or_create(
            organisation=organisation, starts_at=starts_at, defaults={"ends_at": ends_at}
        )
        _, is_new = QuotaUse.objects.get_or_create(
            submission=submission, defaults={"period": period, "taken_at": now}
        )
        free = QuotaPeriod.objects.filter(pk=period.pk, used__lt=settings.QUOTA_SUBMISSIONS)
        if is_new and not free.update(used=F("used") + 1):
            raise QuotaSpent(allowance_of(organisation, now))


def refund_quota(submission: Submission, now: datetime) -> bool:
    """Gives back what the submission took, once, because the fault was ours. Whether it did so now."""
    with transaction.atomic():
        use = QuotaUse.objects.filter(submission=submission, refunded_at=None)
        if not use.update(refunded_at=now):
            return False
        QuotaPeriod.objects.filter(uses__submission=submission).update(used=F("used") - 1)
        return True


def period_around(now: datetime, length: timedelta) -> tuple[datetime, datetime]:
    """Begin and end, in UTC, of the period that `now` lies in: periods follow each other from a fixed Monday."""
    begin = FIRST_PERIOD + (now - FIRST_PERIOD) // length * length
    return begin, begin + length
