"""Takes a backup, or checks one."""

import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from leaderboard.backup.errors import BackupError
from leaderboard.backup.restore import check_backup
from leaderboard.backup.take import take_backup

PASSPHRASE = "MLEB_BACKUP_PASSPHRASE"  # noqa: S105


class Command(BaseCommand):
    help = "Copies every table and stored file to a new folder while the site runs, or checks such a folder."

    def add_arguments(self, parser: CommandParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--to", type=Path, metavar="DIR", help="A folder that is empty or not there yet.")
        which.add_argument(
            "--check", type=Path, metavar="DIR", help="Reads a backup and compares every SHA-256."
        )
        parser.add_argument(
            "--with-answers",
            action="store_true",
            help=f"The vault too, encrypted under {PASSPHRASE}. Only on the grading host.",
        )

    def handle(
        self, *args: Any, to: Path | None, check: Path | None, with_answers: bool, **options: Any
    ) -> None:
        passphrase = os.environ.get(PASSPHRASE, "")
        try:
            done = (
                check_backup(check)
                if check
                else take_backup(to or Path(), timezone.now(), passphrase, with_answers)
            )
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(summary(done))


def summary(manifest: dict[str, Any]) -> str:
    rows = sum(told["rows"] for told in manifest["tables"].values())
    count = sum(told["count"] for told in manifest["files"].values())
    size = sum(told["bytes"] for told in manifest["files"].values())
    answers = "with sealed answers" if manifest["answers.sealed"] else "without answers"
    return (
        f"{rows} rows of {len(manifest['tables'])} tables and {count} files ({size} bytes), {answers}, "
        f"as of {manifest['taken_at']}."
    )
