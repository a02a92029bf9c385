"""Attacks that the canary runs inside the sandbox. Standard library only: it is fed to the interpreter there.

Reads what to look for as JSON from its argument and writes {probe: what went wrong, or ""} to RESULT_FD.
"""

import ctypes
import json
import mmap
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

CLONE_NEWUSER = 0x10000000
STATUS_WANTED = {"CapEff": 0, "CapPrm": 0, "CapBnd": 0, "NoNewPrivs": 1, "Seccomp": 2}
UNWRITABLE = ("/", "/dev", "/usr", "/etc", "/in", "/app", "/proc/self/comm", "/proc/sys/kernel/core_pattern")


def uid(wanted: dict[str, Any]) -> str:
    return "" if os.getresuid() == (wanted["uid"],) * 3 else f"runs as uid {os.getresuid()}"


def privileges(_: dict[str, Any]) -> str:
    """Capabilities none, no new privileges, filter on. The bounding set matters in root mode alone."""
    lines = dict(
        line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":" in line
    )
    wrong = [name for name, value in STATUS_WANTED.items() if int(lines[name], 16) != value]
    return f"/proc/self/status has the wrong {', '.join(wrong)}" if wrong else ""


def namespaces(wanted: dict[str, Any]) -> str:
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
    others = [line.split(":")[0].strip() for line in Path("/proc/net/dev").read_text().splitlines()[2:]]
    return "" if others == ["lo"] else f"sees network interfaces {', '.join(others)}"


def secret_file(wanted: dict[str, Any]) -> str:
    return "reads a file of the host" if os.path.exists(wanted["secret_file"]) else ""


def secret_environment(wanted: dict[str, Any]) -> str:
    for pid in filter(str.isdigit, os.listdir("/proc")):
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
    """Forks until refused. The children wait for the end of a pipe, so none outlives the probe."""
    read, write = os.pipe()
    for count in range(wanted["too_many_processes"]):
        try:
            child = os.fork()
        except OSError:
            os.close(write)
            return "" if count else "cannot fork at all"
        if child == 0:
            os.close(write)
            os.read(read, 1)
            os._exit(0)
    os.close(write)
    return f"starts {wanted['too_many_processes']} processes"


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
        processes,
        writes,
    )
}


def main() -> None:
    wanted = json.loads(sys.argv[1])
    verdicts = {name: probe(wanted) for name, probe in PROBES.items()}
    os.write(int(os.environ["RESULT_FD"]), json.dumps(verdicts).encode())


if __name__ == "__main__":
    main()
