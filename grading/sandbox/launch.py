"""Starts bubblewrap, holds it by a pidfd, and ends it with everything inside."""

import fcntl
import json
import os
import select
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace

from grading.sandbox.errors import NAMESPACE_REMEDY, SandboxError, SandboxUnavailable
from grading.sandbox.host import Host, is_open_to_all
from grading.sandbox.policy import Descriptors, Limits, Mode, Mount, sandbox_argv
from grading.sandbox.seccomp import seccomp_filter, template_filter

START_S = 20.0
END_S = 20.0
STATUS_BYTES = 4096
REFUSALS = ("namespace", "Operation not permitted", "Permission denied", "uid map", "Unknown option")
# The whole command line of bwrap, given the descriptors it inherits and the mounts as they can be read.
Plan = Callable[[Descriptors, Sequence[Mount]], list[str]]
SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE


@dataclass
class Sandbox:
    """A started sandbox that waits for `release`.

    `init` is a pidfd of the first process of its pid namespace, `end` one of bwrap outside, which ends when the
    command does; the others are our ends of its pipes.
    """

    process: subprocess.Popen[bytes]
    init_pid: int
    init: int
    end: int
    status: int
    go: int
    result: int
    log: int

    def release(self) -> None:
        """Lets it begin."""
        with suppress(BrokenPipeError):
            os.write(self.go, b"g")

    def kill(self) -> None:
        """Kills the first process, and so the kernel kills all others. Returns before they are gone."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.init, signal.SIGKILL)

    def wait(self) -> None:
        """Returns when every process is gone and bwrap is reaped. Raises SandboxError if that takes 20 s.

        The pidfd of a namespace's init becomes readable only when the namespace is empty.
        """
        if not select.select([self.init], [], [], END_S)[0]:
            raise SandboxError(f"Sandbox {self.init_pid} is still alive {END_S:.0f} s after the kill.")
        self.process.wait()

    def exit_code(self) -> int | None:
        """The command's exit status once bwrap has ended, 128 + n for signal n. None if bwrap never told."""
        for line in _read_all(self.status).splitlines():
            with suppress(ValueError, KeyError, TypeError):
                return int(json.loads(line)["exit-code"])
        return None


@contextmanager
def launched(
    command: Sequence[str],
    *,
    host: Host,
    mounts: Sequence[Mount],
    limits: Limits,
    stdin: bytes | int,
    slot: int,
    is_template: bool = False,
) -> Iterator[Sandbox]:
    """A sandbox ready to be released; on leaving it is dead and empty, whatever happened.

    `stdin` is its content or an open descriptor. bwrap dies with the thread that comes here.

    Raises SandboxUnavailable if bwrap could not make the namespaces, SandboxError if it failed otherwise.
    """

    def plan(given: Descriptors, readable: Sequence[Mount]) -> list[str]:
        return sandbox_argv(
            command,
            tools=host.tools,
            mode=host.mode,
            layout=host.layout,
            mounts=readable,
            limits=limits,
            descriptors=given,
            slot=slot,
            is_template=is_template,
        )

    allowed = _allowed_calls(host.mode, is_template)
    with started(plan, seccomp=allowed, mode=host.mode, mounts=mounts, stdin=stdin) as sandbox:
        yield sandbox


@contextmanager
def started(
    plan: Plan,
    *,
    seccomp: bytes,
    mode: Mode,
    mounts: Sequence[Mount],
    stdin: bytes | int,
    answers_on_stdout: bool = False,
) -> Iterator[Sandbox]:
    """As `launched`, by another command line. With `answers_on_stdout` that is its result, and no descriptor is."""
    with ExitStack() as ours, ExitStack() as theirs:
        pipes = {name: _pipe(ours, theirs, name) for name in ("status", "go", "result", "log")}
        rules = sealed(theirs, "seccomp", seccomp)
        given = Descriptors(pipes["status"][1], pipes["go"][1], rules, pipes["result"][1])
        readable = [_readable(theirs, mount, mode) for mount in mounts]
        argv = plan(given, readable)
        copies = [mount.copy_fd for mount in readable if mount.copy_fd is not None]
        opened = stdin if isinstance(stdin, int) else sealed(theirs, "stdin", stdin)
        stdout = pipes["result" if answers_on_stdout else "log"][1]
        results = () if answers_on_stdout else (given.result,)
        passed = (given.status, given.go, given.seccomp, *results, *copies)
        process = _start(argv, opened, (stdout, pipes["log"][1]), passed)
        theirs.close()
        status, go, result, log = (pipes[name][0] for name in ("status", "go", "result", "log"))
        with _reaped(process):
            init_pid = _init_pid(status, log)
            init, end = (_open_pidfd(ours, pid, log) for pid in (init_pid, process.pid))
            with _ended(Sandbox(process, init_pid, init, end, status, go, result, log)) as sandbox:
                yield sandbox


