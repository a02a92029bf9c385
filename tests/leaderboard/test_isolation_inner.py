"""The namespace that hides the vault and holds sandboxes: as closed as the others, whatever is made inside it.

`test_isolation_inner_as_user.py` runs this file again as an ordinary user when root runs the tests.
"""

import json
import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from grading.sandbox.policy import Mode
from leaderboard.isolation import CHECKOUT
from tests.leaderboard.test_isolation import CANARY, PROBE, Place, place, probe, sibling  # noqa: F401

pytestmark = pytest.mark.sandbox

BOTH_PLACES = pytest.mark.parametrize("place", ["home", "elsewhere"], indirect=True)
SANDBOX = """
import sys; sys.path.insert(0, sys.argv[1])
from pathlib import Path
from grading.sandbox.canary import check_isolation
from grading.sandbox.runner import run_sandboxed
code = "import os; os.write(int(os.environ['RESULT_FD']), os.listdir('/')[0].encode())"
assert run_sandboxed(["python", "-I", "-c", code]).payload
print(check_isolation(hidden=[Path(sys.argv[2])]).mode)
"""
FORKS = """
import sys; sys.path.insert(0, sys.argv[1])
from grading.sandbox.runner import run_sandboxed
print(run_sandboxed(["python", "-I", "-c", "import os; os.fork()"]).outcome)
"""


class InnerPlace(Place):
    def command(self, *argv: str, **changes: object) -> list[str]:
        return super().command(*argv, **{"holds_sandboxes": True, **changes})


@pytest.fixture
def inner(place: Place) -> InnerPlace:  # noqa: F811
    return InnerPlace(*(getattr(place, each.name) for each in fields(Place)))


def run_inside(inner: InnerPlace, code: str, *argv: str) -> str:
    done = subprocess.run(
        inner.command("-c", code, str(CHECKOUT), *argv), capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@BOTH_PLACES
@pytest.mark.parametrize("what", ["paths", "environment", "processes", "descriptors"])
def test_canary_is_not_found(inner: InnerPlace, sibling: "subprocess.Popen[bytes]", what: str) -> None:  # noqa: F811
    assert probe(inner, what, sibling=sibling.pid) == []


@BOTH_PLACES
def test_canary_is_not_found_from_a_namespace_inside(inner: InnerPlace) -> None:
    """With all capabilities there: no cover comes off, nothing is seen beneath it, no setting can be written."""
    assert probe(inner, "inner") == ["made"]


def test_the_probe_sees_beneath_where_nothing_is_locked(tmp_path: Path) -> None:
    """Otherwise the test above would prove nothing: the same probe without any namespace around it."""
    home, answers = tmp_path / "home", tmp_path / "a/b/c/d/answers"
    home.mkdir()
    answers.parent.mkdir(parents=True)
    answers.write_text(CANARY)
    wanted = json.dumps({"canary": CANARY, "answers": str(answers), "var": str(answers.parent)})
    done = subprocess.run(
        [sys.executable, str(PROBE), "inner", wanted],
        env={**os.environ, "HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert found[0] == "made"
    assert any(f"{home}/seen/all" in each for each in found)


def test_sandboxes_hold_inside(inner: InnerPlace) -> None:
    """The whole canary, in the mode that fits who started it all."""
    expected = Mode.INNER if os.geteuid() == 0 else Mode.USER
    assert run_inside(inner, SANDBOX, str(inner.vault.root)) == expected


def test_a_sandbox_inside_cannot_multiply_where_no_limit_counts(inner: InnerPlace) -> None:
    assert run_inside(inner, FORKS) == ("crashed" if os.geteuid() == 0 else "finished")


def test_other_namespaces_hold_no_sandboxes(place: Place) -> None:  # noqa: F811
    """What may make namespaces is the exception."""
    done = subprocess.run(
        place.command("-c", FORKS, str(CHECKOUT)), capture_output=True, text=True, timeout=600
    )
    assert "SandboxUnavailable" in done.stderr


def test_nothing_but_var_is_mounted_writable(inner: InnerPlace) -> None:
    assert probe(inner, "writable_mounts") == ["/proc", str(inner.var)]


def test_no_setting_of_the_machine_can_be_written(inner: InnerPlace) -> None:
    """Root may write many of them without any capability."""
    targets = [
        str(path)
        for path in Path("/proc").iterdir()
        if not path.name.isdigit() and path.is_file() and not path.is_symlink()
    ]
    targets += ["/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/vm/drop_caches"]
    code = "import json, os, sys\nfound = []\n"
    code += "for name in json.loads(sys.argv[2]):\n"
    code += "    try: os.close(os.open(name, os.O_WRONLY)); found.append(name)\n"
    code += "    except OSError: pass\nprint(found)"
    assert run_inside(inner, code, json.dumps(targets)) == "[]"
