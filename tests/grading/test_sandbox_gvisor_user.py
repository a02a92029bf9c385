"""The same containers as an ordinary user, for whom gVisor works without root."""

import shutil

import pytest

from grading.sandbox.gvisor import PLACES
from tests.grading.sandbox_as_user import run_pytest_as_user


@pytest.mark.sandbox
@pytest.mark.as_root
@pytest.mark.skipif(not shutil.which("runsc", path=PLACES), reason="gVisor is missing: apt-get install runsc")
def test_containers_as_an_ordinary_user() -> None:
    done = run_pytest_as_user("tests/grading/test_sandbox_gvisor.py")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert "skipped" not in done.stdout
