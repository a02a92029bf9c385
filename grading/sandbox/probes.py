"""Attacks that the canary runs inside the sandbox. Standard library only: it is fed to the interpreter there.

Reads what to look for as JSON from standard input and writes {probe: what went wrong, or ""} to RESULT_FD.
"""

import ctypes
import json
import mmap
import os
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

CLONE_NEWUSER = 0x10000000
CAPABILITY_VERSION_3 = 0x20080522
PR_GET_SECCOMP, PR_CAPBSET_READ, PR_GET_NO_NEW_PRIVS = 21, 23, 39
FIRST_PIDS = 10
STATUS_WANTED = {"CapEff": 0, "CapPrm": 0, "CapBnd": 0, "NoNewPrivs": 1, "Seccomp": 2}
UNWRITABLE = ("/", "/dev", "/usr", "/etc", "/in", "/app", "/proc/self/comm", "/proc/sys/kernel/core_pattern")


def uid(wanted: dict[str, Any]) -> str:
    return "" if os.getresuid() == (wanted["uid"],) * 3 else f"runs as uid {os.getresuid()}"


def privileges(_: dict[str, Any]) -> str:
    """Capabilities none, no new privileges, filter on. The bounding set matters in root mode alone."""
    status = _own_status()
    wrong = [name for name, value in STATUS_WANTED.items() if status[name] != value]
    return f"this process has the wrong {', '.join(wrong)}" if wrong else ""


def _own_status() -> dict[str, int]:
    """By asking the kernel, as there may be no /proc. capget writes effective, permitted, inheritable, twice."""
    libc = ctypes.CDLL(None)
    capabilities = (ctypes.c_uint32 * 6)()
    if libc.capget((ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0), capabilities):
        return dict.fromkeys(STATUS_WANTED, -1)
    return {
        "CapEff": capabilities[0] | capabilities[3],
        "CapPrm": capabilities[1] | capabilities[4],
        "CapBnd": sum(libc.prctl(PR_CAPBSET_READ, number, 0, 0, 0) > 0 for number in range(64)),
        "NoNewPrivs": libc.prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0),
        "Seccomp": libc.prctl(PR_GET_SECCOMP, 0, 0, 0, 0),
    }


def namespaces(wanted: dict[str, Any]) -> str:
    if not wanted["has_proc"]:
        # Nothing to compare by: what can be told is that this is another host, and among its first processes.
        alone = os.getpid() < FIRST_PIDS and socket.gethostname() != wanted["hostname"]
        return "" if alone and not os.path.exists("/proc/self") else "is not in namespaces of its own"
    shared = [
        name for name, host in wanted["namespaces"].items() if os.readlink(f"/proc/self/ns/{name}") == host
    ]
    return f"shares the host's namespaces {', '.join(shared)}" if shared else ""


def system_calls(_: dict[str, Any]) -> str:
    libc = ctypes.CDLL(None)
    returned = {
        "memfd_create": libc.memfd_create(b"canary", 0),
        "unshare": libc.unshare(CLONE_NEWUSER),
        "ptrace": libc.ptrace(0, 0, 0, 0),
    }
    allowed = [name for name, value in returned.items() if value != -1]
    return f"may call {', '.join(allowed)}" if allowed else ""


def network(wanted: dict[str, Any]) -> str:
    try:
        with socket.create_connection(("127.0.0.1", wanted["port"]), timeout=1):
            return "reaches a listener on the host's loopback"
    except OSError:
        pass
    if not wanted["has_proc"]:
        return ""
    others = [line.split(":")[0].strip() for line in Path("/proc/net/dev").read_text().splitlines()[2:]]
    return "" if others == ["lo"] else f"sees network interfaces {', '.join(others)}"


def secret_file(wanted: dict[str, Any]) -> str:
    return "reads a file of the host" if os.path.exists(wanted["secret_file"]) else ""


def secret_environment(wanted: dict[str, Any]) -> str:
    for pid in filter(str.isdigit, os.listdir("/proc") if wanted["has_proc"] else ()):
        try:
            found = wanted["secret_name"].encode() in Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            continue
        if found:
            return "reads the worker's environment"
    return ""


def hidden_paths(wanted: dict[str, Any]) -> str:
    return "sees the vault" if any(map(os.path.exists, wanted["hidden"])) else ""


def memory(wanted: dict[str, Any]) -> str:
    try:
        mmap.mmap(-1, wanted["too_many_bytes"]).close()
    except (OSError, MemoryError):
        return ""
    return f"gets {wanted['too_many_bytes']} bytes at once"


def processes(wanted: dict[str, Any]) -> str:
    """Forks until refused, which is at once where none may be started.

    The children wait for the end of a pipe, so none outlives the probe.
    """
    read, write = os.pipe()
    for count in range(wanted["too_many_processes"] or 1):
        try:
            child = os.fork()
        except OSError:
            os.close(write)
            return "" if count or not wanted["too_many_processes"] else "cannot fork at all"
        if child == 0:
            os.close(write)
            os.read(read, 1)
            os._exit(0)
    os.close(write)
    return f"starts {wanted['too_many_processes'] or 1} processes"


def other_processes(wanted: dict[str, Any]) -> str:
    """Whom it can kill beside its own: in a warm grading, which is alone in its namespace, nobody."""
    reached = [pid for pid in range(-1, wanted["pids"]) if pid not in (0, os.getpid()) and can_kill(pid)]
    return f"kills {len(reached)} other processes" if reached else ""


def can_kill(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        return False
    return True


def writes(_: dict[str, Any]) -> str:
    writable = [path for path in UNWRITABLE if os.path.exists(path) and can_write(path)]
    return f"writes to {', '.join(writable)}" if writable else ""


def can_write(path: str) -> bool:
    try:
        with open(os.path.join(path, "canary") if os.path.isdir(path) else path, "w"):
            return True
    except OSError:
        return False


PROBES: dict[str, Callable[[dict[str, Any]], str]] = {
    probe.__name__: probe
    for probe in (
        uid,
        privileges,
        namespaces,
        system_calls,
        network,
        secret_file,
        secret_environment,
        hidden_paths,
        memory,
        other_processes,  # before the next, whose children it would find
        processes,
        writes,
    )
}


def main() -> None:
    wanted = json.load(sys.stdin)
    verdicts = {name: probe(wanted) for name, probe in PROBES.items()}
    os.write(int(os.environ["RESULT_FD"]), json.dumps(verdicts).encode())


if __name__ == "__main__":
    main()
