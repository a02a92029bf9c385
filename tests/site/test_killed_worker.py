"""SIGKILL in the middle of a grading: nothing is lost and nothing is done twice."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.databases import begin_migrated
from tests.site.conftest import ROOT
from tests.site.services import own_queue

pytestmark = [pytest.mark.site, pytest.mark.sandbox]


def test_killed_in_the_middle_it_is_graded_once(site_environment: dict[str, str], tmp_path: Path) -> None:
    """On a database, broker and vault of its own, beside those of the other tests; its files lie on this machine."""
    files = {name: value for name, value in site_environment.items() if not name.startswith("MLEB_S3_")}
    places = {
        "MLEB_VAR": str(tmp_path / "var"),
        "MLEB_VAULT": str(tmp_path / "vault"),
        "MLEB_SIGNING_DIR": str(tmp_path / "signing"),
    }
    begin_migrated(tmp_path / "var")
    with own_queue() as queue:
        done = subprocess.run(
            [sys.executable, "-m", "tests.site.kill_worker"],
            cwd=ROOT,
            env={**files, **queue, **places},
            capture_output=True,
            text=True,
            timeout=1800,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    assert seen["state_when_killed"] == "running"
    assert seen["sandboxes_started"] > 0
    assert seen["sandboxes_left"] == 0
    assert seen["outcomes"] == ["scored"] * seen["gradings"]
    assert max(seen["attempts"]) == 2
    assert min(seen["attempts"]) == 1
    assert seen["status"] == "in_review"
    assert seen["entry_runs"] == seen["gradings"]
