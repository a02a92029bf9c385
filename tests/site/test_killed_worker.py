"""SIGKILL in the middle of a grading: nothing is lost and nothing is done twice."""

import json
from pathlib import Path

import pytest

from tests.site.conftest import Run

pytestmark = [pytest.mark.site, pytest.mark.sandbox]


def test_killed_in_the_middle_it_is_graded_once(run_module: Run, tmp_path: Path) -> None:
    done = run_module("tests.site.kill_worker", timeout_s=300)
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
