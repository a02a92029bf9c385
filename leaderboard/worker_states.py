"""The workers of the site for the status page: who is heard, and what waits for each kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from leaderboard.heartbeat import KindState, kinds_heard
from leaderboard.queue_depth import QueueDepth, read_queues


@dataclass(frozen=True)
class WorkerRow:
    """A kind of worker beside its queue."""

    kind: KindState
    queue: QueueDepth | None

    @property
    def oldest_s(self) -> int | None:
        """Since when the oldest waits; None where nothing does."""
        return None if self.queue is None or self.queue.oldest_s is None else int(self.queue.oldest_s)


def worker_rows(now: datetime) -> Sequence[WorkerRow]:
    queues = {queue.name: queue for queue in read_queues(now)}
    return [WorkerRow(kind, queues.get(kind.name)) for kind in kinds_heard(now)]
