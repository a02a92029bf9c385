"""Warm gradings: what their walls keep out beyond the attacks on every sandbox, and what a template survives.

`test_sandbox_user_mode.py` runs this file again as an ordinary user when root runs the tests.
"""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from grading.sandbox import launch, template, warm
from grading.sandbox.cold import ColdPool
from grading.sandbox.errors import SandboxError, SandboxUnavailable
from grading.sandbox.host import this_host
from grading.sandbox.inside.clone import NAMESPACES
from grading.sandbox.launch import launched
from grading.sandbox.policy import Limits, Mode, user_of_slot
from grading.sandbox.pool import Pool
from grading.sandbox.result import Outcome
from grading.sandbox.seccomp import NEW_NAMESPACE_FLAGS, seccomp_filter, template_filter
from grading.sandbox.template import Template
from grading.sandbox.warm import WarmPool, warm_pool
from grading.sandbox.warm_canary import check_walls
from grading.sandbox.watchdog import process_tree
from tests.grading.made_up import JOB

pytestmark = pytest.mark.sandbox

CHECKOUT = Path(__file__).resolve().parents[2]
EPERM = 1
SAY = "import ctypes, json, os, sys, time\ndef say(what): os.write(3, json.dumps(what).encode())\n"


@pytest.fixture(scope="module")
def pool() -> Iterator[WarmPool]:
    with warm_pool([2]) as pool:
        yield pool


def said(pool: WarmPool, code: str, *files: int, **given: Any) -> Any:
    result = pool.run_code(SAY + code, files=files, **given)
    assert result.outcome is Outcome.FINISHED, result
    return json.loads(result.payload)


def template_of(pool: WarmPool) -> Template:
    found = pool._slots[0].template
    assert found is not None
    return found


def python_of(pool: WarmPool) -> int:
    """The pid of the template itself, which bwrap's first process started."""
    return process_tree(template_of(pool).init_pid)[1]


def status_of(pid: int) -> dict[str, str]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


# --- walls ---


@pytest.mark.enable_socket
def test_what_the_canary_tries_in_a_warm_grading_holds(pool: WarmPool, tmp_path: Path) -> None:
    held = check_walls(pool, 2, hidden=[tmp_path])
    assert {"uid", "privileges", "system_calls", "other_processes", "sibling", "memory", "watchdog"} <= set(
        held
    )


def test_what_the_kernel_says_of_a_child(pool: WarmPool) -> None:
    pool.start()
    with template_of(pool).child() as child:
        status = status_of(child.init_pid)
        held = {name: status[name] for name in ("CapEff", "CapBnd", "NoNewPrivs", "Seccomp", "Threads")}
        assert held == {
            "CapEff": "0" * 16,
            "CapBnd": "0" * 16,
            "NoNewPrivs": "1",
            "Seccomp": "2",
            "Threads": "1",
        }
        assert status["Seccomp_filters"] == str(1 + int(status_of(python_of(pool))["Seccomp_filters"]))
        if this_host().mode is Mode.ROOT:
            assert set(status["Uid"].split()) == {str(user_of_slot(2))}


def test_a_file_can_be_read_and_nothing_else(pool: WarmPool, tmp_path: Path) -> None:
    """Also where it belongs to the very user who runs the sandbox, as answers do in user mode."""
    answers = tmp_path / "answers.csv"
    answers.write_bytes(b"id,y\n")
    answers.chmod(0o600)
    before = answers.stat()
    code = """
import fcntl, mmap
def tried(action):
    try: return repr(action())
    except (OSError, ValueError) as error: return type(error).__name__
attempts = {
    "write": lambda: os.write(4, b"x"), "truncate": lambda: os.ftruncate(4, 0),
    "chmod": lambda: os.fchmod(4, 0o666), "chown": lambda: os.fchown(4, -1, os.getgid()),
    "times": lambda: os.utime(4, (1, 1)), "attribute": lambda: os.setxattr(4, "user.x", b"x"),
    "flags": lambda: fcntl.ioctl(4, 0x40086602, b"\\0" * 8), "verity": lambda: fcntl.ioctl(4, 0x40806685, b"\\0" * 128),
    "clone": lambda: fcntl.ioctl(4, 0x40049409, 4), "lock": lambda: fcntl.flock(4, fcntl.LOCK_EX),
    "lease": lambda: fcntl.fcntl(4, fcntl.F_SETLEASE, fcntl.F_RDLCK),
    "map": lambda: mmap.mmap(4, 0, prot=mmap.PROT_WRITE),
    "again": lambda: os.open("/proc/self/fd/4", os.O_RDWR), "device": lambda: os.open("/dev/fd/4", os.O_RDWR),
    "above": lambda: os.open("..", os.O_RDONLY, dir_fd=4), "link": lambda: os.link("/proc/self/fd/4", "/x"),
}
say([os.pread(4, 99, 0).decode(), [name for name, attempt in attempts.items() if "Error" not in tried(attempt)]])
"""
    descriptor = os.open(answers, os.O_RDONLY)
    try:
        assert said(pool, code, descriptor) == ["id,y\n", []]
    finally:
        os.close(descriptor)
    after = answers.stat()
    assert (after.st_mode, after.st_ctime_ns, answers.read_bytes()) == (
        before.st_mode,
        before.st_ctime_ns,
        b"id,y\n",
    )


