"""The command line around one gVisor container: bubblewrap's namespaces, and runsc alone in them. Pure.

Of a container nothing lies on the host's disk: files, state and configuration are in the memory of a mount namespace,
and go with its first process, however that ends.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from grading.sandbox.oci import EMPTY, FILLED
from grading.sandbox.policy import Descriptors, Layout, Mode, Mount, mount_arguments, parents_of

BOX = "/box"
ROOT = f"{BOX}/root"
CONFIG = f"{BOX}/config.json"
RUNSC = f"{BOX}/runsc"
FILTER_TARGET = "/app/filter"
STATE = "/run"
STATE_BYTES = 16 << 20
# What runsc needs to drop its own rights, and no more. As an ordinary user they are those of a user namespace.
RIGHTS = ("SYS_ADMIN", "SYS_CHROOT", "SETUID", "SETGID", "SETPCAP")
# `ptrace` needs neither /dev/kvm nor a right. Nothing is written over the read-only root, not even in memory.
RUNSC_OPTIONS = (
    f"--root={STATE}",
    "--platform=ptrace",
    "--network=none",
    "--ignore-cgroups",
    "--overlay2=none",
    "--host-uds=none",
    "--host-fifo=none",
)


def gvisor_argv(
    *,
    bwrap: Path,
    runsc: Path,
    mode: Mode,
    layout: Layout,
    mounts: Sequence[Mount],
    descriptors: Descriptors,
) -> list[str]:
    """The whole command line. `mounts` are those of the container, and the configuration at CONFIG.

    The system call filter goes inside as a file, since runsc itself needs calls that it refuses.
    """
    return [
        str(bwrap),
        *("--json-status-fd", str(descriptors.status), "--block-fd", str(descriptors.go)),
        *_namespace_arguments(mode),
        *_box_arguments(runsc),
        *_root_arguments(layout, mounts, descriptors),
        *("--remount-ro", "/", "--chdir", "/", "--"),
        *(RUNSC, *RUNSC_OPTIONS, *(("--rootless",) if mode is Mode.USER else ())),
        *("run", f"--bundle={BOX}", "grading"),
    ]


def _namespace_arguments(mode: Mode) -> list[str]:
    shared = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    shared += [
        "--hostname",
        "sandbox",
        "--die-with-parent",
        "--new-session",
        "--clearenv",
        "--cap-drop",
        "ALL",
    ]
    if mode is not Mode.USER:
        return [*shared, *_rights(RIGHTS)]
    # runsc must be root by number, to map that again for its kernel: Linux 5.12 wants a right for it.
    return [*shared, "--unshare-user", "--uid", "0", "--gid", "0", *_rights((*RIGHTS, "SETFCAP"))]


def _rights(names: Iterable[str]) -> list[str]:
    return [word for name in names for word in ("--cap-add", f"CAP_{name}")]


def _box_arguments(runsc: Path) -> list[str]:
    """What runsc has: itself, which needs no library, /proc, and a place for its state."""
    return [
        *("--perms", "0755", "--dir", BOX, "--ro-bind", str(runsc), RUNSC),
        *("--proc", "/proc", "--perms", "0755", "--dir", "/dev", "--dev-bind", "/dev/null", "/dev/null"),
        # On /tmp runsc mounts the empty root directory of its kernel.
        *("--perms", "0755", "--dir", "/tmp", "--size", str(STATE_BYTES), "--tmpfs", STATE),  # noqa: S108
    ]


def _root_arguments(layout: Layout, mounts: Sequence[Mount], descriptors: Descriptors) -> list[str]:
    """The container's root directory, all of it read-only."""
    rules = Mount(Path(FILTER_TARGET), FILTER_TARGET, copy_fd=descriptors.seccomp)
    inside = [replace(mount, target=within(mount.target)) for mount in (*layout.mounts, *mounts, rules)]
    links = [(target, ROOT + path) for target, path in layout.symlinks]
    places = [mount.target for mount in inside] + [path for _, path in links]
    made = [*parents_of([*places, ROOT + FILLED]), *(ROOT + place for place in (*EMPTY, FILLED))]
    return [
        *(word for place in dict.fromkeys(made) for word in ("--perms", "0755", "--dir", place)),
        *(word for mount in inside for word in mount_arguments(mount)),
        *(word for target, path in links for word in ("--symlink", target, path)),
    ]


def within(target: str) -> str:
    """Where a place of the container lies outside it. The configuration is no place of the container."""
    return target if target == CONFIG else ROOT + target