@contextmanager
def _ended(sandbox: Sandbox) -> Iterator[Sandbox]:
    """Leaves nothing of it alive."""
    try:
        yield sandbox
    finally:
        sandbox.kill()
        sandbox.wait()


def _allowed_calls(mode: Mode, is_template: bool) -> bytes:
    return template_filter() if is_template else seccomp_filter(may_fork=mode is not Mode.INNER)


def start_failure(log: bytes) -> SandboxError:
    """The error for a bwrap that ended before its command began: was isolation refused, or is it a fault?"""
    text = log.decode(errors="replace").strip()[-500:] or "bwrap said nothing"
    if any(sign in text for sign in REFUSALS):
        return SandboxUnavailable(f"The sandbox could not be made: {text}.", NAMESPACE_REMEDY)
    return SandboxError(f"The sandbox did not start: {text}")


def _pipe(ours: ExitStack, theirs: ExitStack, name: str) -> tuple[int, int]:
    """(our end, their end). We write to `go` and read from the others."""
    read, write = os.pipe()
    mine, other = (write, read) if name == "go" else (read, write)
    ours.callback(os.close, mine)
    theirs.callback(os.close, other)
    return mine, other


def sealed(stack: ExitStack, name: str, content: bytes) -> int:
    """A descriptor at the start of `content`, in memory, which nobody can change or enlarge any more."""
    descriptor = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    stack.callback(os.close, descriptor)
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, SEALS)
    return descriptor


def _readable(stack: ExitStack, mount: Mount, mode: Mode) -> Mount:
    """The mount, or in root mode a copy of a file (in memory, inside) that the dropped uid could not read."""
    if mount.copy_fd is not None:
        return mount
    if not mount.source.exists():
        raise SandboxError(f"{mount.source} to be mounted at {mount.target} does not exist.")
    if mode is not Mode.ROOT or is_open_to_all(mount.source):
        return mount
    if mount.source.is_dir():
        raise SandboxUnavailable(f"{mount.source} is closed to other users.", f"chmod -R o+rX {mount.source}")
    descriptor = os.open(mount.source, os.O_RDONLY | os.O_CLOEXEC)
    stack.callback(os.close, descriptor)
    return replace(mount, copy_fd=descriptor)


def _start(
    argv: Sequence[str], stdin: int, outputs: tuple[int, int], passed: Sequence[int]
) -> subprocess.Popen[bytes]:
    stdout, stderr = outputs
    # No environment, since /proc/1/environ inside shows bwrap's. A session of its own, so that Ctrl-C in the
    # worker's terminal lets a grading finish.
    return subprocess.Popen(  # noqa: S603
        argv,
        env={},
        cwd="/",
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        pass_fds=passed,
        start_new_session=True,
    )


@contextmanager
def _reaped(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Leaves no bwrap behind, also when it never came as far as telling its first process."""
    try:
        yield
    finally:
        if process.returncode is None:
            process.kill()
            process.wait()


def _init_pid(status: int, log: int) -> int:
    """The pid, as seen from here, of the sandbox's first process. Raises if bwrap ends without naming it."""
    line = b""
    while b"child-pid" not in line or b"\n" not in line:
        ready = select.select([status], [], [], START_S)[0]
        chunk = os.read(status, STATUS_BYTES) if ready else b""
        if not chunk:
            raise start_failure(_read_some(log))
        line += chunk
    return int(json.loads(line.split(b"\n", 1)[0])["child-pid"])


def _open_pidfd(stack: ExitStack, pid: int, log: int) -> int:
    """A pidfd. The sandbox's first process still waits for our word, so its number is not reused."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError as error:
        raise start_failure(_read_some(log)) from error
    stack.callback(os.close, descriptor)
    return descriptor


def _read_some(log: int) -> bytes:
    """What bwrap has complained of so far; it may be alive, so this does not wait for the end."""
    return os.read(log, STATUS_BYTES) if select.select([log], [], [], 0.5)[0] else b""


def _read_all(descriptor: int) -> bytes:
    with os.fdopen(os.dup(descriptor), "rb") as file:
        return file.read()
