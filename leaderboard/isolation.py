"""The command line that starts a process for which the vault does not exist.

For the processes that face people or bundles (web, intake, housekeeping) when they share a machine and a user
with grading. What it does and does not stop: docs/sandbox.md.
"""

import os
import pwd
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from grading.sandbox import supervise
from grading.sandbox.bwrap import find_bwrap
from grading.sandbox.errors import SandboxUnavailable
from grading.sandbox.host import MODE_VARIABLE
from grading.sandbox.policy import Mode

CHECKOUT = Path(__file__).resolve().parents[1]
RESOLVER = Path("/etc/resolv.conf")
PROC = Path("/proc")
OWNER_WRITES = 0o200
# Sockets by which a program outside could be made to act: session bus, container engine, terminals, agents.
MEETING_PLACES = ("/tmp", "/var/tmp", "/run")  # noqa: S108
# What the grading worker shares with others all the same: its copies of CSVs may be too large for memory.
SHARED_PLACES = ("/tmp", "/var/tmp")  # noqa: S108
# Of root's, in the namespace of the grading worker. The rest is needed to make sandboxes in which none is left.
UNNEEDED_RIGHTS = (
    "CAP_MKNOD", "CAP_SYS_MODULE", "CAP_SYS_RAWIO", "CAP_SYS_BOOT", "CAP_SYS_TIME", "CAP_NET_RAW",
    "CAP_DAC_READ_SEARCH", "CAP_LINUX_IMMUTABLE", "CAP_AUDIT_CONTROL", "CAP_AUDIT_WRITE", "CAP_BPF", "CAP_PERFMON",
)  # fmt: skip
SYSTEM = ("/usr", "/etc", "/dev", "/proc", "/sys", "/boot")
NAMESPACES = ("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-cgroup-try")
NO_MORE_NAMESPACES = ("--disable-userns",)
# In a namespace that holds further ones root goes by another number: the kernel lets nobody map 0 twice.
INNER_ID = "60599"
# A session of its own, since a program that keeps the terminal could type into the shell that started it.
CONFINEMENT = ("--cap-drop", "ALL", "--die-with-parent", "--new-session", "--unsetenv", "MLEB_VAULT")


def hidden_vault_command(
    argv: Sequence[str],
    *,
    vault: Path,
    writable: Sequence[Path] = (),
    extra_hidden: Sequence[Path] = (),
    readable: Sequence[Path] = (),
    holds_sandboxes: bool = False,
    kept: Sequence[int] = (),
) -> list[str]:
    """The command line that runs `argv` without the vault. SIGTERM and the like reach the program inside.

    It sees the file system read-only, `writable` excepted; of the home directory, /tmp and /run only the
    checkout, the interpreter, `readable` and `writable`; no process but its own; the network as it is. Its
    standard input is empty; of open descriptors it gets those that are `kept`. Do not let it write to a terminal
    directly: give it a pipe or a log file.

    With `holds_sandboxes` it may make namespaces inside its own, for sandboxes. There the kernel keeps every
    cover and every read-only mount as it is.

    All paths given must exist, the vault too. Raises SandboxUnavailable if one does not, if there is no
    bwrap, or if the vault and something writable overlap.
    """
    shown, changed = _both_names([*_program_paths(), *readable]), _real(writable)
    secrets = _real([vault, *extra_hidden])
    _require_apart(changed, os.path.realpath(vault))
    arguments = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    arguments += _writable_proc() if holds_sandboxes else ["--remount-ro", "/proc"]
    arguments += _emptied(_meeting_places())
    arguments += _bound("--ro-bind", [*shown, *_resolver()])
    arguments += _bound("--bind", changed)
    arguments += _removed(secrets, visible=[*shown, *changed])
    script = [sys.executable, "-I", "-S", supervise.__file__, *_passed(kept), str(find_bwrap())]
    namespaces = [*NAMESPACES, *(_inner_ids() if holds_sandboxes else NO_MORE_NAMESPACES)]
    return [*script, *namespaces, *CONFINEMENT, *arguments, "--", *argv]


def grading_command(
    argv: Sequence[str],
    *,
    vault: Path,
    hidden: Sequence[Path],
    writable: Sequence[Path] = (),
    read_only: Sequence[Path] = (),
    readable: Sequence[Path] = (),
) -> list[str]:
    """The command line that runs a grading worker, which sees the vault and nothing of `hidden`.

    Otherwise as `hidden_vault_command`; /tmp is shared, and sandboxes can be made as outside. Where root starts it
    the covers keep honest code apart, and files from whoever can only read them: root itself could take them away,
    as sandboxes need the right to mount. Raises SandboxUnavailable as the other does.
    """
    kept, changed = _both_names([*_program_paths(), *readable]), _real([*writable, vault])
    emptied = _meeting_places(SHARED_PLACES)
    arguments = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    arguments += _bound("--bind", [place for place in SHARED_PLACES if os.path.isdir(place)])
    arguments += _emptied(emptied)
    arguments += _bound("--ro-bind", [*kept, *_resolver()])
    arguments += _bound("--bind", changed)
    arguments += _bound("--ro-bind", _real(read_only))
    arguments += _removed(_real(hidden), visible=[*kept, *changed, *SHARED_PLACES], emptied=emptied)
    script = [sys.executable, "-I", "-S", supervise.__file__, str(find_bwrap())]
    rights = _without(UNNEEDED_RIGHTS) if is_root() else ["--unshare-user"]
    apart = ["--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session"]
    return [*script, *apart, *rights, *arguments, "--", *argv]


