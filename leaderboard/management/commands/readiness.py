"""Says whether this process's kind can do its work; for containers without a web server."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from leaderboard.health.readiness import find_readiness


class Command(BaseCommand):
    help = "Asks database, migrations, broker, storage and the grading canary; exits with 1 and says what is wrong."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--grading", action="store_true", help="Fail where nothing can be graded, too.")

    def handle(self, *args: Any, grading: bool, **options: Any) -> None:
        found = find_readiness(timezone.now())
        for part, state in found.document()["parts"].items():  # type: ignore[attr-defined]
            self.stdout.write(f"{part}: {state}")
        if not found.is_ready or (grading and found.warnings):
            raise CommandError("Not ready.")
