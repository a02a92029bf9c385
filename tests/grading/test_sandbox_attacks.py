"""What hostile code can do in the sandbox: each attack really made, cold and warm, as root or as who runs this.

`test_sandbox_user_mode.py` runs this file again as an ordinary user when root runs the tests.
"""

import errno
import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyseccomp
import pytest

from grading.sandbox.policy import Limits, Mount, grading_mounts
from grading.sandbox.runner import OUT_OF_MEMORY_EXIT, Outcome, SandboxResult, run_sandboxed
from grading.sandbox.seccomp import DENIED, NEW_NAMESPACE_FLAGS
from grading.sandbox.warm import WarmPool

pytestmark = pytest.mark.sandbox

SMALL = Limits(wall_s=10, cpu_s=8, memory_mb=200, processes=16, output_bytes=100_000, file_mb=2)
ROOMY = replace(SMALL, memory_mb=2000)  # for many processes: what they share counts for each
PRELUDE = """
import ctypes, json, os, resource, signal, socket, sys, time
def say(what): os.write(int(os.environ["RESULT_FD"]), json.dumps(what).encode())
def tried(action):
    try: return repr(action())
    except (OSError, MemoryError, ValueError) as error: return type(error).__name__
"""


class Box:
    """A cold sandbox, made for each attack."""

    is_warm = False

    def attack(
        self, code: str, *, limits: Limits = SMALL, mounts: Sequence[Mount] = (), stdin: bytes = b""
    ) -> SandboxResult:
        return run_sandboxed(
            ["python", "-I", "-c", PRELUDE + code], limits=limits, mounts=mounts, stdin=stdin
        )

    def said(self, code: str, **given: Any) -> Any:
        """What the code wrote to the result descriptor; it must have ended well."""
        result = self.attack(code, **given)
        assert result.outcome is Outcome.FINISHED, result
        return json.loads(result.payload)


class WarmBox(Box):
    """A child of a template, which has survived all attacks before."""

    is_warm = True

    def __init__(self, pool: WarmPool) -> None:
        self.pool = pool

    def attack(
        self, code: str, *, limits: Limits = SMALL, mounts: Sequence[Mount] = (), stdin: bytes = b""
    ) -> SandboxResult:
        assert not mounts
        return self.pool.run_code(PRELUDE + code, limits=limits, stdin=stdin)


@pytest.fixture(scope="module")
def pool() -> Iterator[WarmPool]:
    pool = WarmPool([1])
    yield pool
    pool.close()


@pytest.fixture(params=["cold", "warm"])
def box(request: pytest.FixtureRequest) -> Box:
    return WarmBox(request.getfixturevalue("pool")) if request.param == "warm" else Box()


@pytest.fixture
def cold() -> Box:
    """For what a warm grading does not have: /proc, a place to write, files with names."""
    return Box()


def alive_with(marker: str) -> list[str]:
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if marker.encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
        except OSError:
            continue
    return found


# --- memory, processor, time, output ---


def test_eight_gigabytes_at_once(box: Box) -> None:
    assert box.said("say(tried(lambda: len(bytearray(8 << 30))))") == "MemoryError"


def test_uncaught_memory_error_is_a_crash_with_its_reason_in_the_log(box: Box) -> None:
    result = box.attack("bytearray(8 << 30)")
    assert (result.outcome, result.exit_code) == (Outcome.CRASHED, 1)
    assert b"MemoryError" in result.log


def test_command_may_report_that_memory_ran_out(box: Box) -> None:
    assert box.attack(f"sys.exit({OUT_OF_MEMORY_EXIT})").outcome is Outcome.OUT_OF_MEMORY


def test_slow_growth(box: Box) -> None:
    result = box.attack("kept = []\nwhile True: kept.append(bytearray(b'x') * (4 << 20)); time.sleep(0.005)")
    assert result.outcome is Outcome.OUT_OF_MEMORY
    assert 200 < result.peak_memory_mb < 400
    assert result.exit_code is None


