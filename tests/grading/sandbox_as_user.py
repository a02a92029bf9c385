"""Runs tests again as an ordinary user, when root runs them: the sandbox works differently for the two."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from grading.sandbox.host import this_host

UID = 20001
CHECKOUT = Path(__file__).resolve().parents[2]
PYTEST = (
    "-m",
    "pytest",
    "-q",
    "-W",
    "error",
    "--noconftest",
    "--config-file=/dev/null",
    f"--rootdir={CHECKOUT}",
)
PLUGINS = ("-o", "markers=sandbox\nenable_socket", "-p", "no:django", "-p", "no:cacheprovider")


def run_pytest_as_user(test_file: str) -> subprocess.CompletedProcess[str]:
    """The run of one test file as uid 20001, without Django and without the project's conftest."""
    with tempfile.TemporaryDirectory() as home:  # not tmp_path, which only its owner, here root, can reach
        os.chown(home, UID, UID)
        pytest = [sys.executable, *PYTEST, *PLUGINS, f"--basetemp={home}/pytest", str(CHECKOUT / test_file)]
        environment = {
            "HOME": home,
            "TMPDIR": home,
            "PATH": os.environ["PATH"],
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        argv = [*_as_user(), *pytest]
        return subprocess.run(
            argv, env=environment, cwd=CHECKOUT, capture_output=True, text=True, timeout=1500
        )


def _as_user() -> list[str]:
    """A prefix that drops to the uid; the interpreter can be read even if it lies in the home of root."""
    tools = this_host().tools
    base = Path(os.path.realpath(sys.base_prefix))
    command = [str(tools.bwrap), "--dev-bind", "/", "/"]
    if base.is_relative_to("/root"):
        command += ["--perms", "0755", "--tmpfs", "/root", "--ro-bind", str(base), str(base)]
        between = [parent for parent in base.parents if parent.is_relative_to("/root")]
        command += [word for parent in between for word in ("--chmod", "0755", str(parent))]
    command += ["--", str(tools.setpriv), f"--reuid={UID}", f"--regid={UID}", "--clear-groups"]
    return [*command, "--bounding-set=-all", "--inh-caps=-all"]
