"""Code run as the web process finds no answer: not by path, not by environment, not through another process.

`test_isolation_as_user.py` runs this file again as an ordinary user when root runs the tests.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from grading.sandbox.errors import SandboxUnavailable
from grading.vault import Vault
from leaderboard.isolation import CHECKOUT, hidden_vault_command

pytestmark = pytest.mark.sandbox

CANARY = "canary-answer-7c1e"
PROBE = Path(__file__).with_name("isolation_probe.py")


@dataclass
class Place:
    """A home with a vault in it, and a var directory, like those of one ordinary user."""

    home: Path
    var: Path
    vault: Vault
    answers: Path

    def command(self, *argv: str, **changes: object) -> list[str]:
        given = {"vault": self.vault.root, "writable": [self.var], **changes}
        return hidden_vault_command([sys.executable, *argv], **given)  # type: ignore[arg-type]


BOTH_PLACES = pytest.mark.parametrize("place", ["home", "elsewhere"], indirect=True)


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """The vault within the home, which is emptied, or apart from it, where it is covered."""
    home, var = tmp_path / "home", tmp_path / "var"
    home.mkdir()
    var.mkdir()
    monkeypatch.setenv("HOME", str(home))
    where = getattr(request, "param", "home")
    if where == "elsewhere":
        # What is emptied is decided by name; the rest of the file system is seen.
        monkeypatch.setattr("leaderboard.isolation.MEETING_PLACES", ("/var/tmp", "/run"))
    root = home / "vault" if where == "home" else tmp_path / "vault"
    vault = Vault(root)
    return Place(home, var, vault, vault.store("demo", 1, CANARY.encode()).path)


@pytest.fixture
def sibling(place: Place) -> Iterator[subprocess.Popen[bytes]]:
    """A grading worker: same user, canary in its environment, answers open, the vault its folder."""
    code = "import sys, time; kept = open(sys.argv[1]); print('ready', flush=True); time.sleep(600)"
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(place.answers)],
        env={**os.environ, "ANSWER": CANARY},
        cwd=place.vault.root,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    yield process
    process.kill()
    process.communicate()


def probe(place: Place, what: str, **given: object) -> object:
    """What the probe reports when it runs as the web process would."""
    wanted = json.dumps({"canary": CANARY, "answers": str(place.answers), "var": str(place.var), **given})
    with open(place.answers) as inherited:
        os.set_inheritable(inherited.fileno(), True)
        done = subprocess.run(
            place.command(str(PROBE), what, wanted),
            capture_output=True,
            text=True,
            timeout=600,
            pass_fds=(inherited.fileno(),),
        )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@BOTH_PLACES
@pytest.mark.parametrize("what", ["paths", "environment", "processes", "descriptors", "mounts"])
def test_canary_is_not_found(place: Place, sibling: subprocess.Popen[bytes], what: str) -> None:
    assert probe(place, what, sibling=sibling.pid) == []


def test_the_probe_finds_it_where_nothing_is_hidden(place: Place, sibling: subprocess.Popen[bytes]) -> None:
    """Otherwise the tests above would prove nothing."""
    wanted = json.dumps(
        {"canary": CANARY, "answers": str(place.answers), "var": str(place.var), "sibling": sibling.pid}
    )
    for what in ("paths", "environment", "processes"):
        done = subprocess.run(
            [sys.executable, str(PROBE), what, wanted], capture_output=True, text=True, check=True
        )
        assert json.loads(done.stdout), what


def test_nothing_can_be_planted_for_programs_outside(place: Place) -> None:
    """Only var may be written: no code, start-up file, schedule or kernel setting that another would run."""
    (place.home / ".bashrc").write_text("")
    targets = [CHECKOUT / "manage.py", CHECKOUT / "sitecustomize.py", CHECKOUT / ".git/hooks/post-commit"]
    targets += [
        Path(sys.prefix, "bin/x"),
        Path(sys.prefix, "pyvenv.cfg"),
        Path(os.__file__),
        Path("/etc/profile.d/x"),
    ]
    targets += [Path("/var/spool/cron/x"), Path("/proc/sys/kernel/core_pattern"), Path("/usr/local/bin/x")]
    targets += [place.home / ".bashrc", place.home / ".local/lib/python3.11/site-packages/x.pth"]
    before = {path: path.stat().st_mtime_ns for path in targets if path.exists()}
    written = probe(place, "plant", targets=[str(path) for path in targets])
    assert {path: path.stat().st_mtime_ns for path in targets if path.exists()} == before
    # What it wrote at home lies in memory, and is gone.
    assert all(str(name).startswith(str(place.home)) for name in written)  # type: ignore[attr-defined]


def test_var_is_shared(place: Place) -> None:
    code = f"open({str(place.var / 'kept')!r}, 'w').write('x')"
    subprocess.run(place.command("-c", code), check=True, timeout=600)
    assert (place.var / "kept").read_text() == "x"


def test_sockets_of_other_programs_are_absent(place: Place) -> None:
    path = Path("/var/tmp", f"isolation-{os.getpid()}")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        try:
            assert probe(place, "sockets", paths=[str(path), "/run/docker.sock", "/run/user"]) == []
        finally:
            path.unlink()


def test_nothing_but_var_is_mounted_writable(place: Place) -> None:
    assert probe(place, "writable_mounts") == [str(place.var)]


def test_extra_files_and_directories_are_hidden(place: Place) -> None:
    key, folder = place.var / "signing.key", place.var / "keys"
    key.write_text(CANARY)
    folder.mkdir()
    (folder / "a").write_text(CANARY)
    code = f"import os; assert not os.listdir({str(folder)!r})"
    code += f"\ntry: assert not open({str(key)!r}).read()\nexcept PermissionError: pass"
    subprocess.run(place.command("-c", code, extra_hidden=[key, folder]), check=True, timeout=600)


def test_site_still_works_inside(place: Place) -> None:
    """The interpreter, its packages, temporary files, locks between processes, and the name of the user."""
    code = (
        "import django, numpy, tempfile, multiprocessing as m; m.Lock(); tempfile.TemporaryFile(); m.Queue()"
    )
    subprocess.run(place.command("-c", code), check=True, timeout=600, cwd=CHECKOUT)


STOPPABLE = """
import pathlib, signal, sys, time
var = pathlib.Path(sys.argv[1])
def stop(number, frame): time.sleep(0.2); var.joinpath("stopped").write_text(str(number)); sys.exit(3)
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(number, stop)
var.joinpath("started").write_text("")
time.sleep(600)
"""


def start_stoppable(place: Place) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(place.command("-c", STOPPABLE, str(place.var)))
    deadline = time.monotonic() + 300
    while not (place.var / "started").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signal_reaches_the_program_for_a_graceful_stop(place: Place, number: signal.Signals) -> None:
    process = start_stoppable(place)
    process.send_signal(number)
    assert process.wait(300) == 3
    assert (place.var / "stopped").read_text() == str(int(number))


def test_program_dies_with_its_launcher(place: Place) -> None:
    process = start_stoppable(place)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 300
    while any(str(place.var).encode() in command for command in command_lines()):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def command_lines() -> Iterator[bytes]:
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            yield Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue


@pytest.mark.parametrize(
    ("code", "status"), [("raise SystemExit(7)", 7), ("import os; os.kill(os.getpid(), 6)", 134)]
)
def test_exit_status_is_handed_on(place: Place, code: str, status: int) -> None:
    assert subprocess.run(place.command("-c", code), timeout=600).returncode == status


def test_vault_must_exist_before(tmp_path: Path) -> None:
    with pytest.raises(SandboxUnavailable, match="Create it before"):
        hidden_vault_command(["true"], vault=tmp_path / "later")


@pytest.mark.parametrize("writable", [".", "vault", "vault/answers"])
def test_vault_must_not_overlap_what_is_writable(tmp_path: Path, writable: str) -> None:
    (tmp_path / "vault/answers").mkdir(parents=True)
    with pytest.raises(SandboxUnavailable, match="overlaps"):
        hidden_vault_command(["true"], vault=tmp_path / "vault", writable=[tmp_path / writable])