def is_root() -> bool:
    return os.geteuid() == 0


def _without(rights: Iterable[str]) -> list[str]:
    return [word for right in rights for word in ("--cap-drop", right)]


def _passed(descriptors: Iterable[int]) -> list[str]:
    return [word for each in descriptors for word in (supervise.KEEP, str(each))]


def _inner_ids() -> list[str]:
    """For root: its other number, and a word to the sandboxes inside, which cannot tell whose number it is."""
    if os.geteuid() != 0:
        return []
    return ["--uid", INNER_ID, "--gid", INNER_ID, "--setenv", MODE_VARIABLE, Mode.INNER]


def _writable_proc() -> list[str]:
    """Covers for all of /proc that root may write, but for the processes themselves.

    A namespace is made by writing into the files of a process. The rest are settings of the whole machine, which
    root may write without any capability; once a part is covered, no other /proc can be mounted inside either.
    """
    if os.geteuid() != 0:
        return []
    names = sorted(path for path in PROC.iterdir() if not path.name.isdigit() and not path.is_symlink())
    settings = [str(path) for path in names if path.is_dir() or path.stat().st_mode & OWNER_WRITES]
    return _bound("--ro-bind", settings)


def _program_paths() -> list[Path]:
    """Checkout, virtual environment and interpreter, which may lie in the home directory."""
    return [
        CHECKOUT,
        Path(sys.prefix),
        Path(sys.base_prefix),
        Path(os.path.realpath(sys.executable)).parent.parent,
    ]


def _meeting_places(kept: Sequence[str] = ()) -> list[str]:
    """Directories to empty: those shared by all, and this user's home; without those that are `kept`."""
    shared = [place for place in MEETING_PLACES if place not in kept]
    places = {os.path.realpath(place) for place in (*shared, *_homes())}
    return _outermost(sorted(place for place in places if os.path.isdir(place)))


def _homes() -> list[str]:
    """The user's home by environment and by record, without those of service users that lie in the system."""
    homes = [os.environ.get("HOME") or "/"]
    with suppress(KeyError):
        homes.append(pwd.getpwuid(os.getuid()).pw_dir)
    homes = [os.path.realpath(home) for home in homes]
    return [home for home in homes if home != "/" and not any(_is_within(home, place) for place in SYSTEM)]


def _resolver() -> list[str]:
    """The file that names the name servers, which may be a link into /run."""
    target = os.path.realpath(RESOLVER)
    return [target] if target != str(RESOLVER) and os.path.exists(target) else []


def _both_names(paths: Iterable[Path]) -> list[str]:
    """Each path as given and with links resolved, as a link itself is gone when its directory is emptied."""
    names = [name for path in paths for name in (os.path.realpath(path), os.path.abspath(path))]
    return _existing(dict.fromkeys(names))


def _real(paths: Iterable[Path]) -> list[str]:
    return _existing(dict.fromkeys(os.path.realpath(path) for path in paths))


def _existing(names: Iterable[str]) -> list[str]:
    """The names. Raises SandboxUnavailable for one that is missing: made later, it could not be hidden."""
    for name in names:
        if not os.path.exists(name):
            raise SandboxUnavailable(f"{name} does not exist.", "Create it before this process starts.")
    return list(names)


def _require_apart(writable: Iterable[str], vault: str) -> None:
    for place in writable:
        if _is_within(vault, place) or _is_within(place, vault):
            raise SandboxUnavailable(
                f"The vault {vault} overlaps {place}, which must be writable.",
                "Set MLEB_VAULT to a place apart.",
            )


def _is_within(path: str, place: str) -> bool:
    return Path(path).is_relative_to(place)


def _outermost(places: Iterable[str]) -> list[str]:
    """The places without those inside another, which are gone once the outer one is emptied."""
    places = list(places)
    return [
        place for place in places if not any(_is_within(place, other) for other in places if other != place)
    ]


def _emptied(places: Iterable[str]) -> list[str]:
    return [word for place in places for word in ("--perms", "0700", "--tmpfs", place)]


def _bound(option: str, names: Iterable[str]) -> list[str]:
    """Binds, outer ones first, or an outer one would cover what was bound inside it."""
    return [word for name in sorted(names, key=lambda name: name.count("/")) for word in (option, name, name)]


def _removed(
    secrets: Iterable[str], visible: Sequence[str], emptied: Sequence[str] | None = None
) -> list[str]:
    """Covers for what would still be visible: an empty read-only directory, or a device none may open."""
    emptied = _meeting_places() if emptied is None else emptied
    arguments: list[str] = []
    for name in secrets:
        is_gone = any(_is_within(name, place) for place in emptied)
        if is_gone and not any(_is_within(name, place) for place in visible):
            continue
        is_directory = os.path.isdir(name)
        arguments += (
            ["--tmpfs", name, "--remount-ro", name] if is_directory else ["--ro-bind", "/dev/null", name]
        )
    return arguments
