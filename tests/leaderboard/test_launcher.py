"""What the launcher tells its processes, and that nothing is left running where it is killed."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from leaderboard.isolation import hidden_vault_command
from leaderboard.launcher.processes import site_processes
from leaderboard.launcher.site import environment_of, listen, url_of
from leaderboard.launcher.supervisor import RESTART_AFTER_S, Child, Supervisor

ROOT = Path(__file__).parents[2]
LAUNCHER = """
import sys, time
from pathlib import Path
from leaderboard.launcher.supervisor import RESTART_AFTER_S, Child, Supervisor
child = Child("child", ["sleep", "60"], {"PATH": "/usr/bin:/bin"}, Path(sys.argv[1]))
supervisor = Supervisor([child])
supervisor.start()
print(child.process.pid, flush=True)
time.sleep(60)
"""

ANSWER = """
import socket, sys
visitor, _ = socket.socket(fileno=int(sys.argv[1])).accept()
visitor.sendall(b"served")
"""
OPEN = """
import os, sys
for number in map(int, sys.argv[1:]):
    try:
        os.fstat(number)
        print("open")
    except OSError:
        print("closed")
"""


def test_children_end_with_a_killed_launcher(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LAUNCHER, str(tmp_path / "log")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as launcher:
        assert launcher.stdout
        pid = int(launcher.stdout.readline())
        wait_for(lambda: b"sleep" in cmdline(pid).split(b"\0")[0])
        os.kill(launcher.pid, signal.SIGKILL)
    wait_for(lambda: not is_running(pid))


def wait_for(condition: object) -> None:
    deadline = time.monotonic() + 300
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.02)


def cmdline(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def is_running(pid: int) -> bool:
    """False for one that has ended, whether or not somebody has taken note of it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.enable_socket
def test_a_site_keeps_its_port_from_the_start() -> None:
    """Also while no web server answers there, so that two that start at once never share one."""
    with listen(8790) as first, listen(8790) as second:
        assert url_of(first) != url_of(second)
        with pytest.raises(OSError, match="in use"):
            socket.create_server(first.getsockname())


@pytest.mark.enable_socket
def test_who_comes_while_the_server_is_started_again_waits_for_it(tmp_path: Path) -> None:
    with listen(8790) as listener:
        number = listener.fileno()
        command = [sys.executable, "-c", ANSWER, str(number)]
        child = Child("web", command, {"PATH": "/usr/bin:/bin"}, tmp_path / "log", [number])
        supervisor = Supervisor([child], tell=lambda _: None)
        supervisor.start()
        with socket.create_connection(listener.getsockname(), timeout=60) as visitor:
            assert visitor.recv(6) == b"served"
        assert child.process is not None
        child.process.wait(60)
        with socket.create_connection(listener.getsockname(), timeout=60) as early:
            supervisor.check(now=0)
            assert child.process is None, "nobody serves at this moment"
            supervisor.check(now=RESTART_AFTER_S)
            assert early.recv(6) == b"served"
        supervisor.stop()


@pytest.mark.enable_socket
@pytest.mark.sandbox
def test_a_process_gets_the_socket_that_is_kept_for_it_and_nothing_else(tmp_path: Path) -> None:
    (vault := tmp_path / "vault").mkdir()
    with listen(8790) as kept, listen(8790) as other:
        numbers = (kept.fileno(), other.fileno())
        other.set_inheritable(True)
        command = hidden_vault_command(
            [sys.executable, "-c", OPEN, *map(str, numbers)], vault=vault, kept=[kept.fileno()]
        )
        child = Child("child", command, {"PATH": "/usr/bin:/bin"}, tmp_path / "log", [kept.fileno()])
        Supervisor([child]).start()
        assert child.process is not None
        assert child.process.wait(60) == 0, child.log.read_text()
    assert child.log.read_text().split() == ["open", "closed"]


@pytest.mark.parametrize(
    ("name", "told"), [("MLEB_VAULT", {"grading"}), ("MLEB_SECOND_READING_KEY", {"evidence"})]
)
def test_a_secret_is_told_to_the_one_process_that_needs_it(
    monkeypatch: pytest.MonkeyPatch, name: str, told: set[str]
) -> None:
    monkeypatch.setenv(name, "secret")
    specs = site_processes("python", Path("/var/none"), 3, 1)
    assert {spec.name for spec in specs if name in environment_of(spec, "http://127.0.0.1:8000")} == told


def test_each_process_gets_the_address_of_its_own_role_and_of_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://owner@host/name")
    monkeypatch.setenv("MLEB_DATABASE_PASSWORD_WEB", "secret")
    for name in ("WEB", "GRADING"):
        monkeypatch.setenv(f"DATABASE_URL_{name}", f"postgres://{name.lower()}@host/name")
    told = {
        spec.name: environment_of(spec, "http://127.0.0.1:8000")
        for spec in site_processes("python", Path("/var/none"), 3, 1)
    }
    assert told["web"]["DATABASE_URL"] == "postgres://web@host/name"
    assert told["grading"]["DATABASE_URL"] == "postgres://grading@host/name"
    assert told["intake"]["DATABASE_URL"] == "postgres://owner@host/name"
    given = {name for environment in told.values() for name in environment}
    assert not [name for name in given if name.startswith(("DATABASE_URL_", "MLEB_DATABASE_PASSWORD_"))]
