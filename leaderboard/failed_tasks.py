"""Tasks that end badly: tried again later each time, then parked, so that nothing is tried for ever.

Only what is not bounded already: gradings, bundles, readings and checks count their attempts in their own rows.
"""

from datetime import datetime, timedelta

from django.db import transaction

from grading.rings import ring
from leaderboard.models import FailedTask

# Before the second attempt, and so on. What has failed once more often is parked.
WAITS = (timedelta(seconds=5), timedelta(seconds=30), timedelta(minutes=2), timedelta(minutes=10))
KEPT_FOR = timedelta(days=7)
# Of an argument; those of this site are shorter.
LAST_CHARACTERS = 64


def find_failed(task: str, argument: str) -> FailedTask | None:
    """What is known of earlier failures, None where there were none."""
    return FailedTask.objects.filter(task=task, argument=argument).first()


def record_failure(
    task: str,
    argument: str,
    reason: str,
    now: datetime,
    is_hopeless: bool = False,
    is_counted: bool = False,
) -> None:
    """Counts one more, unless it `is_counted` already. `is_hopeless`: parked at once, since nothing would change."""
    with transaction.atomic():
        FailedTask.objects.get_or_create(
            task=task,
            argument=argument,
            defaults={"reason": reason[:200], "failed_at": now, "not_before": now},
        )
        known = FailedTask.objects.select_for_update().get(task=task, argument=argument)
        known.failures += not is_counted
        known.reason, known.failed_at = reason[:200], now
        if is_hopeless or known.failures > len(WAITS):
            known.parked_at = known.parked_at or now
        else:
            known.not_before = now + WAITS[max(known.failures, 1) - 1]
        known.save()


def forget_failure(task: str, argument: str) -> None:
    """It went well."""
    FailedTask.objects.filter(task=task, argument=argument).delete()


def try_anew(failed: FailedTask) -> None:
    """A person wants it: its failures are forgotten and, where it has a task, that is rung once more."""
    with transaction.atomic():
        failed.delete()
        if failed.task:
            ring(failed.task, failed.argument)


def count_parked() -> int:
    return FailedTask.objects.filter(parked_at__isnull=False).count()


def forget_old(now: datetime) -> int:
    """Deletes what failed now and then and has not for a week. What is parked waits for a person. Returns how many."""
    old = FailedTask.objects.filter(parked_at=None, failed_at__lt=now - KEPT_FOR)
    return old.delete()[0]
