"""What a process of a trial's site is told of the services is its own and nobody else's."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping

import pytest

from tests.faults.servers import descendants
from tests.faults.services import own_environment

ALL = {"MLEB_S3_BLOBS": "b", "MLEB_S3_BLOBS_KEY": "all", "MLEB_S3_BLOBS_SECRET": "s", "DATABASE_URL": "owner"}


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({}, ALL),
        ({"DATABASE_URL": "web"}, {**ALL, "DATABASE_URL": "web"}),
        ({"MLEB_S3_BLOBS": "b"}, {"MLEB_S3_BLOBS": "b", "DATABASE_URL": "owner"}),
        (
            {"MLEB_S3_BLOBS": "b", "MLEB_S3_BLOBS_KEY": "own", "DATABASE_URL": "intake"},
            {"MLEB_S3_BLOBS": "b", "MLEB_S3_BLOBS_KEY": "own", "DATABASE_URL": "intake"},
        ),
    ],
)
def test_keys_of_others_are_not_passed_on(told: Mapping[str, str], expected: Mapping[str, str]) -> None:
    assert own_environment(ALL, told) == expected


def test_children_in_sessions_of_their_own_are_found() -> None:
    inner = (
        "import subprocess, sys; subprocess.run([sys.executable, '-c', 'input()'], start_new_session=True)"
    )
    with subprocess.Popen([sys.executable, "-c", inner], stdin=subprocess.PIPE) as outer:
        deadline = time.monotonic() + 60
        while not descendants(outer.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        found = descendants(outer.pid)
        outer.communicate(b"\n")
    assert len(found) == 1
    assert found[0] not in (outer.pid, os.getpid())
