"""Builds the standings anew."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from grading.models import Benchmark
from leaderboard.standings import rebuild_standings


class Command(BaseCommand):
    help = "Builds the standings of every benchmark; a benchmark where nothing changed keeps its snapshot."

    def handle(self, *args: Any, **options: Any) -> None:
        for benchmark in Benchmark.objects.all():
            snapshot = rebuild_standings(benchmark, timezone.now())
            self.stdout.write(
                f"{benchmark.slug}: {snapshot.digest[:12]}, built {snapshot.built_at:%Y-%m-%d %H:%M} UTC"
            )