def test_a_template_has_no_file_of_a_grading(pool: WarmPool) -> None:
    pool.start()
    open_files = Path(f"/proc/{python_of(pool)}/fd")
    if this_host().mode is Mode.USER:  # Closed to all but root, since the template hides its memory.
        with pytest.raises(PermissionError):
            os.listdir(open_files)
        return
    before = sorted(os.listdir(open_files))
    with template_of(pool).child() as child, open("/etc/hostname", "rb") as file:
        child.order(SAY + "say(os.read(4, 9) != b'')\ntime.sleep(30)", b"", [file.fileno()], Limits())
        assert os.read(child.result, 9) == b"true"
        assert sorted(os.listdir(open_files)) == before == ["0", "1", "2"]


def test_a_template_has_one_thread_and_shares_no_memory(pool: WarmPool) -> None:
    pool.start()
    pid = python_of(pool)
    assert status_of(pid)["Threads"] == "1"
    shared = [
        line for line in Path(f"/proc/{pid}/maps").read_text().splitlines() if line.split()[1] == "rw-s"
    ]
    assert shared == []


def test_gradings_side_by_side_cannot_reach_one_another() -> None:
    """The victim has a secret in its memory and in a pipe; the other tries every number a process can have."""
    reach = """
import signal
libc = ctypes.CDLL(None, use_errno=True)
def reached(action):
    try: return action() not in (-1,)
    except OSError: return False
pids = [pid for pid in range(-1, 40000) if pid not in (0, os.getpid())]
say([sum(reached(lambda: os.kill(pid, signal.SIGKILL)) for pid in pids),
     sum(reached(lambda: libc.ptrace(16, pid, 0, 0)) for pid in pids[:2000]),
     sum(reached(lambda: libc.syscall(438, os.getpid(), pid, 0)) for pid in range(64)), os.path.exists("/proc/1")])
"""
    wait = (
        "kept = os.pipe(); os.write(kept[1], b'secret'); secret = 'secret' * 9; time.sleep(1.5); say(secret)"
    )
    with warm_pool([3, 4]) as both, ThreadPoolExecutor(2) as threads:
        victim = threads.submit(said, both, wait)
        time.sleep(0.3)
        assert said(both, reach) == [0, 0, 0, False]
        assert victim.result() == "secret" * 9


def test_a_template_may_clone_all_namespaces_together_and_nothing_less() -> None:
    code = f"""
import ctypes, json, os
libc = ctypes.CDLL(None, use_errno=True)
def error(*call): return ctypes.get_errno() if libc.syscall(*call) == -1 else 0
number = {{"x86_64": (56, 272), "aarch64": (220, 97)}}[os.uname().machine]
def clone(flags):
    pid = libc.syscall(number[0], flags | 17, 0, 0, 0, 0)
    if pid == 0: os._exit(0)
    return pid > 0
flags, together = {NEW_NAMESPACE_FLAGS!r}, {NAMESPACES}
less = [flag for flag in flags] + [together & ~flag for flag in flags if flag & together]
more = [together | flag for flag in flags if not flag & together]
os.write(int(os.environ["RESULT_FD"]), json.dumps(
    [[clone(each) for each in less + more], clone(together), error(number[1], together)]).encode())
"""
    command = ["python", "-I", "-c", code]
    host = this_host()
    given = {"host": host, "mounts": (), "limits": Limits(), "stdin": b"", "slot": 5, "is_template": True}
    with launched(command, **given) as sandbox:  # type: ignore[arg-type]
        sandbox.release()
        assert select.select([sandbox.result], [], [], 20)[0]
        assert json.loads(os.read(sandbox.result, 999)) == [[False] * 14, True, EPERM]


