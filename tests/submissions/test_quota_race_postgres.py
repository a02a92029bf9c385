"""The race for the quota once more, on PostgreSQL: fifty at once where three may pass."""

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests.services.postgres import postgres
from tests.submissions import test_quota_race

ROOT = Path(__file__).parents[2]


@pytest.mark.enable_socket
def test_exactly_as_many_pass_as_are_left_on_postgresql(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The same test, in a process of its own, since the database of this one is chosen already."""
    place = tmp_path_factory.mktemp("pg")  # The path of a socket must be short.
    race = str(Path(test_quota_race.__file__).relative_to(ROOT))
    with postgres(place) as address:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-n0", race],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": address, "MLEB_VAR": str(place / "var")},
            capture_output=True,
            text=True,
            check=False,
        )
        with psycopg.connect(address) as asked:
            # Left for others that test on this server: so it was this one.
            made = asked.execute(
                "SELECT count(*) FROM pg_database WHERE datname LIKE 'migrated_%'"
            ).fetchone()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
    assert made == (1,)
