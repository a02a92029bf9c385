"""Gradings in gVisor: the outcomes of a cold sandbox, the canary's attacks, and nothing left of any of it.

`test_sandbox_gvisor_user.py` runs this file again as an ordinary user when root runs the tests.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grading.sandbox import gvisor, gvisor_policy
from grading.sandbox.cold import ColdPool
from grading.sandbox.errors import SandboxError, SandboxUnavailable
from grading.sandbox.gvisor import GVisorPool, without_mark
from grading.sandbox.gvisor_canary import HELD_MB, check_containers, kernel_verdicts
from grading.sandbox.host import this_host
from grading.sandbox.policy import Layout, Limits, Mode, Mount
from grading.sandbox.pool import Pool
from grading.sandbox.result import Outcome, SandboxResult
from grading.sandbox.runner import run_sandboxed
from grading.sandbox.watchdog import process_tree
from tests.grading.made_up import ANSWERS, JOB

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(
        not shutil.which("runsc", path=gvisor.PLACES), reason="gVisor is missing: apt-get install runsc"
    ),
]

CHECKOUT = Path(__file__).resolve().parents[2]
SLOT = 40
# Generous in time, which a busy machine takes; what a test means to exceed it sets itself.
SMALL = Limits(wall_s=120, cpu_s=60, memory_mb=200, processes=8, output_bytes=100_000)
PRELUDE = """
import ctypes, json, os, resource, signal, socket, sys, time
def say(what): os.write(int(os.environ["RESULT_FD"]), json.dumps(what).encode())
def tried(action):
    try: return repr(action())
    except (OSError, MemoryError, ValueError) as error: return type(error).__name__
"""


@pytest.fixture(scope="module")
def pool() -> GVisorPool:
    return GVisorPool(SLOT)


def said(pool: GVisorPool, code: str, limits: Limits = SMALL) -> Any:
    """What the code wrote to the result descriptor; it must have ended well."""
    result = pool.run_code(PRELUDE + code, limits=limits)
    assert result.outcome is Outcome.FINISHED, result
    return json.loads(result.payload)


# --- the same outcomes as in bubblewrap ---


@pytest.fixture
def graded(tmp_path: Path) -> Callable[[Pool, str], SandboxResult]:
    """The result of one CSV against ANSWERS."""

    def run(pool: Pool, rows: str) -> SandboxResult:
        for name, content in (("submission", rows), ("answers", ANSWERS)):
            (tmp_path / name).write_text(content)
        with open(tmp_path / "submission", "rb") as csv, open(tmp_path / "answers", "rb") as answers:
            return pool.run(JOB, csv.fileno(), answers.fileno(), Limits())

    return run


@pytest.mark.parametrize(
    "rows",
    ["id,y\nb,2\na,2\n", "id,y\na,x\nb,2\n", "id,y\na,1\n"],
    ids=["good", "text", "a row missing"],
)
def test_a_file_has_the_verdict_of_a_cold_grading(
    pool: GVisorPool, graded: Callable[[Pool, str], SandboxResult], rows: str
) -> None:
    ours, cold = graded(pool, rows), graded(ColdPool(SLOT), rows)
    assert (ours.outcome, ours.exit_code) == (Outcome.FINISHED, 0), ours
    assert _without_measures(ours) == _without_measures(cold)


def _without_measures(result: SandboxResult) -> dict[str, Any]:
    verdict: dict[str, Any] = json.loads(result.payload)
    return {name: value for name, value in verdict.items() if not name.endswith(("_s", "_mb"))}


FORKS = """
count = 0
try:
    while count < 100:
        if os.fork() == 0: time.sleep(60)
        count += 1
