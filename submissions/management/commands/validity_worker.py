"""Checks files for teams, once this host has shown that it hides the vault and can isolate checks."""

import os
import sys
import time
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from grading.sandbox.errors import SandboxUnavailable
from submissions.validity.host import inspect_host

TRY_AGAIN_AFTER_S = 60
CELERY = (
    "-m",
    "celery",
    "-A",
    "leaderboard",
    "--skip-checks",
    "worker",
    "-Q",
    "validity",
    "-n",
    "validity@%h",
)
QUIETLY = ("--concurrency", "1", "--loglevel", "INFO", "--without-gossip", "--without-mingle")


class Command(BaseCommand):
    help = (
        "Runs the canary, then a worker on the queue of validity checks. Refuses where it can see the vault."
    )

    requires_system_checks = ()  # They load every page's code, which has no business here.

    def handle(self, *args: Any, **options: Any) -> None:
        while not self._is_isolated():
            time.sleep(TRY_AGAIN_AFTER_S)
        # The worker takes this process over, and its signals.
        os.execv(sys.executable, [sys.executable, *CELERY, *QUIETLY])  # noqa: S606

    def _is_isolated(self) -> bool:
        try:
            host = inspect_host(timezone.now())
        except SandboxUnavailable as error:
            self.stderr.write(f"Files are not checked, and checks stay queued. {error}")
            self.stderr.write(f"Trying again in {TRY_AGAIN_AFTER_S} s.")
            return False
        self.stdout.write(f"isolation holds: {host.mode} mode, {host.sandbox_version}, no vault in sight")
        return True
