"""Limits, mounts and the command line of one sandbox, as data. Pure: nothing here looks at the machine."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath

GRADERS = Path(__file__).resolve().parents[1] / "graders"
GRADERS_TARGET = "/app/grading/graders"
INSIDE = Path(__file__).resolve().with_name("inside")
INSIDE_TARGET = "/app/grading/sandbox/inside"
SUBMISSION_TARGET = "/in/submission.csv"
ANSWERS_TARGET = "/answers/answers.csv"

NOBODY = 65534
# systemd's table of ids calls 60578-61183 unused; each slot gets one of its own there (see `user_of_slot`).
FIRST_SLOT_UID = 60600
SLOTS = 500
# Shared libraries and thread stacks take address space that never becomes resident.
ADDRESS_SPACE_HEADROOM_MB = 512
# Room for a template and a grading, which has its own limit besides.
TEMPLATE_PROCESSES = 256
SHARED_LIMITS = ("--nofile=256", "--core=0", "--memlock=0", "--msgqueue=0", "--sigpending=128")
PROC = ("--proc", "/proc", "--remount-ro", "/proc")
# Without zero: mapped shared it is memory that no limit counts.
DEVICES = ("null", "full", "random", "urandom")
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")
# pyarrow's own allocators reserve a GiB of address space, or start a thread, which would count as a process and
# stand in the way of a fork.
ARROW_MEMORY = {"ARROW_DEFAULT_MEMORY_POOL": "system", "JE_ARROW_MALLOC_CONF": "background_thread:false"}


class Mode(StrEnum):
    """Who starts the sandbox: root drops to a uid of the slot, a user gets a user namespace.

    `inner` is root under another number inside a namespace that hides the vault: a user namespace too, but with
    neither /proc, which cannot be mounted there, nor processes, which no limit counts for root.
    """

    ROOT = "root"
    USER = "user"
    INNER = "inner"


@dataclass(frozen=True)
class Limits:
    """What one grading may use. `memory_mb` is resident memory of all its processes together."""

    wall_s: float = 120.0
    cpu_s: int = 120
    memory_mb: int = 4096
    processes: int = 16
    output_bytes: int = 1 << 20
    file_mb: int = 32
    tmp_mb: int = 0  # 0: no writable place at all, and so no flood of inodes
    tmp_files: int = 1000


@dataclass(frozen=True)
class Mount:
    """A file or directory seen read-only at `target`; with `copy_fd` a copy of the file, made by bwrap."""

    source: Path
    target: str
    copy_fd: int | None = None


@dataclass(frozen=True)
class Layout:
    """What the interpreter needs: mounts, symbolic links (target, path), and the directory of `python`."""

    mounts: tuple[Mount, ...]
    symlinks: tuple[tuple[str, str], ...]
    python_dir: str


@dataclass(frozen=True)
class Tools:
    """The programs on this machine. `setpriv` is used in root mode only."""

    bwrap: Path
    prlimit: Path
    setpriv: Path


@dataclass(frozen=True)
class Descriptors:
    """Open files bwrap inherits. Only `result` is left open for the graded process."""

    status: int
    go: int
    seccomp: int
    result: int


def grading_mounts(*, submission: Path, answers: Path | None = None) -> tuple[Mount, ...]:
    """The files of one grading: graders, CSV and, unless the check uses the shape alone, the answers."""
    mounts = [Mount(GRADERS, GRADERS_TARGET), Mount(submission, SUBMISSION_TARGET)]
    if answers is not None:
        mounts.append(Mount(answers, ANSWERS_TARGET))
    return tuple(mounts)


def template_mounts() -> tuple[Mount, ...]:
    """Code alone, which is all that a template sees."""
    return (Mount(GRADERS, GRADERS_TARGET), Mount(INSIDE, INSIDE_TARGET))


def user_of_slot(slot: int) -> int:
    """The uid of a slot in root mode. Not shared, as RLIMIT_NPROC counts all processes of a uid.

    Raises ValueError outside 0..499.
    """
    if not 0 <= slot < SLOTS:
        raise ValueError(f"slot {slot} is outside 0..{SLOTS - 1}")
    return FIRST_SLOT_UID + slot


def sandbox_argv(
    command: Sequence[str],
    *,
    tools: Tools,
    mode: Mode,
    layout: Layout,
    mounts: Sequence[Mount],
    limits: Limits,
    descriptors: Descriptors,
    slot: int = 0,
    is_template: bool = False,
) -> list[str]:
    """The whole command line. Start it with an empty environment: /proc/1/environ inside is bwrap's own.

    A template has no /proc, may nest user namespaces, and leaves most limits to the gradings it forks.
    """
    return [
        str(tools.bwrap),
        *_descriptor_arguments(descriptors),
        *_namespace_arguments(mode, is_template),
        *_environment_arguments(mode, layout, descriptors),
        *_file_system_arguments(layout, mounts, limits, has_proc=not is_template and mode is not Mode.INNER),
        "--",
        *(_drop_root(tools, user_of_slot(slot)) if mode is Mode.ROOT else ()),
        *(_template_limits(tools) if is_template else _limit_arguments(tools, mode, limits)),
        *command,
    ]


def _descriptor_arguments(descriptors: Descriptors) -> list[str]:
    numbered = (
        "--json-status-fd",
        descriptors.status,
        "--block-fd",
        descriptors.go,
        "--seccomp",
        descriptors.seccomp,
    )
    return [str(item) for item in numbered]


def _namespace_arguments(mode: Mode, is_template: bool) -> list[str]:
    # Each is named: --unshare-all would quietly go without a user namespace where that is refused.
    shared = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    shared += ["--hostname", "sandbox", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    if mode is not Mode.ROOT:
        # Making further ones is refused by the system call filter as well; this setting lies in /proc.
        alone = ["--disable-userns"] if mode is Mode.USER and not is_template else []
        return [*shared, "--unshare-user", *alone, "--uid", str(NOBODY), "--gid", str(NOBODY)]
    # Without --cap-drop root keeps every capability inside. These three are for setpriv, which gives them up.
    return [*shared, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]


def _environment_arguments(mode: Mode, layout: Layout, descriptors: Descriptors) -> list[str]:
    variables = {
        **environment(layout),
        "RESULT_FD": str(descriptors.result),
        **({"GRADING_THREADS": "1"} if mode is Mode.INNER else {}),
    }
    return ["--clearenv", *_pairs("--setenv", variables)]


def environment(layout: Layout) -> dict[str, str]:
    """What every graded process finds there, beside the number of its result's descriptor."""
    return {
        "PATH": f"{layout.python_dir}:/usr/bin",
        "LANG": "C.UTF-8",
        "HOME": "/",
        **dict.fromkeys(ONE_THREAD, "1"),
        **ARROW_MEMORY,
    }


