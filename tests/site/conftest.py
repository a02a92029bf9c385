"""A place of its own for a real site: database, files and vault of one test session, apart from the checkout's."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.databases import begin_migrated
from tests.site.services import own_services

ROOT = Path(__file__).parents[2]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


OTHERS = ("MLEB_", "DJANGO_", "PYTEST_", "DATABASE_URL", "BROKER_URL")


@pytest.fixture(scope="session")
def site_environment(place: Path, django_db_setup: None) -> Iterator[dict[str, str]]:
    """Everything the project keeps goes under `place`; leases are short, so that lost work is found soon."""
    begin_migrated(place / "var")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OTHERS)}
    with own_services(place) as services:
        yield {
            **kept,
            **services,
            "MLEB_VAR": str(place / "var"),
            "MLEB_VAULT": str(place / "vault"),
            "MLEB_SIGNING_DIR": str(place / "signing"),
            "MLEB_GRADING_LEASE_S": "4",
            "COLUMNS": "120",
        }


@pytest.fixture(scope="session")
def run_module(site_environment: dict[str, str]) -> Run:
    """Runs `python -m module arguments…` there, to its end. The limit stops a hang; it is no measure of speed,
    since other tests share the cores."""

    def run(*arguments: str, timeout_s: float = 1800) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", *arguments],
            cwd=ROOT,
            env=site_environment,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )

    return run
