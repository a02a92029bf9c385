"""The system call filter that bwrap loads into the sandbox."""

import errno
import os
from collections.abc import Iterable
from functools import lru_cache
from types import ModuleType

from grading.sandbox.errors import SandboxUnavailable
from grading.sandbox.inside.clone import NAMESPACES

REMEDY = "pip install pyseccomp and install the library libseccomp (Debian: apt-get install libseccomp2)."

# Memory that neither RLIMIT_AS nor the watchdog's sum of resident sets would see.
UNCOUNTED_MEMORY = (
    "memfd_create memfd_secret shmget shmat shmctl shmdt msgget msgsnd msgrcv msgctl semget semop semtimedop "
    "semctl mq_open mq_unlink inotify_init inotify_init1 fanotify_init"
)
# Reaching into other processes.
OTHER_PROCESSES = (
    "ptrace process_vm_readv process_vm_writev process_madvise process_mrelease pidfd_getfd kcmp move_pages "
    "migrate_pages"
)
# New views of the file system, and files reached without a path.
FILE_SYSTEMS = (
    "mount umount umount2 pivot_root chroot move_mount open_tree open_tree_attr fsopen fsconfig fsmount "
    "fspick mount_setattr statmount listmount open_by_handle_at name_to_handle_at mknod mknodat quotactl "
    "quotactl_fd swapon swapoff nfsservctl"
)
# Large or privileged kernel surfaces that no grader needs.
KERNEL_SURFACE = (
    "unshare setns bpf keyctl add_key request_key io_uring_setup io_uring_enter io_uring_register "
    "userfaultfd perf_event_open kexec_load kexec_file_load init_module finit_module delete_module "
    "create_module reboot acct syslog personality lookup_dcookie iopl ioperm vm86 vm86old modify_ldt uselib "
    "ustat sysfs _sysctl vhangup settimeofday stime clock_settime clock_settime64 clock_adjtime "
    "clock_adjtime64 adjtimex sethostname setdomainname"
)
# Answers and CSV are read only, but they may belong to the very user who runs this, and to change what is written
# about a file the kernel asks for no more than that.
FILE_ATTRIBUTES = (
    "chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat setxattr "
    "lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat file_setattr flock"
)
# No family of sockets is needed, so none can be made; none is inherited either.
SOCKETS = "socket socketpair socketcall bind listen accept accept4 connect"

DENIED = " ".join(
    (UNCOUNTED_MEMORY, OTHER_PROCESSES, FILE_SYSTEMS, KERNEL_SURFACE, FILE_ATTRIBUTES, SOCKETS)
).split()

SHARED_ANONYMOUS = 0x01 | 0x20  # MAP_SHARED (its bit is also in MAP_SHARED_VALIDATE) and MAP_ANONYMOUS

NEW_PROCESSES = ("clone", "fork", "vfork")
NEW_NAMESPACE_FLAGS = (
    0x00020000,  # CLONE_NEWNS
    0x02000000,  # CLONE_NEWCGROUP
    0x04000000,  # CLONE_NEWUTS
    0x08000000,  # CLONE_NEWIPC
    0x10000000,  # CLONE_NEWUSER
    0x20000000,  # CLONE_NEWPID
    0x40000000,  # CLONE_NEWNET
)
TERMINAL_INJECTION = (0x5412, 0x541C)  # ioctl TIOCSTI, TIOCLINUX
# The second byte of a request names who answers it. "T" is for terminals and descriptors, which Python asks about;
# those of file systems change attributes through a descriptor that may only read.
IOCTL_FAMILY, TERMINALS = 0xFF00, 0x5400
F_SETLEASE = 1024  # would make others wait who open the file
UNKNOWN_CALL = -1  # libseccomp's answer for a name it has never heard of


@lru_cache(maxsize=2)
def seccomp_filter(may_fork: bool = True) -> bytes:
    """The compiled BPF program: all is allowed but what is named above. Other architectures are killed.

    Without `may_fork` neither a process nor a thread can be started.

    Raises SandboxUnavailable where libseccomp is missing.
    """
    return _compile(DENIED if may_fork else [*DENIED, *NEW_PROCESSES])


@lru_cache(maxsize=1)
def template_filter() -> bytes:
    """The same but for one thing: `clone` may make the namespaces that wall off a warm grading, all of them at once."""
    return _compile(DENIED, together=NAMESPACES)


def _compile(denied: Iterable[str], together: int = 0) -> bytes:
    seccomp = _load_library()
    rules = seccomp.SyscallFilter(seccomp.ALLOW)
    refuse = seccomp.ERRNO(errno.EPERM)
    for name in denied:
        # A name that this libseccomp does not know cannot be filtered; those calls need capabilities as well.
        if seccomp.resolve_syscall(seccomp.Arch.NATIVE, name) != UNKNOWN_CALL:
            rules.add_rule(refuse, name)
    for flag in NEW_NAMESPACE_FLAGS:
        for mask in _incomplete(flag, together):
            rules.add_rule(refuse, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, mask, flag))
    for request in TERMINAL_INJECTION:
        rules.add_rule(refuse, "ioctl", seccomp.Arg(1, seccomp.MASKED_EQ, 0xFFFFFFFF, request))
    for bit in _bits(IOCTL_FAMILY):  # "Another family" is one that differs in at least one bit.
        rules.add_rule(refuse, "ioctl", seccomp.Arg(1, seccomp.MASKED_EQ, bit, ~TERMINALS & bit))
    # Given back by madvise it leaves the resident set and stays allocated, where no limit here would see it.
    rules.add_rule(refuse, "mmap", seccomp.Arg(3, seccomp.MASKED_EQ, SHARED_ANONYMOUS, SHARED_ANONYMOUS))
    rules.add_rule(refuse, "fcntl", seccomp.Arg(1, seccomp.MASKED_EQ, 0xFFFFFFFF, F_SETLEASE))
    # Its flags lie in memory, where no filter can look. "No such call" makes libc fall back to clone.
    rules.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")
    return _export(rules)


def _incomplete(flag: int, together: int) -> list[int]:
    """Masks under which only `flag` is left where it must be refused: always, or while others are not there with it."""
    return [flag | other for other in _bits(together & ~flag)] if flag & together else [flag]


def _bits(mask: int) -> list[int]:
    return [1 << place for place in range(mask.bit_length()) if mask >> place & 1]


def _load_library() -> ModuleType:
    try:
        import pyseccomp
    except (ImportError, RuntimeError, OSError) as error:
        raise SandboxUnavailable(f"The system call filter cannot be built: {error}.", REMEDY) from error
    module: ModuleType = pyseccomp
    return module


def _export(rules: object) -> bytes:
    with os.fdopen(os.memfd_create("seccomp"), "w+b") as file:
        rules.export_bpf(file)  # type: ignore[attr-defined]
        file.seek(0)
        return file.read()