except BlockingIOError: pass
say(4 <= count <= 8)
"""


@pytest.mark.parametrize(
    ("code", "changed", "outcome"),
    [
        ("kept = []\nwhile True: kept.append(bytearray(b'x') * (4 << 20))", {}, Outcome.OUT_OF_MEMORY),
        ("bytearray(8 << 30)", {}, Outcome.CRASHED),
        ("sys.exit(77)", {}, Outcome.OUT_OF_MEMORY),
        ("time.sleep(60)", {"wall_s": 1}, Outcome.TIMED_OUT),
        ("while True: pass", {"cpu_s": 1}, Outcome.TIMED_OUT),
        (
            "signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass",
            {"cpu_s": 1},
            Outcome.TIMED_OUT,
        ),
        (FORKS, {"memory_mb": 2000}, Outcome.FINISHED),
        ("while True: os.write(1, b'x' * 65536)", {}, Outcome.KILLED_OUTPUT),
        ("while True: os.write(int(os.environ['RESULT_FD']), b'x' * 65536)", {}, Outcome.KILLED_OUTPUT),
        ("ctypes.string_at(0)", {}, Outcome.CRASHED),
    ],
)
def test_an_attack_ends_as_in_a_cold_sandbox(
    pool: GVisorPool, code: str, changed: dict[str, Any], outcome: Outcome
) -> None:
    limits = replace(SMALL, **changed)
    ours = pool.run_code(PRELUDE + code, limits=limits)
    cold = run_sandboxed(["python", "-I", "-c", PRELUDE + code], limits=limits, slot=SLOT)
    assert [ours.outcome, cold.outcome] == [outcome] * 2, (ours, cold)
    if outcome is Outcome.FINISHED:
        assert ours.payload == cold.payload == b"true"
    if outcome is Outcome.KILLED_OUTPUT:
        assert max(len(ours.payload), len(ours.log)) <= limits.output_bytes


def test_memory_is_counted_whoever_holds_it(pool: GVisorPool) -> None:
    """Four processes that are each within the limit, and not together."""
    code = "os.fork(); os.fork()\nkept = bytearray(b'x') * (80 << 20)\ntime.sleep(100)"
    result = pool.run_code(PRELUDE + code, limits=SMALL)
    assert result.outcome is Outcome.OUT_OF_MEMORY
    assert result.peak_memory_mb > SMALL.memory_mb


def test_what_is_printed_is_no_result(pool: GVisorPool) -> None:
    result = pool.run_code(PRELUDE + "print('printed', flush=True)\nsay([os.listdir('/proc')])")
    assert (result.outcome, result.payload, result.log) == (Outcome.FINISHED, b"[[]]", b"printed\n")


# --- what it sees ---


@pytest.mark.enable_socket
def test_all_that_the_canary_tries_holds(pool: GVisorPool, tmp_path: Path) -> None:
    report = check_containers(pool, SLOT, hidden=[tmp_path])
    assert {"uid", "privileges", "network", "secret_file", "hidden_paths", "memory", "processes"} <= set(
        report.probes
    )
    assert {"system_calls", "writes", "watchdog", "kernel", "memory_file"} <= set(report.probes)
    assert "runsc" in report.version


def test_nothing_of_the_host_is_there(
    pool: GVisorPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("host")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "canary-value")
    names = [str(secret), "/box", "/run", "/etc/passwd", "/home", "/var", "/dev/vda", "/boot", __file__]
    names += ["/proc/1", "/sys/class", str(CHECKOUT / "manage.py"), str(CHECKOUT / "var")]
    code = f"""
there = [fd for fd in range(256) if tried(lambda: os.fstat(fd)) != "OSError"]
seen = [name for name in {names!r} if os.path.exists(name)]
say([seen, "canary-value" in str(os.environ), there == [0, 1, 2, int(os.environ["RESULT_FD"])]])
"""
    assert said(pool, code) == [[], False, True]


def test_nothing_can_be_written(pool: GVisorPool) -> None:
    code = """
def write(path): os.close(os.open(path, os.O_WRONLY | os.O_CREAT))
places = [os.path.join(folder, "x") for folder, _, _ in os.walk("/dev")]
places += [f"/{name}/x" for name in os.listdir("/")] + ["/x", sys.executable, os.__file__, "/app/filter"]
say([place for place in places if tried(lambda: write(place)) == "None"])
"""
    assert said(pool, code) == []


def test_no_network(pool: GVisorPool) -> None:
    code = """
say([tried(lambda: socket.create_connection(("127.0.0.1", 22), 1)), tried(lambda: socket.socket(socket.AF_UNIX)),
     tried(lambda: socket.getaddrinfo("example.org", 80))])
