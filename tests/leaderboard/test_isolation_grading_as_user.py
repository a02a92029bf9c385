"""The same as one ordinary user, for whom sandboxes inside are made by other means."""

import pytest

from tests.grading.sandbox_as_user import run_pytest_as_user


@pytest.mark.sandbox
@pytest.mark.as_root
def test_namespace_that_holds_sandboxes_as_an_ordinary_user() -> None:
    done = run_pytest_as_user("tests/leaderboard/test_isolation_grading.py")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
