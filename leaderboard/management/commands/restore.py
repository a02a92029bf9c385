"""Puts a backup back."""

import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from leaderboard.backup.errors import BackupError
from leaderboard.backup.restore import restore_backup
from leaderboard.management.commands.backup import PASSPHRASE, summary


class Command(BaseCommand):
    help = "Restores a backup into an empty database and empty stores, after checking every file of it."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--from", dest="folder", type=Path, required=True, metavar="DIR")
        parser.add_argument(
            "--with-answers",
            action="store_true",
            help=f"The vault too, which must be empty; {PASSPHRASE} opens it.",
        )

    def handle(self, *args: Any, folder: Path, with_answers: bool, **options: Any) -> None:
        try:
            done = restore_backup(folder, os.environ.get(PASSPHRASE, ""), with_answers)
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Restored: {summary(done)} Now run: manage.py verify_decisions")
