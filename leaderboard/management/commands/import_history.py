"""Imports the board the benchmark kept in its README."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from leaderboard.history import HistoryError, import_history, read_history


class Command(BaseCommand):
    help = "Imports the benchmark's historical board; rows that are there already are left as they are."

    def handle(self, *args: Any, **options: Any) -> None:
        history = read_history()
        try:
            added = import_history(history, timezone.now())
        except HistoryError as error:
            raise CommandError(str(error)) from error
        if options["verbosity"]:
            self.stdout.write(f"{added} of {len(history['rows'])} historical rows imported now.")
