"""The state of the machinery for the status page: grading hosts and queues. Nothing here is secret."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q

from grading.graders.version import GRADER_VERSION
from grading.models import Grading, GradingHost
from submissions.models import Submission, ValidityCheck, ValidityHost

STALE_AFTER = GradingHost.STALE_AFTER


@dataclass(frozen=True)
class HostState:
    """A host that grades or checks, and whether its last canary still counts. `trouble` is a sentence, or empty."""

    host: GradingHost | ValidityHost
    trouble: str

    @property
    def is_well(self) -> bool:
        return not self.trouble


@dataclass(frozen=True)
class QueueState:
    """How much waits and since when. `oldest_s` is None where nothing waits."""

    queued: int
    running: int
    oldest_s: int | None
    in_review: int
    grader_version: str
    checks: int


def checking_hosts(now: datetime) -> list[HostState]:
    """Every host that ever ran the canary of validity checks."""
    return [HostState(host, _trouble(host, now)) for host in ValidityHost.objects.all()]


def grading_hosts(now: datetime) -> list[HostState]:
    """Every host that ever ran a canary."""
    return [HostState(host, _trouble(host, now)) for host in GradingHost.objects.all()]


def _trouble(host: GradingHost | ValidityHost, now: datetime) -> str:
    if not host.is_isolated:
        return host.reason or "Isolation could not be had, so nothing is done here."
    if now - host.checked_at > STALE_AFTER:
        return "Not checked for more than two hours: its worker has stopped."
    return ""


def queue_state(now: datetime) -> QueueState:
    """The gradings that wait or run, and the submissions in review."""
    waiting = Q(state=Grading.State.QUEUED)
    counted = Grading.objects.exclude(state=Grading.State.DONE).aggregate(
        queued=Count("pk", filter=waiting),
        running=Count("pk", filter=Q(state=Grading.State.RUNNING)),
        oldest=Min("created_at", filter=waiting),
    )
    oldest = counted["oldest"]
    return QueueState(
        queued=counted["queued"],
        running=counted["running"],
        oldest_s=max(0, int((now - oldest).total_seconds())) if oldest else None,
        in_review=Submission.objects.filter(status=Submission.Status.IN_REVIEW).count(),
        grader_version=GRADER_VERSION,
        checks=ValidityCheck.objects.exclude(state=ValidityCheck.State.DONE).count(),
    )
