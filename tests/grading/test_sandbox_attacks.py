"""What hostile code can do in the sandbox: each attack really made, as root or as the user who runs this.

`test_sandbox_user_mode.py` runs this file again as an ordinary user when root runs the tests.
"""

import errno
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyseccomp
import pytest

from grading.sandbox.policy import Limits, Mount, grading_mounts
from grading.sandbox.runner import OUT_OF_MEMORY_EXIT, Outcome, SandboxResult, run_sandboxed
from grading.sandbox.seccomp import DENIED, NEW_NAMESPACE_FLAGS

pytestmark = pytest.mark.sandbox

SMALL = Limits(wall_s=10, cpu_s=8, memory_mb=200, processes=16, output_bytes=100_000, file_mb=2)
PRELUDE = """
import ctypes, json, os, resource, signal, socket, sys, time
def say(what): os.write(int(os.environ["RESULT_FD"]), json.dumps(what).encode())
def tried(action):
    try: return repr(action())
    except (OSError, MemoryError, ValueError) as error: return type(error).__name__
"""


def attack(
    code: str, *, limits: Limits = SMALL, mounts: Sequence[Mount] = (), stdin: bytes = b""
) -> SandboxResult:
    return run_sandboxed(["python", "-I", "-c", PRELUDE + code], limits=limits, mounts=mounts, stdin=stdin)


def said(code: str, **given: Any) -> Any:
    """What the code wrote to the result descriptor; it must have ended well."""
    result = attack(code, **given)
    assert result.outcome is Outcome.FINISHED, result
    return json.loads(result.payload)


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


def test_eight_gigabytes_at_once() -> None:
    assert said("say(tried(lambda: len(bytearray(8 << 30))))") == "MemoryError"


def test_uncaught_memory_error_is_a_crash_with_its_reason_in_the_log() -> None:
    result = attack("bytearray(8 << 30)")
    assert (result.outcome, result.exit_code) == (Outcome.CRASHED, 1)
    assert b"MemoryError" in result.log


def test_command_may_report_that_memory_ran_out() -> None:
    assert attack(f"sys.exit({OUT_OF_MEMORY_EXIT})").outcome is Outcome.OUT_OF_MEMORY


def test_slow_growth() -> None:
    result = attack("kept = []\nwhile True: kept.append(bytearray(b'x') * (4 << 20)); time.sleep(0.005)")
    assert result.outcome is Outcome.OUT_OF_MEMORY
    assert 200 < result.peak_memory_mb < 400
    assert result.exit_code is None


def test_many_children_share_the_memory_limit() -> None:
    code = """
for _ in range(10):
    if os.fork() == 0: break
kept = bytearray(b"x") * (60 << 20)
time.sleep(30)
"""
    assert attack(code).outcome is Outcome.OUT_OF_MEMORY


def test_fork_bomb_is_refused() -> None:
    code = """
count = 0
try:
    while count < 100:
        if os.fork() == 0: time.sleep(30)
        count += 1
except BlockingIOError: pass
say(count)
"""
    assert 10 <= said(code) <= 16


def test_exponential_fork_bomb_ends_at_the_wall() -> None:
    code = "import sys\nwhile True:\n try: os.fork()\n except OSError: pass"
    result = attack(code, limits=Limits(wall_s=0.7, cpu_s=8, memory_mb=500, processes=16))
    assert result.outcome is Outcome.TIMED_OUT
    assert (
        attack("say(os.fork() >= 0)").outcome is Outcome.FINISHED
    )  # the next one in this slot is not disturbed


def test_loop_ends_at_the_processor_limit() -> None:
    result = attack("while True: pass", limits=Limits(wall_s=9, cpu_s=1))
    assert (result.outcome, result.exit_code) == (Outcome.TIMED_OUT, 152)


def test_loop_that_ignores_the_warning() -> None:
    result = attack(
        "signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass", limits=Limits(wall_s=9, cpu_s=1)
    )
    assert (result.outcome, result.exit_code) == (Outcome.TIMED_OUT, 137)


