"""Figures of the work, read from the database at most once in half a minute."""

import threading
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.db.models import Count, Min, Q, Sum
from django.utils import timezone
from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

from grading.models import Grading
from leaderboard.machinery import checking_hosts, grading_hosts
from leaderboard.models import Decision, Snapshot
from leaderboard.queue_depth import read_queues
from submissions.models import Submission, Upload

KEPT_FOR = timedelta(seconds=30)
BUCKETS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 600)


class WorkCollector:
    """For a registry. A scrape that comes too soon gets the last figures again."""

    def __init__(self) -> None:
        self._at: datetime | None = None
        self._last: list[Metric] = []
        self._lock = threading.Lock()

    def collect(self) -> Iterable[Metric]:
        now = timezone.now()
        with self._lock:
            if self._at is None or not timedelta(0) <= now - self._at < KEPT_FOR:
                self._last, self._at = list(read_work(now)), now
            return self._last


def read_work(now: datetime) -> Iterator[Metric]:
    yield from queues(now)
    yield from gradings()
    yield from hosts(now)
    yield submissions()
    yield uploads()
    yield decisions()
    yield from snapshots(now)


def queues(now: datetime) -> Iterator[Metric]:
    waiting = GaugeMetricFamily("mleb_queue_waiting", "What waits, by queue.", labels=["queue"])
    running = GaugeMetricFamily("mleb_queue_running", "What is worked on, by queue.", labels=["queue"])
    oldest = GaugeMetricFamily(
        "mleb_queue_oldest_seconds", "Age of what waits longest; 0 for none.", labels=["queue"]
    )
    wanted = GaugeMetricFamily(
        "mleb_queue_suggested_workers", "Workers that would be enough.", labels=["queue"]
    )
    for queue in read_queues(now):
        waiting.add_metric([queue.name], queue.waiting)
        running.add_metric([queue.name], queue.running)
        oldest.add_metric([queue.name], queue.oldest_s or 0)
        wanted.add_metric([queue.name], queue.suggested_workers)
    return iter((waiting, running, oldest, wanted))


def gradings() -> Iterator[Metric]:
    """Seconds and verdicts by competition, of all that were ever done: no score is among them."""
    seconds = HistogramMetricFamily("mleb_grading_seconds", "Seconds in the sandbox.", labels=["competition"])
    verdicts = CounterMetricFamily("mleb_gradings", "Gradings done, by verdict.", labels=["outcome"])
    totals: dict[str, int] = {}
    done = Grading.objects.filter(state=Grading.State.DONE)
    up_to = {f"b{n}": Count("pk", filter=Q(wall_s__lte=most)) for n, most in enumerate(BUCKETS)}
    timed = done.filter(wall_s__isnull=False).values("competition").order_by("competition")
    for row in timed.annotate(count=Count("pk"), total=Sum("wall_s"), **up_to):
        buckets = [(str(float(most)), row[f"b{n}"]) for n, most in enumerate(BUCKETS)]
        seconds.add_metric([row["competition"]], [*buckets, ("+Inf", row["count"])], row["total"])
    for row in done.values("outcome").annotate(count=Count("pk")).order_by("outcome"):
        totals[row["outcome"]] = row["count"]
    for outcome in Grading.Outcome.values:
        verdicts.add_metric([outcome], totals.get(outcome, 0))
    return iter((seconds, verdicts))


def hosts(now: datetime) -> Iterator[Metric]:
    """The sandbox's canary on each host: whether it held, and how long ago."""
    well = GaugeMetricFamily(
        "mleb_sandbox_well", "1 where the last canary held and is fresh.", labels=["kind", "host"]
    )
    age = GaugeMetricFamily(
        "mleb_sandbox_canary_age_seconds", "Since the last canary.", labels=["kind", "host"]
    )
    for kind, states in (("grading", grading_hosts(now)), ("validity", checking_hosts(now))):
        for state in states:
            well.add_metric([kind, state.host.name], float(state.is_well))
            age.add_metric([kind, state.host.name], (now - state.host.checked_at).total_seconds())
    return iter((well, age))


def submissions() -> Metric:
    counted = dict(Submission.objects.order_by().values_list("status").annotate(Count("pk")))
    metric = GaugeMetricFamily("mleb_submissions", "Submissions by status.", labels=["status"])
    for status in Submission.Status.values:
        metric.add_metric([status], counted.get(status, 0))
    return metric


def uploads() -> Metric:
    total = Upload.objects.filter(completed_at__isnull=False).aggregate(total=Sum("size"))["total"]
    return CounterMetricFamily("mleb_upload_bytes", "Bytes of complete bundles.", value=total or 0)


def decisions() -> Metric:
    counted = dict(Decision.objects.order_by().values_list("kind").annotate(Count("pk")))
    metric = CounterMetricFamily("mleb_decisions", "Public decisions by kind.", labels=["kind"])
    for kind in Decision.Kind.values:
        metric.add_metric([kind], counted.get(kind, 0))
    return metric


def snapshots(now: datetime) -> Iterator[Metric]:
    """By benchmark since when its board was looked after last, and how long a decision waits to be seen by it."""
    age = GaugeMetricFamily("mleb_snapshot_age_seconds", "Since it was looked after.", labels=["benchmark"])
    unseen = GaugeMetricFamily(
        "mleb_decision_unshown_seconds",
        "Age of the oldest decision that no board knows; 0 for none.",
        labels=["benchmark"],
    )
    for board in Snapshot.objects.filter(is_current=True).select_related("benchmark").order_by("pk"):
        age.add_metric([board.benchmark.slug], (now - (board.seen_until or board.built_at)).total_seconds())
        newer = Decision.objects.filter(entry__benchmark=board.benchmark, pk__gt=board.seen_decision)
        since = newer.aggregate(at=Min("recorded_at"))["at"]
        unseen.add_metric([board.benchmark.slug], (now - since).total_seconds() if since else 0)
    return iter((age, unseen))