def _pairs(option: str, values: Mapping[str, str]) -> list[str]:
    return [word for name, value in values.items() for word in (option, name, value)]


def _file_system_arguments(
    layout: Layout, mounts: Sequence[Mount], limits: Limits, *, has_proc: bool
) -> list[str]:
    """Everything read-only: root and /proc are remounted so last, since bwrap makes both writable."""
    everything = (*layout.mounts, *mounts)
    places = [mount.target for mount in everything] + [path for _, path in layout.symlinks]
    arguments = [word for parent in parents_of(places) for word in ("--perms", "0755", "--dir", parent)]
    arguments += [word for mount in everything for word in mount_arguments(mount)]
    arguments += [word for target, path in layout.symlinks for word in ("--symlink", target, path)]
    # Single devices, as --dev brings terminals and a writable /dev and /dev/shm of half the RAM.
    arguments += ["--perms", "0755", "--dir", "/dev", "--symlink", "/proc/self/fd", "/dev/fd"]
    arguments += [word for name in DEVICES for word in ("--dev-bind", f"/dev/{name}", f"/dev/{name}")]
    return [
        *_tmp_arguments(limits),  # First: interpreter and checkout may themselves lie under /tmp.
        *arguments,
        *(PROC if has_proc else ()),
        "--remount-ro",
        "/",
        "--chdir",
        "/",
    ]


def _tmp_arguments(limits: Limits) -> list[str]:
    if not limits.tmp_mb:
        return []
    # --size bounds bytes alone; inodes have no option, so the watchdog counts them against `tmp_files`.
    return ["--perms", "1777", "--size", str(limits.tmp_mb << 20), "--tmpfs", "/tmp"]  # noqa: S108


def mount_arguments(mount: Mount) -> list[str]:
    if mount.copy_fd is None:
        return ["--ro-bind", str(mount.source), mount.target]
    return ["--perms", "0444", "--ro-bind-data", str(mount.copy_fd), mount.target]


def parents_of(targets: Iterable[str]) -> list[str]:
    """Directories to make, outermost first. bwrap would make them mode 0700, closed to the dropped uid."""
    targets = tuple(targets)
    mounted = {PurePosixPath(target) for target in targets}
    parents = {parent for target in mounted for parent in target.parents if str(parent) != "/"}
    free = [parent for parent in parents if not mounted & {parent, *parent.parents}]
    return sorted(map(str, free), key=lambda path: (path.count("/"), path))


def _drop_root(tools: Tools, uid: int) -> list[str]:
    dropped = ["--clear-groups", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"]
    return [str(tools.setpriv), f"--reuid={uid}", f"--regid={uid}", *dropped]


def _limit_arguments(tools: Tools, mode: Mode, limits: Limits) -> list[str]:
    """Set innermost, so that they bind the graded process alone."""
    own = own_limits(limits, companions=1 if mode is Mode.USER else 0)
    given = [f"--{name.lower()}={soft}:{hard}" for name, (soft, hard) in own.items()]
    return [str(tools.prlimit), *given, *SHARED_LIMITS, "--"]


def _template_limits(tools: Tools) -> list[str]:
    return [str(tools.prlimit), f"--nproc={TEMPLATE_PROCESSES}", *SHARED_LIMITS, "--"]


def own_limits(limits: Limits, *, companions: int) -> dict[str, tuple[int, int]]:
    """Soft and hard limits of one grading by name.

    In a user namespace of its own (Linux 5.14 or newer) the processes in it are counted, not all that the host's
    user runs; `companions` are those that are not the grading's, as bwrap's first process is.
    """
    address_space = (limits.memory_mb + ADDRESS_SPACE_HEADROOM_MB) << 20
    file_bytes = limits.file_mb << 20
    processes = limits.processes + companions
    return {
        "AS": (address_space, address_space),
        "CPU": (limits.cpu_s, limits.cpu_s + 1),
        "FSIZE": (file_bytes, file_bytes),
        "NPROC": (processes, processes),
    }