def test_nothing_is_handed_over_without_walls(monkeypatch: pytest.MonkeyPatch) -> None:
    """A template whose children keep what they have: the filter they are given is not the one they load."""
    monkeypatch.setattr(template, "WALLS", {**template.WALLS, "Seccomp": 1})
    pool = WarmPool([6])
    monkeypatch.setattr(template.Child, "order", lambda *_: pytest.fail("was given its order"))
    with pytest.raises(SandboxError, match="does not stand behind its walls: wrong Seccomp"):
        pool.run_code("pass")


def test_walls_that_the_kernel_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "template_filter", seccomp_filter)  # as a host would that forbids nesting
    pool = WarmPool([6])
    with pytest.raises(
        SandboxUnavailable, match=r"no walls: .*clone: Operation not permitted.*max_user_namespaces"
    ):
        pool.run_code("pass")
    assert template_filter() != seccomp_filter()


# --- one grading and the next ---


def files_of(tmp_path: Path, name: str, rows: str) -> int:
    path = tmp_path / name
    path.write_text(rows)
    return os.open(path, os.O_RDONLY)


@pytest.mark.parametrize("make", [lambda: WarmPool([7]), lambda: ColdPool(7)], ids=["warm", "cold"])
def test_gradings_in_either_order_are_equal(make: Any, tmp_path: Path) -> None:
    answers = files_of(tmp_path, "answers", "id,y\na,1\nb,2\n")
    good, bad = files_of(tmp_path, "good", "id,y\nb,2\na,2\n"), files_of(tmp_path, "bad", "id,y\na,x\n")
    verdicts = []
    for order in ([good, bad, good], [bad, good, bad]):
        pool: Pool = make()
        results = [pool.run(JOB, file, answers, Limits()) for file in order]
        assert {result.outcome for result in results} == {Outcome.FINISHED}, results
        verdicts.append([json.loads(result.payload) for result in results])
        pool.close()
    (first, second, again), other = verdicts
    assert first == again == other[1]
    assert second == other[0] == other[2]
    assert (first["outcome"], second["outcome"]) == ("scored", "invalid")
    assert first["score"] == round(0.5**0.5, 5)
    for file in (answers, good, bad):
        os.close(file)


def test_what_one_changes_the_next_does_not_see(pool: WarmPool) -> None:
    changes = """
import builtins, numpy, random, decimal
numpy.random.seed(1); random.seed(1); builtins.changed = True; os.environ["X"] = "1"
decimal.getcontext().prec = 3; sys.path.insert(0, "/x"); sys.modules["json"].loads = None
say(True)
"""
    look = """
import builtins, numpy, random, decimal
say([numpy.random.random() == 0.417022004702574, hasattr(builtins, "changed"), "X" in os.environ,
     decimal.getcontext().prec, sys.path[0] == "/x", json.loads is None, hash("x")])
"""
    before = said(pool, look)
    assert said(pool, changes)
    assert said(pool, look) == before
    assert before[:-1] == [False, False, False, 28, False, False]


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        ("os.abort()", Outcome.CRASHED),
        ("ctypes.string_at(0)", Outcome.CRASHED),
        ("sys.exit(3)", Outcome.CRASHED),
        ("os._exit(0)", Outcome.FINISHED),
        ("time.sleep(30)", Outcome.TIMED_OUT),
        ("while True: os.write(1, b'x' * 9999)", Outcome.KILLED_OUTPUT),
    ],
)
def test_an_end_of_any_kind_leaves_the_template_as_it_is(pool: WarmPool, code: str, outcome: Outcome) -> None:
    pool.start()
    was = template_of(pool)
    assert pool.run_code(SAY + code, limits=Limits(wall_s=0.5)).outcome is outcome
    assert said(pool, "say(os.getpid())") == 1
    assert template_of(pool) is was


