"""Loads human leaderboards, from which exact cut-offs follow."""

from collections import defaultdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from rich.progress import track

from grading.leaderboards import LoadedBoard, LoadedLeaderboard, find_leaderboards, load_leaderboards
from grading.management.migrated import require_migrated
from grading.models import Competition
from leaderboard.pins import MedalChange, find_medal_changes


class Command(BaseCommand):
    help = (
        "Derives exact medal cut-offs from human private leaderboards, as new versions beside the old. Published "
        "entries keep theirs until a decision moves their pins."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, metavar="FILE.csv", help="One competition's board.")
        parser.add_argument("--competition", metavar="ID", help="The competition of FILE.csv.")
        parser.add_argument(
            "--from", dest="directory", type=Path, metavar="DIR",
            help="Loads every <competition>/leaderboard.csv below, the benchmark's layout.",
        )  # fmt: skip
        parser.add_argument(
            "--keep-order", action="store_true", help="Take a board as it stands where it is not sorted."
        )
        parser.add_argument(
            "--force", action="store_true", help="Take a board with far fewer teams than the version before."
        )

    def handle(self, *args: Any, verbosity: int, keep_order: bool, force: bool, **options: Any) -> None:
        require_migrated()
        files = self._files(options["file"], options["competition"], options["directory"])
        loading = load_leaderboards(files, timezone.now().date(), keep_order, force)
        results = list(track(loading, "Loading leaderboards", total=len(files), disable=verbosity == 0))
        if verbosity:
            self._report(results)
        if refused := [f"{each.competition_id}: {each.reason}" for each in results if each.reason]:
            raise CommandError("Refused, and not loaded:\n" + "\n".join(refused))

    def _files(self, file: Path | None, competition: str | None, directory: Path | None) -> dict[str, Path]:
        if directory is not None and file is None and competition is None:
            if not directory.is_dir():
                raise CommandError(f"{directory} is not a directory.")
            return find_leaderboards(directory)
        if directory is not None or file is None or competition is None:
            raise CommandError("Give either --competition ID FILE.csv, or --from DIR.")
        if not file.is_file():
            raise CommandError(f"{file} is not a file.")
        if not Competition.objects.filter(pk=competition).exists():
            raise CommandError(f"{competition} is not in the catalogue. Load it with `load_catalogue` first.")
        return {competition: file}

    def _report(self, results: list[LoadedLeaderboard]) -> None:
        for loaded in LoadedBoard:
            named = [each.competition_id for each in results if each.loaded is loaded]
            if named:
                self.stdout.write(f"{loaded.value} ({len(named)}): {', '.join(named)}")
        for each in results:
            if each.thresholds and each.loaded is LoadedBoard.LOADED:
                self._report_loaded(each)

    def _report_loaded(self, result: LoadedLeaderboard) -> None:
        new = result.thresholds
        assert new is not None
        self.stdout.write(
            f"\n{result.competition_id}, thresholds {new.number} from {new.num_teams:,} teams: gold {new.gold!r}, "
            f"silver {new.silver!r}, bronze {new.bronze!r}, median {new.median!r}"
        )
        for note in result.notes:
            self.stdout.write(self.style.WARNING(f"  note: {note}"))
        changes = find_medal_changes(new.competition, new)
        for line in _by_entry(changes):
            self.stdout.write(f"  {line}")
        if not changes:
            self.stdout.write("  no published run would change its medal")


def _by_entry(changes: list[MedalChange]) -> list[str]:
    """A line for each published entry whose medals would be others if its pins were moved."""
    lines: dict[str, list[str]] = defaultdict(list)
    for each in changes:
        entry = f"entry {each.run.entry_id} ({each.run.entry.agent})"
        lines[entry].append(f"{each.run.seed} {each.before} → {each.after}")
    return [f"{entry} would change: {'; '.join(runs)}" for entry, runs in lines.items()]
