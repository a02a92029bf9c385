"""A warm sandbox held from outside: its template, and the walled-off children it clones for us."""

import json
import os
import select
import signal
import socket
import struct
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from grading.sandbox.errors import SandboxError, SandboxUnavailable
from grading.sandbox.host import Host
from grading.sandbox.launch import END_S, launched, sealed
from grading.sandbox.policy import Limits, Mode, own_limits, template_mounts
from grading.sandbox.seccomp import seccomp_filter

# -c, because -I (no environment, no user site) also keeps the script's own folder off the path.
COMMAND = (
    "python",
    "-I",
    "-c",
    "import sys; sys.path.insert(0, '/app'); from grading.sandbox.inside.template import main; main()",
)
READY_S = 60.0  # a busy machine may read the libraries from a slow disk
ANSWER_S = 10.0
MESSAGE_BYTES = 4096
CREDENTIALS = struct.Struct("3i")  # pid, uid, gid, as the kernel fills them in
# What /proc must say of a child before it is given anything.
WALLS = {"CapInh": 0, "CapPrm": 0, "CapEff": 0, "CapBnd": 0, "CapAmb": 0, "NoNewPrivs": 1, "Seccomp": 2}
OWN_NAMESPACES = ("user", "pid", "mnt", "ipc")
NESTED_PIDS = 3  # the worker's, the template's and its own pid namespace each give it a number
NESTING_REMEDY = (
    "Warm sandboxes need a user namespace inside the sandbox's: sysctl user.max_user_namespaces, and on Ubuntu "
    "23.10 or newer kernel.apparmor_restrict_unprivileged_userns=0."
)


class TemplateLost(SandboxError):
    """The template is dead or does not answer. A new one may."""