def test_many_children_share_the_memory_limit(box: Box) -> None:
    code = """
for _ in range(10):
    if os.fork() == 0: break
kept = bytearray(b"x") * (60 << 20)
time.sleep(30)
"""
    assert box.attack(code).outcome is Outcome.OUT_OF_MEMORY


def test_fork_bomb_is_refused(box: Box) -> None:
    code = """
count = 0
try:
    while count < 100:
        if os.fork() == 0: time.sleep(30)
        count += 1
except BlockingIOError: pass
say(count)
"""
    assert 10 <= box.said(code, limits=ROOMY) <= 16


def test_exponential_fork_bomb_ends_at_the_wall(box: Box) -> None:
    code = "import sys\nwhile True:\n try: os.fork()\n except OSError: pass"
    result = box.attack(code, limits=replace(ROOMY, wall_s=0.7))
    assert result.outcome is Outcome.TIMED_OUT
    assert (
        box.attack("say(os.fork() >= 0)").outcome is Outcome.FINISHED
    )  # the next one in this slot is not disturbed


def test_loop_ends_at_the_processor_limit(box: Box) -> None:
    result = box.attack("while True: pass", limits=Limits(wall_s=60, cpu_s=1))
    # The first process of a namespace is spared the warning, so the hard limit ends it, a second later.
    assert (result.outcome, result.exit_code) == (Outcome.TIMED_OUT, 137 if box.is_warm else 152)


def test_loop_that_ignores_the_warning(box: Box) -> None:
    result = box.attack(
        "signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass", limits=Limits(wall_s=60, cpu_s=1)
    )
    assert (result.outcome, result.exit_code) == (Outcome.TIMED_OUT, 137)


def test_sleep_with_all_signals_ignored_ends_at_the_wall(box: Box) -> None:
    code = "for n in set(signal.Signals) - {9, 19}: signal.signal(n, signal.SIG_IGN)\ntime.sleep(60)"
    result = box.attack(code, limits=Limits(wall_s=0.4))
    assert result.outcome is Outcome.TIMED_OUT
    assert 0.4 <= result.wall_s < 2


@pytest.mark.parametrize("descriptor", ["1", "2", "int(os.environ['RESULT_FD'])"])
def test_endless_output(box: Box, descriptor: str) -> None:
    result = box.attack(f"while True: os.write({descriptor}, b'x' * 65536)")
    assert result.outcome is Outcome.KILLED_OUTPUT
    assert max(len(result.payload), len(result.log)) == SMALL.output_bytes


def test_output_up_to_the_limit_is_whole(box: Box) -> None:
    result = box.attack(f"say('x' * {SMALL.output_bytes - 2})")
    assert (result.outcome, len(result.payload)) == (Outcome.FINISHED, SMALL.output_bytes)


def test_crash_by_signal(box: Box) -> None:
    result = box.attack("ctypes.string_at(0)")
    assert (result.outcome, result.exit_code) == (Outcome.CRASHED, 139)


def test_limits_cannot_be_raised(box: Box) -> None:
    code = """
limits = (resource.RLIMIT_AS, resource.RLIMIT_NPROC)
say([tried(lambda: resource.setrlimit(limit, (-1, -1))) for limit in limits])
"""
    assert box.said(code) == ["ValueError", "ValueError"]


# --- files ---


@pytest.fixture
def job(tmp_path: Path) -> tuple[Mount, ...]:
    submission, answers = tmp_path / "submission.csv", tmp_path / "answers.csv"
    submission.write_text("id,target\n1,yes\n")
    answers.write_text("id,target\n1,no\n")
    answers.chmod(0o600)
    return grading_mounts(submission=submission, answers=answers)


def test_sees_its_files_even_private_ones(cold: Box, job: tuple[Mount, ...]) -> None:
    code = "say([open(name).read() for name in ('/in/submission.csv', '/answers/answers.csv')])"
    assert cold.said(code, mounts=job) == ["id,target\n1,yes\n", "id,target\n1,no\n"]