def test_sleep_with_all_signals_ignored_ends_at_the_wall() -> None:
    code = "for n in set(signal.Signals) - {9, 19}: signal.signal(n, signal.SIG_IGN)\ntime.sleep(60)"
    result = attack(code, limits=Limits(wall_s=0.4))
    assert result.outcome is Outcome.TIMED_OUT
    assert 0.4 <= result.wall_s < 2


@pytest.mark.parametrize("descriptor", ["1", "2", "int(os.environ['RESULT_FD'])"])
def test_endless_output(descriptor: str) -> None:
    result = attack(f"while True: os.write({descriptor}, b'x' * 65536)")
    assert result.outcome is Outcome.KILLED_OUTPUT
    assert max(len(result.payload), len(result.log)) == SMALL.output_bytes


def test_output_up_to_the_limit_is_whole() -> None:
    result = attack(f"say('x' * {SMALL.output_bytes - 2})")
    assert (result.outcome, len(result.payload)) == (Outcome.FINISHED, SMALL.output_bytes)


def test_crash_by_signal() -> None:
    result = attack("os.kill(os.getpid(), signal.SIGSEGV)")
    assert (result.outcome, result.exit_code) == (Outcome.CRASHED, 139)


def test_limits_cannot_be_raised() -> None:
    code = """
limits = (resource.RLIMIT_AS, resource.RLIMIT_NPROC)
say([tried(lambda: resource.setrlimit(limit, (-1, -1))) for limit in limits])
"""
    assert said(code) == ["ValueError", "ValueError"]


# --- files ---


@pytest.fixture
def job(tmp_path: Path) -> tuple[Mount, ...]:
    submission, answers = tmp_path / "submission.csv", tmp_path / "answers.csv"
    submission.write_text("id,target\n1,yes\n")
    answers.write_text("id,target\n1,no\n")
    answers.chmod(0o600)
    return grading_mounts(submission=submission, answers=answers)


def test_sees_its_files_even_private_ones(job: tuple[Mount, ...]) -> None:
    code = "say([open(name).read() for name in ('/in/submission.csv', '/answers/answers.csv')])"
    assert said(code, mounts=job) == ["id,target\n1,yes\n", "id,target\n1,no\n"]


def test_nothing_can_be_written(job: tuple[Mount, ...]) -> None:
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
    devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]
    assert said(code, mounts=job) == [devices, "OSError", "OSError"]


def test_host_files_are_absent(tmp_path: Path) -> None:
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
    assert said(f"say([name for name in {names!r} if os.path.exists(name)])") == []


def test_links_lead_nowhere() -> None:
    code = """
def follow(target):
    os.symlink(target, "/tmp/link")
    try: return open("/tmp/link").read()
    finally: os.unlink("/tmp/link")
say([tried(lambda: follow(t)) for t in ("/etc/shadow", "/proc/1/root/etc/shadow", "/proc/1/environ")])
"""
    refused = {"FileNotFoundError", "PermissionError", "''"}  # in user mode environ is readable, and empty
    assert set(said(code, limits=Limits(tmp_mb=1))) <= refused


def test_secrets_of_the_worker_are_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "canary-value")
    code = """
found = []
for pid in filter(str.isdigit, os.listdir("/proc")):
    found.append(tried(lambda: b"canary-value" in open(f"/proc/{pid}/environ", "rb").read()))
say(found + ["canary-value" in str(os.environ)])
"""
    assert "True" not in map(str, said(code))


def test_only_its_own_processes_are_there() -> None:
    assert len(said("say([p for p in os.listdir('/proc') if p.isdigit()])")) == 2


