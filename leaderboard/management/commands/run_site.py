"""The whole site on one machine, in the foreground."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from grading.sandbox.errors import SandboxUnavailable
from leaderboard.launcher.prepare import prepare
from leaderboard.launcher.site import (
    NotStarted,
    build_supervisor,
    hold_site,
    listen,
    url_of,
    wait_until_ready,
)
from leaderboard.launcher.supervisor import run_until_signalled


class Command(BaseCommand):
    help = "Prepares the database, starts web server and workers, and runs until Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, port: int, **options: Any) -> None:
        try:
            with hold_site():
                prepare(lambda title: self.stdout.write(f"Preparing: {title}"))
                with listen(port) as listener:
                    url = url_of(listener)
                    run_until_signalled(build_supervisor(listener), ready=lambda: self._ready(url))
            self.stdout.write("Stopped")
        except (NotStarted, SandboxUnavailable) as error:
            raise CommandError(str(error)) from error

    def _ready(self, url: str) -> None:
        wait_until_ready(url)
        self.stdout.write(self.style.SUCCESS(f"The leaderboard is at {url}  (Ctrl-C stops it)"))
