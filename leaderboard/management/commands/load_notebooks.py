"""Loads notebooks that were published for a competition, so that code of submissions is compared with them."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from rich.progress import track

from grading.management.migrated import require_migrated
from grading.models import Competition
from leaderboard.code_similarity.notebooks import LoadedNotebook, find_notebooks, load_notebooks
from leaderboard.models import CodeFile


class Command(BaseCommand):
    help = (
        "Loads .py and .ipynb files of a folder as reference notebooks of a competition. Code of submissions that "
        "are read afterwards is compared with them. Loading twice changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("competition", metavar="ID", help="The competition they were written for.")
        parser.add_argument("folder", type=Path, metavar="DIR", help="Read with the folders below it.")
        parser.add_argument(
            "--replace", action="store_true", help="Forget the competition's notebooks first, and what was like them."
        )  # fmt: skip

    def handle(
        self, *args: Any, competition: str, folder: Path, replace: bool, verbosity: int, **options: Any
    ) -> None:
        require_migrated()
        found = Competition.objects.filter(pk=competition).first()
        if found is None:
            raise CommandError(f"{competition} is not in the catalogue. Load it with `load_catalogue` first.")
        paths = self._paths(folder)
        if replace:
            CodeFile.objects.filter(submission=None, competition=found).delete()
        loading = load_notebooks(found, folder, paths, timezone.now())
        results = list(track(loading, "Loading notebooks", total=len(paths), disable=verbosity == 0))
        if verbosity:
            self._report(found, results)

    def _paths(self, folder: Path) -> list[Path]:
        if not folder.is_dir():
            raise CommandError(f"{folder} is not a directory.")
        paths = find_notebooks(folder)
        if not paths:
            raise CommandError(f"{folder} holds no .py or .ipynb file.")
        return paths

    def _report(self, competition: Competition, results: list[LoadedNotebook]) -> None:
        for outcome in ("loaded", "known"):
            number = sum(each.outcome == outcome for each in results)
            self.stdout.write(f"{outcome}: {number}")
        for each in results:
            if each.is_refused:
                self.stdout.write(self.style.WARNING(f"left out: {each.path}: {each.outcome}"))
        total = CodeFile.objects.filter(submission=None, competition=competition).count()
        self.stdout.write(f"{competition.pk} has {total} notebooks now")