def test_nothing_can_be_written(cold: Box, job: tuple[Mount, ...]) -> None:
    code = """
mounted = [line.split()[4] for line in open("/proc/self/mountinfo")]
places = [os.path.join(path, "x") if os.path.isdir(path) else path for path in mounted]
places += ["/answers/x", "/in/x", "/dev/x", "/dev/shm/x", "/tmp/x", "/usr/bin/env", sys.executable]
places += ["/proc/1/mem", "/proc/self/mem", "/proc/self/comm", "/proc/sys/kernel/core_pattern", os.__file__]
def write(path): os.close(os.open(path, os.O_WRONLY | os.O_CREAT))
written = [path for path in places if tried(lambda: write(path)) == "None"]
name = "/answers/answers.csv"
say([written, tried(lambda: os.remove(name)), tried(lambda: os.chmod(name, 511))])
"""
    devices = ["/dev/null", "/dev/full", "/dev/random", "/dev/urandom"]
    assert cold.said(code, mounts=job) == [devices, "OSError", "PermissionError"]


def test_host_files_are_absent(box: Box, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("host")
    secret.chmod(0o644)
    names = ["/etc/shadow", "/etc/passwd", "/home", "/var", "/dev/vda", "/sys", "/run", "/boot", str(secret)]
    names += [
        f"/proc/1/root{secret}",
        f"/proc/self/root{secret}",
        str(Path(__file__)),
        f"/proc/1/cwd{secret}",
    ]
    assert box.said(f"say([name for name in {names!r} if os.path.exists(name)])") == []


def test_links_lead_nowhere(cold: Box) -> None:
    code = """
def follow(target):
    os.symlink(target, "/tmp/link")
    try: return open("/tmp/link").read()
    finally: os.unlink("/tmp/link")
say([tried(lambda: follow(t)) for t in ("/etc/shadow", "/proc/1/root/etc/shadow", "/proc/1/environ")])
"""
    refused = {"FileNotFoundError", "PermissionError", "''"}  # in user mode environ is readable, and empty
    assert set(cold.said(code, limits=Limits(tmp_mb=1))) <= refused


def test_secrets_of_the_worker_are_absent(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "canary-value")
    code = """
found = []
for pid in filter(str.isdigit, os.listdir("/proc") if os.path.exists("/proc") else []):
    found.append(tried(lambda: b"canary-value" in open(f"/proc/{pid}/environ", "rb").read()))
say(found + ["canary-value" in str(os.environ)])
"""
    assert "True" not in map(str, box.said(code))


def test_only_its_own_processes_are_there(cold: Box) -> None:
    assert len(cold.said("say([p for p in os.listdir('/proc') if p.isdigit()])")) == 2


def test_only_the_result_descriptor_is_inherited(box: Box) -> None:
    with open("/etc/hostname") as kept:
        os.set_inheritable(kept.fileno(), True)
        code = """
there = [fd for fd in range(1024) if tried(lambda: os.fstat(fd)) != "OSError"]
say([there, int(os.environ["RESULT_FD"])])
"""
        there, result = box.said(code)
    assert there == [0, 1, 2, result]


def test_tmp_is_bounded_in_bytes_and_in_size_of_one_file(cold: Box) -> None:
    code = """
def fill(name, size):
    with open(name, "wb", buffering=0) as file:
        for _ in range(size): file.write(b"x" * (1 << 20))
say([tried(lambda: fill("/tmp/big", 3))] + [tried(lambda: fill(f"/tmp/{n}", 2)) for n in range(4)])
"""
    assert cold.said(code, limits=Limits(tmp_mb=8, file_mb=2)) == [
        "OSError",
        "None",
        "None",
        "None",
        "OSError",
    ]


def test_flood_of_inodes(cold: Box) -> None:
    result = cold.attack(
        "n = 0\nwhile True: n += 1; os.close(os.open(f'/tmp/{n}', os.O_CREAT))", limits=Limits(tmp_mb=8)
    )
    assert result.outcome is Outcome.OUT_OF_MEMORY


# --- network, other processes, the kernel ---


def test_no_network(box: Box) -> None:
    code = """
say([tried(lambda: socket.create_connection(("127.0.0.1", 22), 1)),
     tried(lambda: socket.socket(socket.AF_UNIX)),
     tried(lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)), tried(lambda: socket.socketpair()),
     tried(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)),
     tried(lambda: socket.getaddrinfo("example.org", 80))])
"""
    assert box.said(code) == ["PermissionError"] * 5 + ["gaierror"]


def test_only_the_loopback_device_is_there(cold: Box) -> None:
    assert cold.said("say([l.split(':')[0].strip() for l in open('/proc/net/dev')][2:])") == ["lo"]


def test_refused_system_calls(box: Box) -> None:
    native = pyseccomp.Arch.NATIVE
    numbers = {name: number for name in DENIED if (number := pyseccomp.resolve_syscall(native, name)) >= 0}
    assert {"memfd_create", "ptrace", "mount", "bpf", "io_uring_setup", "socket", "open_by_handle_at"} <= set(
        numbers
    )
    code = """
libc = ctypes.CDLL(None, use_errno=True)
def refused(number): return libc.syscall(number, 0, 0, 0, 0, 0, 0) == -1 and ctypes.get_errno() == 1
say([name for name, number in json.load(sys.stdin).items() if not refused(number)])
"""
    assert box.said(code, stdin=json.dumps(numbers).encode()) == []


def test_no_memory_is_shared_without_being_counted(box: Box) -> None:
    code = """
import mmap
def take(kind): mmap.mmap(-1, 4096, flags=kind | mmap.MAP_ANONYMOUS).close()
say([tried(lambda: take(mmap.MAP_SHARED)), tried(lambda: take(mmap.MAP_PRIVATE)), os.path.exists("/dev/zero")])
"""
    assert box.said(code) == ["PermissionError", "None", False]


def test_no_new_namespaces_by_clone(box: Box) -> None:
    clone, clone3 = (pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name) for name in ("clone", "clone3"))
    code = f"""
libc = ctypes.CDLL(None, use_errno=True)
def error(*call): return libc.syscall(*call) == -1 and ctypes.get_errno()
flags = json.load(sys.stdin)
say([error({clone3}, 0, 0)] + [error({clone}, flag | 17, 0, 0, 0, 0) for flag in flags])
"""
    refused = [errno.EPERM] * len(NEW_NAMESPACE_FLAGS)
    assert box.said(code, stdin=json.dumps(NEW_NAMESPACE_FLAGS).encode()) == [errno.ENOSYS, *refused]