def test_only_the_result_descriptor_is_inherited() -> None:
    with open("/etc/hostname") as kept:
        os.set_inheritable(kept.fileno(), True)
        code = """
there = [fd for fd in map(int, os.listdir("/proc/self/fd")) if os.path.exists(f"/proc/self/fd/{fd}")]
say([sorted(there), int(os.environ["RESULT_FD"])])
"""
        there, result = said(code)
    assert there == [0, 1, 2, result]


def test_tmp_is_bounded_in_bytes_and_in_size_of_one_file() -> None:
    code = """
def fill(name, size):
    with open(name, "wb", buffering=0) as file:
        for _ in range(size): file.write(b"x" * (1 << 20))
say([tried(lambda: fill("/tmp/big", 3))] + [tried(lambda: fill(f"/tmp/{n}", 2)) for n in range(4)])
"""
    assert said(code, limits=Limits(tmp_mb=8, file_mb=2)) == ["OSError", "None", "None", "None", "OSError"]


def test_flood_of_inodes() -> None:
    result = attack(
        "n = 0\nwhile True: n += 1; os.close(os.open(f'/tmp/{n}', os.O_CREAT))", limits=Limits(tmp_mb=8)
    )
    assert result.outcome is Outcome.OUT_OF_MEMORY


# --- network, other processes, the kernel ---


def test_no_network() -> None:
    code = """
say([tried(lambda: socket.create_connection(("127.0.0.1", 22), 1)),
     tried(lambda: socket.socket(socket.AF_UNIX)),
     tried(lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)), tried(lambda: socket.socketpair()),
     tried(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)),
     tried(lambda: socket.getaddrinfo("example.org", 80))])
"""
    assert said(code) == ["PermissionError"] * 5 + ["gaierror"]


def test_only_the_loopback_device_is_there() -> None:
    assert said("say([l.split(':')[0].strip() for l in open('/proc/net/dev')][2:])") == ["lo"]


def test_refused_system_calls() -> None:
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
    assert said(code, stdin=json.dumps(numbers).encode()) == []


def test_no_new_namespaces_by_clone() -> None:
    clone, clone3 = (pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name) for name in ("clone", "clone3"))
    code = f"""
libc = ctypes.CDLL(None, use_errno=True)
def error(*call): return libc.syscall(*call) == -1 and ctypes.get_errno()
flags = json.load(sys.stdin)
say([error({clone3}, 0, 0)] + [error({clone}, flag | 17, 0, 0, 0, 0) for flag in flags])
"""
    refused = [errno.EPERM] * len(NEW_NAMESPACE_FLAGS)
    assert said(code, stdin=json.dumps(NEW_NAMESPACE_FLAGS).encode()) == [errno.ENOSYS, *refused]


def test_no_privileges_left() -> None:
    code = """
lines = dict(line.split(":\\t", 1) for line in open("/proc/self/status") if ":\\t" in line)
names = ("CapEff", "CapPrm", "CapInh", "CapBnd", "CapAmb")
say([[int(lines[n], 16) for n in names], lines["Seccomp"].strip(), lines["NoNewPrivs"].strip(),
     0 in os.getresuid(),
     tried(lambda: os.setuid(0)) != "None", tried(lambda: os.setgroups([0])) != "None"])
"""
    assert said(code) == [[0] * 5, "2", "1", False, True, True]


# --- nothing is left, whatever happens ---


def test_background_process_dies_with_its_sandbox() -> None:
    marker = f"{time.time_ns()}"
    code = f"""
if os.fork() == 0:
    os.setsid()
    for n in set(signal.Signals) - {{9, 19}}: signal.signal(n, signal.SIG_IGN)
    os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(60)", "{marker}"])
time.sleep(0.3)
say(len([p for p in os.listdir("/proc") if p.isdigit()]))
"""
    assert said(code) == 3
    assert alive_with(marker) == []


def test_no_descriptor_is_left_in_the_worker() -> None:
    before = len(os.listdir("/proc/self/fd"))
    attack("pass")
    attack("while True: os.write(1, b'x' * 65536)")
    assert len(os.listdir("/proc/self/fd")) == before
