"""Loads the catalogue of competitions and benchmarks."""

from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from grading.catalogue import (
    BenchmarkSpec,
    CatalogueError,
    CompetitionSpec,
    shipped_benchmarks,
    shipped_competitions,
)
from grading.load_catalogue import NotRemoved, fileless, load_catalogue, notes_on, remove_competition
from grading.management.migrated import require_migrated


class Command(BaseCommand):
    help = "Brings competitions, thresholds and benchmarks in the database in step with their files."

    def add_arguments(self, parser: CommandParser) -> None:
        ways = parser.add_mutually_exclusive_group()
        ways.add_argument(
            "--check",
            action="store_true",
            help="Only read the files and say what is wrong; needs no database.",
        )
        ways.add_argument(
            "--remove",
            metavar="ID",
            help="Take a competition whose file is gone out of the database, if nothing stands on it.",
        )

    def handle(self, *args: Any, verbosity: int, check: bool, remove: str | None, **options: Any) -> None:
        try:
            competitions, benchmarks = shipped_competitions(), shipped_benchmarks()
        except CatalogueError as error:
            raise CommandError(str(error)) from error
        if check:
            said = f"{len(competitions)} competitions and {len(benchmarks)} benchmarks are in order."
        elif remove is not None:
            said = self._remove(remove, competitions)
        else:
            said = self._load(competitions, benchmarks)
        if verbosity:
            self.stdout.write(said)
            for note in notes_on(competitions, benchmarks):
                self.stdout.write(self.style.WARNING(f"note: {note}"))

    def _remove(self, competition: str, competitions: Mapping[str, CompetitionSpec]) -> str:
        require_migrated()
        try:
            remove_competition(competition, competitions)
        except NotRemoved as error:
            raise CommandError(str(error)) from error
        return f"{competition} is removed."

    def _load(
        self, competitions: Mapping[str, CompetitionSpec], benchmarks: Mapping[str, BenchmarkSpec]
    ) -> str:
        require_migrated()
        loaded = load_catalogue(competitions, benchmarks)
        said = (
            f"{len(competitions)} competitions ({len(loaded.competitions)} written, "
            f"{len(loaded.thresholds)} with new thresholds), {len(benchmarks)} benchmarks "
            f"({len(loaded.benchmarks)} written)."
        )
        if left := fileless(competitions):
            said += f"\nIn the database without a file: {', '.join(left)}. To take one out: --remove ID"
        return said