def test_no_privileges_left(cold: Box) -> None:
    code = """
lines = dict(line.split(":\\t", 1) for line in open("/proc/self/status") if ":\\t" in line)
names = ("CapEff", "CapPrm", "CapInh", "CapBnd", "CapAmb")
say([[int(lines[n], 16) for n in names], lines["Seccomp"].strip(), lines["NoNewPrivs"].strip(),
     0 in os.getresuid(),
     tried(lambda: os.setuid(0)) != "None", tried(lambda: os.setgroups([0])) != "None"])
"""
    assert cold.said(code) == [[0] * 5, "2", "1", False, True, True]


# --- nothing is left, whatever happens ---


def test_background_process_dies_with_its_sandbox(box: Box) -> None:
    marker = f"{time.time_ns()}"
    code = f"""
if (child := os.fork()) == 0:
    os.setsid()
    for n in set(signal.Signals) - {{9, 19}}: signal.signal(n, signal.SIG_IGN)
    os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(60)", "{marker}"])
time.sleep(0.3)
say(tried(lambda: os.kill(child, 0)))
"""
    assert box.said(code) == "None"
    assert alive_with(marker) == []


def test_no_descriptor_is_left_in_the_worker(box: Box) -> None:
    box.attack("pass")
    before = len(os.listdir("/proc/self/fd"))
    box.attack("pass")
    box.attack("while True: os.write(1, b'x' * 65536)")
    assert len(os.listdir("/proc/self/fd")) == before
