"""A fork whose child is the first process of new namespaces. One call of the kernel, as each copy costs milliseconds.

The C library's own fork takes no such flags, and unshare would need a second fork. The child therefore goes without
handlers that libraries registered for a fork. They release locks of other threads, and a template has no other thread.
"""

from __future__ import annotations

import ctypes
import os
import signal

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID = 0x20000, 0x8000000, 0x10000000, 0x20000000
NAMESPACES = CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID
# As the C library's fork has it: its record of the thread's number is brought up to date in the child.
CLONE_CHILD_CLEARTID, CLONE_CHILD_SETTID = 0x200000, 0x1000000
FLAGS = NAMESPACES | CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | signal.SIGCHLD
PR_GET_TID_ADDRESS = 40
# Number of the call and place of the record among its arguments, which the kernel orders by machine.
CLONE = {"x86_64": (56, 3), "aarch64": (220, 4)}

# PyDLL keeps hold of the interpreter's lock, as os.fork does.
libc = ctypes.PyDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
libc.syscall.argtypes = [ctypes.c_long] * 6
python = ctypes.pythonapi


def clone_apart() -> int:
    """As os.fork, but the child has its own user, pid, mount and ipc namespace. Raises OSError if refused."""
    number, place = _clone_call()
    arguments = [FLAGS, 0, 0, 0, 0]
    arguments[place] = _record_of_thread()
    python.PyOS_BeforeFork()
    pid: int = libc.syscall(number, *arguments)
    if pid == 0:
        python.PyOS_AfterFork_Child()
        return 0
    error = ctypes.get_errno()
    python.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(error, f"clone: {os.strerror(error)}")
    return pid


def _clone_call() -> tuple[int, int]:
    machine = os.uname().machine
    if machine not in CLONE:
        raise OSError(f"clone: not known for the machine {machine}")
    return CLONE[machine]


def _record_of_thread() -> int:
    """Where the C library keeps this thread's number."""
    address = ctypes.c_ulong(0)
    if libc.prctl(PR_GET_TID_ADDRESS, ctypes.byref(address), 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl: the kernel has no CONFIG_CHECKPOINT_RESTORE")
    return address.value