"""
    assert said(pool, code) == ["PermissionError", "PermissionError", "gaierror"]


# --- it fails closed ---


def test_none_without_gvisor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gvisor, "PLACES", "/nonexistent")
    with pytest.raises(SandboxUnavailable, match=r"\(runsc\) was not found.*apt-get install runsc"):
        GVisorPool(SLOT)


@pytest.mark.parametrize(
    ("mode", "closed", "message"),
    [(Mode.INNER, False, "hides the vault"), (Mode.USER, True, "chmod -R o.rX")],
)
def test_none_where_it_could_not_stand(tmp_path: Path, mode: Mode, closed: bool, message: str) -> None:
    tmp_path.chmod(0o700)
    layout = Layout((Mount(tmp_path, "/x"),), (), "/x") if closed else this_host().layout
    with pytest.raises(SandboxUnavailable, match=message):
        GVisorPool(SLOT, replace(this_host(), mode=mode, layout=layout))


@pytest.mark.enable_socket
def test_a_gvisor_that_does_not_start_is_no_fault_of_the_file(tmp_path: Path) -> None:
    broken = tmp_path / "runsc"
    shutil.copy("/bin/false", broken)
    broken_pool = GVisorPool(SLOT, runsc=broken)
    with pytest.raises(SandboxError):
        broken_pool.run_code("pass")
    with pytest.raises(SandboxUnavailable, match=r"does not start.*MLEB_SANDBOX=bwrap"):
        check_containers(broken_pool, SLOT, hidden=[])


def test_a_flag_it_does_not_know(monkeypatch: pytest.MonkeyPatch, pool: GVisorPool) -> None:
    monkeypatch.setattr(gvisor_policy, "RUNSC_OPTIONS", ("--no-such-flag",))
    with pytest.raises(SandboxError, match="The sandbox did not start"):
        pool.run_code("pass")


@pytest.mark.enable_socket
def test_a_planted_fault_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Really: the canary's secret lies in a folder that the container sees."""
    seen = tmp_path / "seen"
    seen.mkdir()
    seen.chmod(0o755)
    layout = this_host().layout
    wider = replace(layout, mounts=(*layout.mounts, Mount(seen, str(seen))))
    monkeypatch.setattr(tempfile, "tempdir", str(seen))
    with pytest.raises(SandboxUnavailable, match="secret_file: reads a file of the host"):
        check_containers(GVisorPool(SLOT, replace(this_host(), layout=wider)), SLOT, hidden=[])


def result_of(**changed: Any) -> SandboxResult:
    usual = SandboxResult(Outcome.FINISHED, b'["4.4.0", "#1"]', 0, 1.0, HELD_MB + 20, b"said")
    return replace(usual, **changed)


@pytest.mark.parametrize(
    ("result", "failed"),
    [
        (result_of(), set()),
        (result_of(payload=json.dumps([os.uname().release, os.uname().version]).encode()), {"kernel"}),
        (result_of(peak_memory_mb=HELD_MB - 1), {"memory_file"}),
        (result_of(outcome=Outcome.CRASHED, payload=b""), {"kernel"}),
    ],
)
def test_a_container_on_the_hosts_kernel_or_unmeasured_does_not_hold(
    result: SandboxResult, failed: set[str]
) -> None:
    assert {name for name, fault in kernel_verdicts(result).items() if fault} == failed


def test_what_never_began_is_no_fault_of_the_file() -> None:
    assert without_mark(result_of(payload=b"\n{}")).payload == b"{}"
    killed = result_of(outcome=Outcome.TIMED_OUT, payload=b"", exit_code=None)
    assert without_mark(killed) == killed
    with pytest.raises(SandboxError, match="said"):
        without_mark(result_of(payload=b"", exit_code=128, outcome=Outcome.CRASHED))


# --- nothing is left ---


def traces() -> tuple[object, ...]:
    """What a container could leave: mounts, folders, processes, descriptors."""
    folders = [
        sorted(map(str, Path(place).glob("*runsc*"))) for place in ("/run", "/var/run", tempfile.gettempdir())
    ]
    mounts = Path("/proc/self/mountinfo").read_text()
    return mounts, folders, process_tree(os.getpid()), len(os.listdir("/proc/self/fd"))


def test_nothing_is_left_of_any_end(pool: GVisorPool) -> None:
    before = traces()
    said(pool, "say(1)")
    code = "if os.fork() == 0: os.setsid(); time.sleep(60)\n"
    assert pool.run_code(PRELUDE + code, limits=SMALL).outcome is Outcome.FINISHED
    code += "time.sleep(60)"
    assert pool.run_code(PRELUDE + code, limits=replace(SMALL, wall_s=2)).outcome is Outcome.TIMED_OUT
    assert traces() == before


def test_all_ends_with_the_worker() -> None:
    before = traces()
    code = "import os, time; os.fork(); time.sleep(100)"
    worker = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"from grading.sandbox.gvisor import GVisorPool; GVisorPool(41).run_code({code!r})",
        ],
        cwd=CHECKOUT,
    )
    # The worker, bubblewrap twice, runsc, its two servants, and what the kernel runs its processes by.
    assert eventually(lambda: len(process_tree(worker.pid)) >= 8)
    tree = process_tree(worker.pid)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert eventually(lambda: not any(map(is_alive, tree)))
    assert traces() == before


def is_alive(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def eventually(holds: Callable[[], bool], seconds: float = 120) -> bool:
    deadline = time.monotonic() + seconds
    while not (held := holds()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return held