@dataclass
class Child:
    """A walled-off process, first of its pid namespace, that waits for its order. `end` is a pidfd of it.

    `how_it_ended`, once it has, holds its wait `status`, `peak_kb` of memory, and `cpu_s` of processor time.
    """

    channel: socket.socket
    init_pid: int
    end: int
    result: int = -1
    log: int = -1
    how_it_ended: dict[str, Any] = field(default_factory=dict)

    def order(self, code: str, stdin: bytes, files: Sequence[int], limits: Limits) -> None:
        """Hands over what it is to run. Inside, `files` are open for reading at descriptors 4, 5 and so on."""
        with ExitStack() as theirs:
            self.log, log = _pipe(theirs)
            self.result, result = _pipe(theirs)
            message = json.dumps({"code": code, "limits": own_limits(limits, companions=0)})
            given = [sealed(theirs, "stdin", stdin), log, result, *files]
            try:
                socket.send_fds(self.channel, [message.encode()], given)
            except OSError as error:
                raise TemplateLost(f"A warm grading went before it got its order: {error}") from error

    def kill(self) -> None:
        """Kills it, and so the kernel all it made. Returns before they are gone."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.end, signal.SIGKILL)

    def wait(self) -> None:
        """Returns when every process of its pid namespace is gone. Raises SandboxError if that takes 20 s."""
        if not select.select([self.end], [], [], END_S)[0]:
            raise SandboxError(f"Grading {self.init_pid} is still alive {END_S:.0f} s after the kill.")

    def close(self) -> None:
        for descriptor in (self.end, self.result, self.log):
            if descriptor >= 0:
                os.close(descriptor)


class Template:
    """A running template, with one child at a time. Dies with the thread that made it."""

    def __init__(self, host: Host, slot: int) -> None:
        self.children = 0
        self.init_pid = 0
        self._is_ready = False
        self._held = ExitStack()
        try:
            self._control = self._start(host, slot)
        except BaseException:
            self.close()
            raise

    def await_ready(self) -> None:
        """Returns when it has imported everything. Raises TemplateLost if it never does."""
        if self._is_ready:
            return
        if _receive(self._control, READY_S) != b"ready":
            raise TemplateLost("A warm sandbox did not start: " + _last_words(self._log))
        self._is_ready = True

    def close(self) -> None:
        """Ends it and all its children."""
        self._held.close()

    @contextmanager
    def child(self) -> Iterator[Child]:
        """A child behind its walls; on leaving, nothing of it is alive.

        Raises TemplateLost if none comes or its end stays unknown, SandboxUnavailable if the kernel refuses it its
        namespaces.
        """
        self.await_ready()
        self.children += 1
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours:
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            with theirs:
                self._send(theirs.fileno())
            child = self._meet(ours)
            try:
                _require_walls(child.init_pid, self.init_pid)
                yield child
            finally:
                try:
                    self.end(child)
                finally:
                    child.close()

    def end(self, child: Child) -> None:
        """Kills what is left of the child, waits until it is gone, and learns how it ended."""
        if not child.how_it_ended:
            child.kill()
            child.wait()
            child.how_it_ended = self._report()

    def _start(self, host: Host, slot: int) -> socket.socket:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._held.callback(ours.close)
        with theirs:
            sandbox = self._held.enter_context(
                launched(
                    COMMAND,
                    host=host,
                    mounts=template_mounts(),
                    limits=Limits(),
                    stdin=theirs.fileno(),
                    slot=slot,
                    is_template=True,
                )
            )
        self.init_pid = sandbox.init_pid
        self._log = sandbox.log
        sandbox.release()
        ours.send(seccomp_filter(may_fork=host.mode is not Mode.INNER))
        return ours

    def _send(self, channel: int) -> None:
        try:
            socket.send_fds(self._control, [str(self.children).encode()], [channel])
        except OSError as error:
            raise TemplateLost(f"The warm sandbox is gone: {error}") from error

    def _meet(self, channel: socket.socket) -> Child:
        """The child at the other end, once it has said that it is there."""
        channel.settimeout(ANSWER_S)
        try:
            said, who, _, _ = channel.recvmsg(MESSAGE_BYTES, socket.CMSG_SPACE(CREDENTIALS.size))
        except (TimeoutError, ConnectionError) as error:
            raise TemplateLost(f"A warm sandbox made no child: {error}") from error
        if said == b"here":
            pid, _, _ = CREDENTIALS.unpack(who[0][2])
            return Child(channel, pid, os.pidfd_open(pid))
        refused = self._report().get("refused") or said.decode(errors="replace")
        raise SandboxUnavailable(f"A warm grading got no walls: {refused}.", NESTING_REMEDY)

    def _report(self) -> dict[str, Any]:
        """What the template tells when its newest child has ended, or could not be made."""
        try:
            answer: dict[str, Any] = json.loads(_receive(self._control, ANSWER_S))
        except ValueError:
            raise TemplateLost("The warm sandbox did not tell how a grading ended.") from None
        if answer["child"] != self.children:
            raise TemplateLost("The warm sandbox told of another grading.")
        return answer


def _pipe(theirs: ExitStack) -> tuple[int, int]:
    """(our end, their end)"""
    read, write = os.pipe()
    theirs.callback(os.close, write)
    return read, write


def _require_walls(pid: int, template_pid: int) -> None:
    """Raises SandboxError unless the child stands behind its walls. It has been given nothing yet."""
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
        status = dict(line.split(":", 1) for line in file)
    wrong = [name for name, value in WALLS.items() if int(status[name], 16) != value]
    numbers = status["NSpid"].split()
    if len(numbers) < NESTED_PIDS or numbers[-1] != "1":
        wrong.append("NSpid")
    wrong += [
        f"{name} namespace"
        for name in OWN_NAMESPACES
        if _namespace(pid, name) == _namespace(template_pid, name)
    ]
    if wrong:
        raise SandboxError(f"A warm grading does not stand behind its walls: wrong {', '.join(wrong)}.")


def _namespace(pid: int, name: str) -> str:
    return os.readlink(f"/proc/{pid}/ns/{name}")


def _receive(channel: socket.socket, seconds: float) -> bytes:
    """One message; empty if the other end is closed or nothing comes in time."""
    channel.settimeout(seconds)
    try:
        return channel.recv(MESSAGE_BYTES)
    except (TimeoutError, ConnectionError):
        return b""


def _last_words(log: int) -> str:
    ready = select.select([log], [], [], 0.5)[0]
    return os.read(log, MESSAGE_BYTES).decode(errors="replace").strip()[-500:] if ready else "it said nothing"
