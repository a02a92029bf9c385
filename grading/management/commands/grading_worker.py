"""Grades what is queued, once this host has shown that it can isolate graders."""

import os
import sys
import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from grading.capacity import slots_here
from grading.host import inspect_host
from grading.sandbox.errors import SandboxUnavailable

TRY_AGAIN_AFTER_S = 60


class Command(BaseCommand):
    help = (
        "Runs the isolation canary, then a worker on the grading queue. Without isolation nothing is graded."
    )

    requires_system_checks = ()  # They load every page's code, which has no business here.

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--slots", type=int, default=0, help="Gradings at the same time; as many as this machine holds."
        )

    def handle(self, *args: Any, slots: int, **options: Any) -> None:
        slots = slots_here(slots or settings.GRADING_SLOTS, settings.GRADING_MEMORY_MB)
        settings.GRADING_SLOTS = slots
        os.environ["MLEB_GRADING_SLOTS"] = str(slots)  # What this host reports of itself.
        while not self._is_isolated():
            time.sleep(TRY_AGAIN_AFTER_S)
        argv = [
            sys.executable,
            "-m",
            "celery",
            "-A",
            "leaderboard",
            "--skip-checks",
            "worker",
            "-Q",
            "grading",
            "-n",
            "grading@%h",
        ]
        argv += ["--concurrency", str(slots), "--loglevel", "INFO", "--without-gossip", "--without-mingle"]
        os.execv(sys.executable, argv)  # noqa: S606 - the worker takes this process over, and its signals

    def _is_isolated(self) -> bool:
        try:
            host, pool = inspect_host(timezone.now())
        except SandboxUnavailable as error:
            self.stderr.write(f"Grading does not start, and jobs stay queued. {error}")
            self.stderr.write(f"Trying again in {TRY_AGAIN_AFTER_S} s.")
            return False
        pool.close()  # Each process of the worker makes its own.
        self.stdout.write(f"isolation holds: {host.mode} mode, {host.sandbox_version} at {host.sandbox_path}")
        return True
