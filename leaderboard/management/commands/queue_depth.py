"""Prints how much waits in each queue, and how many workers would be enough: what an autoscaler asks for."""

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from leaderboard.queue_depth import QueueDepth, read_queues


class Command(BaseCommand):
    help = "How much waits in each queue, for how long, and how many workers would be enough."

    requires_system_checks = ()  # An autoscaler asks every few seconds.

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="One JSON object with the queues by name.")

    def handle(self, *args: Any, json: bool = False, **options: Any) -> None:
        queues = read_queues(timezone.now())
        self.stdout.write(_as_json(queues) if json else _as_table(queues))


def _as_json(queues: list[QueueDepth]) -> str:
    return json.dumps({queue.name: asdict(queue) for queue in queues})


def _as_table(queues: list[QueueDepth]) -> str:
    line = "{:<14}{:>9}{:>9}{:>10}{:>19}"
    rows = [line.format("queue", "waiting", "running", "oldest", "suggested workers")]
    for queue in queues:
        oldest = "-" if queue.oldest_s is None else f"{queue.oldest_s:.0f} s"
        rows.append(line.format(queue.name, queue.waiting, queue.running, oldest, queue.suggested_workers))
    return "\n".join(rows)
