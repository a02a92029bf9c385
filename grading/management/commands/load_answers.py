"""Loads hidden answers on this grading host."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.progress import track

from grading.answers import Loaded, LoadResult, load_answers
from grading.answers_bucket import AnswersBucket
from grading.bucket import StoreRefused, StoreSilent
from grading.catalogue import CatalogueError, CompetitionSpec, shipped_competitions
from grading.management.migrated import require_migrated
from grading.models import Competition
from grading.vault import VaultError, open_vault

NO_KEY = "MLEB_S3_ANSWERS names a bucket: set MLEB_S3_ANSWERS_KEY and _SECRET to a key that may write there."


class Command(BaseCommand):
    help = (
        "Loads answers from the data directory of the benchmark's prepare command (<id>/prepared/private/…), as a "
        "new version. Refuses answers that no file could be graded rightly against. Needs load_catalogue before."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--from", dest="prepared", type=Path, required=True, metavar="DIR")
        parser.add_argument(
            "--only", nargs="*", default=[], metavar="ID", help="Competitions to load; default all."
        )

    def handle(self, *args: Any, prepared: Path, only: list[str], verbosity: int, **options: Any) -> None:
        chosen = self._chosen(prepared, only)
        try:
            # Apart from what grading keeps it apart from, or grading would refuse this vault later.
            vault = open_vault(outside=(settings.BASE_DIR, settings.VAR_DIR))
            loading = load_answers(chosen, prepared, vault, _bucket())
            results = list(track(loading, "Loading answers", total=len(chosen), disable=verbosity == 0))
        except (VaultError, StoreSilent, StoreRefused) as error:
            raise CommandError(str(error)) from error
        if verbosity:
            self._report(results)
        wrong = [
            result for result in results if result.loaded is Loaded.REFUSED or (only and _is_missing(result))
        ]
        if wrong:
            raise CommandError(
                "Refused, and not loaded:\n" + "\n".join(f"{r.competition_id}: {r.reason}" for r in wrong)
            )
        if all(map(_is_missing, results)):
            raise CommandError(f"Nothing to load below {prepared}. For instance, {results[0].reason}.")

    def _chosen(self, prepared: Path, only: list[str]) -> dict[str, CompetitionSpec]:
        """The specs to load. Raises CommandError where the way there is not ready."""
        try:
            specs = shipped_competitions()
        except CatalogueError as error:
            raise CommandError(str(error)) from error
        if unknown := set(only) - specs.keys():
            raise CommandError(f"Not in the catalogue: {', '.join(sorted(unknown))}.")
        if not prepared.is_dir():
            raise CommandError(f"{prepared} is not a directory.")
        require_migrated()
        chosen = {name: spec for name, spec in specs.items() if not only or name in only}
        stored = set(Competition.objects.filter(pk__in=chosen).values_list("pk", flat=True))
        if absent := sorted(chosen.keys() - stored):
            raise CommandError(
                f"Not in the database yet: {', '.join(absent)}. First run: manage.py load_catalogue"
            )
        return chosen

    def _report(self, results: list[LoadResult]) -> None:
        for loaded in Loaded:
            named = [_name(result) for result in results if result.loaded is loaded]
            if named:
                self.stdout.write(f"{loaded.value} ({len(named)}): {', '.join(named)}")
        for result in results:
            expected = shipped_competitions()[result.competition_id].test_rows
            if result.loaded is Loaded.LOADED and expected not in (None, result.rows):
                self.stdout.write(
                    self.style.WARNING(
                        f"note: {result.competition_id} has {result.rows:,} rows, its file says {expected:,}"
                    )
                )


def _bucket() -> AnswersBucket | None:
    """Where other grading hosts find answers; None where every host has its own. Raises CommandError."""
    access = settings.ANSWERS_BUCKET
    if access is None:
        return None
    if not access.key_id:
        raise CommandError(NO_KEY)
    return AnswersBucket(access)


def _is_missing(result: LoadResult) -> bool:
    return result.loaded is Loaded.MISSING


def _name(result: LoadResult) -> str:
    if not result.rows:
        return result.competition_id
    return f"{result.competition_id} (version {result.version}, {result.rows:,} rows)"
