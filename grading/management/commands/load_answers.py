"""Loads hidden answers on this grading host."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.progress import track

from grading.answers import Loaded, LoadResult, load_answers
from grading.catalogue import shipped_competitions
from grading.vault import VaultError, open_vault


class Command(BaseCommand):
    help = (
        "Loads answers from the data directory of the benchmark's prepare command (<id>/prepared/private/…)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--from", dest="prepared", type=Path, required=True, metavar="DIR")
        parser.add_argument(
            "--only", nargs="*", default=[], metavar="ID", help="Competitions to load; default all."
        )

    def handle(self, *args: Any, prepared: Path, only: list[str], verbosity: int, **options: Any) -> None:
        specs = shipped_competitions()
        if unknown := set(only) - specs.keys():
            raise CommandError(f"Not in the catalogue: {', '.join(sorted(unknown))}.")
        chosen = {name: spec for name, spec in specs.items() if not only or name in only}
        try:
            loading = load_answers(chosen, prepared, open_vault())
            results = list(track(loading, "Loading answers", total=len(chosen), disable=verbosity == 0))
        except VaultError as error:
            raise CommandError(str(error)) from error
        if verbosity:
            self._report(results)
        if refused := [f"{r.competition_id}: {r.reason}" for r in results if r.loaded is Loaded.REFUSED]:
            raise CommandError("Refused, and not loaded:\n" + "\n".join(refused))

    def _report(self, results: list[LoadResult]) -> None:
        for loaded in Loaded:
            named = [_name(result) for result in results if result.loaded is loaded]
            if named:
                self.stdout.write(f"{loaded.value} ({len(named)}): {', '.join(named)}")


def _name(result: LoadResult) -> str:
    return f"{result.competition_id} ({result.rows:,} rows)" if result.rows else result.competition_id
