"""Loads the catalogue of competitions and benchmarks."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from grading.catalogue import CatalogueError, shipped_benchmarks, shipped_competitions
from grading.load_catalogue import load_catalogue


class Command(BaseCommand):
    help = "Brings competitions, thresholds and benchmarks in the database in step with their files."

    def handle(self, *args: Any, verbosity: int, **options: Any) -> None:
        try:
            competitions, benchmarks = shipped_competitions(), shipped_benchmarks()
        except CatalogueError as error:
            raise CommandError(str(error)) from error
        loaded = load_catalogue(competitions, benchmarks)
        if not verbosity:
            return
        self.stdout.write(
            f"{len(competitions)} competitions ({len(loaded.competitions)} written, "
            f"{len(loaded.thresholds)} with new thresholds), {len(benchmarks)} benchmarks "
            f"({len(loaded.benchmarks)} written)."
        )
