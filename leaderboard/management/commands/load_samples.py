"""Loads what sample submissions look like, so that copies of them are told from copies of somebody's work."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from grading.catalogue import shipped_competitions
from grading.management.migrated import require_migrated
from grading.models import Competition
from leaderboard.fingerprints.samples import LoadedSample, load_samples


class Command(BaseCommand):
    help = (
        "Loads the fingerprints of sample submissions from the data directory of the benchmark's prepare command "
        "(<id>/prepared/public/sample…csv). Predictions near to them are not compared with those of others."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--from", dest="prepared", type=Path, required=True, metavar="DIR")

    def handle(self, *args: Any, prepared: Path, verbosity: int, **options: Any) -> None:
        if not prepared.is_dir():
            raise CommandError(f"{prepared} is not a directory.")
        require_migrated()
        stored = set(Competition.objects.values_list("pk", flat=True))
        specs = {name: spec for name, spec in shipped_competitions().items() if name in stored}
        results = list(load_samples(specs, prepared))
        if all(result.state == "missing" for result in results):
            raise CommandError(f"No sample submission below {prepared}: <id>/prepared/public/sample….csv.")
        if verbosity:
            self._report(results)

    def _report(self, results: list[LoadedSample]) -> None:
        for state in ("made", "constant", "unreadable", "missing"):
            names = [result.competition for result in results if result.state == state]
            if names:
                self.stdout.write(f"{state} ({len(names)}): {', '.join(names)}")
