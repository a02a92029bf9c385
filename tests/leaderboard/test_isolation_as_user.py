"""The hidden vault again as one ordinary user, which is how the default start runs everything."""

import pytest

from tests.grading.sandbox_as_user import run_pytest_as_user


@pytest.mark.sandbox
@pytest.mark.as_root
def test_hidden_vault_as_an_ordinary_user() -> None:
    done = run_pytest_as_user("tests/leaderboard/test_isolation.py")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
