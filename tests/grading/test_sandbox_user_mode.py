"""The same attacks as an ordinary user, in whose mode the sandbox is made by other means."""

import pytest

from tests.grading.sandbox_as_user import run_pytest_as_user


@pytest.mark.sandbox
@pytest.mark.as_root
@pytest.mark.parametrize("name", ["attacks", "warm"])
def test_attacks_as_an_ordinary_user(name: str) -> None:
    done = run_pytest_as_user(f"tests/grading/test_sandbox_{name}.py")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
