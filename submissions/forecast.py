"""When the runs of a submission will be graded, as far as the turns of the queue tell (see `grading/lanes.py`)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from django.core.cache import cache
from django.db.models import Count, Sum

from grading.models import Grading, GradingHost
from submissions.models import Submission

# Everybody who waits looks every few seconds; the queue need not be counted for each of them.
KEPT_FOR_S = 5


@dataclass(frozen=True)
class Forecast:
    """`others`: organisations that take turns with this one. `minutes`: rounded up; None where no host is at work."""

    others: int
    minutes: int | None

    @property
    def sentence(self) -> str:
        if self.minutes is None:
            return "No grading host is at work now; your runs keep their place."
        turns = f", taking turns with {_counted(self.others, 'other organisation')}" if self.others else ""
        return f"Done in about {_spell(self.minutes)}{turns}."


def foresee(own_s: float, others_s: Iterable[float], slots: int) -> float:
    """Seconds until work of so many seconds is done, while each of the others gets as much until it has no more."""
    return (own_s + sum(min(own_s, other_s) for other_s in others_s)) / slots


def forecast_of(submission: Submission, now: datetime) -> Forecast | None:
    """When all that waits of its organisation is done. None where nothing of the submission itself waits."""
    waits = submission.runs.filter(grading__state=Grading.State.QUEUED)
    if submission.status != Submission.Status.GRADING or not waits.exists():
        return None
    work = cache.get_or_set("work-of-lanes", _work_of_lanes, KEPT_FOR_S) or {}
    own_s = work.get(submission.team.organisation.lane, 0.0)
    if not own_s:
        return None
    others_s = [seconds for word, seconds in work.items() if word != submission.team.organisation.lane]
    slots = _slots(now)
    return Forecast(len(others_s), ceil(foresee(own_s, others_s, slots) / 60) if slots else None)


def _work_of_lanes() -> dict[str, float]:
    """Seconds of grading that wait for teams, by the word of their lane."""
    waiting = Grading.objects.filter(state=Grading.State.QUEUED, lane__priority=Grading.Priority.TEAM)
    counted = waiting.values_list("lane__word", "lane__expected_s").annotate(Count("pk"))
    return {word: expected_s * number for word, expected_s, number in counted}


def _slots(now: datetime) -> int:
    well = GradingHost.objects.filter(is_isolated=True, checked_at__gt=now - GradingHost.STALE_AFTER)
    return well.aggregate(slots=Sum("slots"))["slots"] or 0


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _spell(minutes: int) -> str:
    return _counted(minutes, "minute") if minutes < 90 else _counted(round(minutes / 60), "hour")
