"""What a process gives up before it is given anything. The functions of libc are looked up once, on import."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from collections.abc import Mapping

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 24, 38
SECCOMP_MODE_FILTER = 2
CAPABILITIES = 64  # as many as two words hold; the kernel refuses those it does not know
CAPABILITY_VERSION_3 = 0x20080522
BPF_INSTRUCTION_BYTES = 8
LIMITS = {name: getattr(resource, f"RLIMIT_{name}") for name in ("AS", "CPU", "FSIZE", "NPROC")}

libc = ctypes.CDLL(None, use_errno=True)
libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4


class FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


class CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


NO_CAPABILITY = (ctypes.c_uint32 * 6)()


def stand_alone(system_call_filter: bytes) -> None:
    """For a process just cloned into namespaces of its own: no capability, no looking in, the full filter.

    No uid is mapped there: the kernel goes on checking files by the one the template has, and inside every uid
    reads as nobody. Raises OSError where the kernel refuses.
    """
    drop_capabilities()
    die_with_parent()  # after the change of privileges, which would have cleared it
    hide_memory()
    load_filter(system_call_filter)


def drop_capabilities() -> None:
    """None is held, and none can be had."""
    for capability in range(CAPABILITIES):
        if libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0):
            break
    header = CapabilityHeader(CAPABILITY_VERSION_3, 0)
    _check(libc.capset(ctypes.byref(header), ctypes.byref(NO_CAPABILITY)), "capset")


def die_with_parent() -> None:
    _check(libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "prctl")


def hide_memory() -> None:
    """No other process without privileges may look into this one, whatever its uid."""
    _check(libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0), "prctl")


def load_filter(program: bytes) -> None:
    """Adds a system call filter to the one that is there: a call must pass both."""
    _check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")
    filter_program = FilterProgram(len(program) // BPF_INSTRUCTION_BYTES, program)
    _check(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(filter_program), 0, 0), "seccomp")


def set_limits(limits: Mapping[str, tuple[int, int]]) -> None:
    """Soft and hard limits by name; nothing can raise them again."""
    for name, (soft, hard) in limits.items():
        resource.setrlimit(LIMITS[name], (soft, hard))


def _check(returned: int, name: str) -> None:
    if returned:
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")