def test_it_measures_the_whole_life_of_a_child(pool: WarmPool) -> None:
    result = pool.run_code("bytearray(b'x') * (300 << 20)", limits=Limits(memory_mb=1000))
    assert 300 < result.peak_memory_mb < 500
    assert result.wall_s < 5


@pytest.mark.parametrize("rows", [3, 20_000], ids=["exact", "fast"])
def test_a_small_file_needs_little_memory(pool: WarmPool, tmp_path: Path, rows: int) -> None:
    path = tmp_path / "file.csv"
    path.write_text("id,y\n" + "".join(f"{i},{i / 4}\n" for i in range(rows)))
    with path.open("rb") as file:
        result = pool.run(JOB, file.fileno(), file.fileno(), Limits(memory_mb=300))
    assert (result.outcome, json.loads(result.payload)["score"]) == (Outcome.FINISHED, 0.0)


# --- templates that end ---


def test_a_dead_template_is_replaced(pool: WarmPool) -> None:
    pool.start()
    os.kill(template_of(pool).init_pid, signal.SIGKILL)
    assert said(pool, "say(os.getpid())") == 1


def test_a_template_that_does_not_answer_is_replaced(pool: WarmPool, monkeypatch: pytest.MonkeyPatch) -> None:
    pool.start()
    monkeypatch.setattr(template, "ANSWER_S", 0.5)
    was = python_of(pool)
    os.kill(was, signal.SIGSTOP)
    monkeypatch.setattr(warm, "Template", _patient(monkeypatch))
    assert said(pool, "say(os.getpid())") == 1
    assert python_of(pool) != was
    assert not Path(f"/proc/{was}").exists()


def _patient(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes templates, and waits for them again as long as usual: the machine may be busy."""

    def make(*given: Any) -> Template:
        monkeypatch.setattr(template, "ANSWER_S", 20)
        return Template(*given)

    return make


def test_a_template_is_renewed_after_so_many(pool: WarmPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "RENEW_AFTER", 2)
    pool._slots[0].drop()
    seen = []
    for _ in range(4):
        assert said(pool, "say(1)") == 1
        seen.append(python_of(pool))
    assert seen[0] == seen[1] != seen[2] == seen[3]


def test_templates_run_side_by_side() -> None:
    with warm_pool(range(10, 13)) as pool, ThreadPoolExecutor(6) as threads:
        results = list(threads.map(lambda n: said(pool, f"time.sleep(0.01); say({n})"), range(18)))
        users = {
            status_of(process_tree(slot.template.init_pid)[1])["Uid"] for slot in pool._slots if slot.template
        }
    assert results == list(range(18))
    assert len(users) == (3 if this_host().mode is Mode.ROOT else 1)


def test_all_ends_with_the_worker() -> None:
    """The worker is killed while a grading runs and has a process of its own."""
    code = "os.fork(); say(1); time.sleep(60)"
    worker = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"from grading.sandbox.warm import WarmPool; WarmPool([14]).run_code({SAY + code!r})",
        ],
        cwd=CHECKOUT,
    )
    assert eventually(
        lambda: len(process_tree(worker.pid)) >= 6
    )  # worker, bwrap twice, template, child, its own
    tree = process_tree(worker.pid)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert eventually(lambda: not any(map(is_alive, tree)))


def test_nothing_is_left_open_or_alive(pool: WarmPool) -> None:
    pool.close()
    before, children = len(os.listdir("/proc/self/fd")), process_tree(os.getpid())
    with warm_pool([15]) as other:
        said(other, "say(1)")
        with suppress(SandboxError):
            other._slots[0].template._control.close()  # type: ignore[union-attr]
            other.run_code("pass")
    assert len(os.listdir("/proc/self/fd")) == before
    assert process_tree(os.getpid()) == children


def is_alive(pid: int) -> bool:
    with suppress(OSError):
        return status_of(pid)["State"][0] != "Z"
    return False


def eventually(holds: Any, seconds: float = 300) -> bool:
    deadline = time.monotonic() + seconds
    while not (held := holds()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return bool(held)
