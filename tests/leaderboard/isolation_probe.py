"""What an intruder in the web process would try. Prints as JSON what it found, or could do."""

import ctypes
import json
import os
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWPID = 0x20000, 0x10000000, 0x20000000
MNT_DETACH, MS_BIND, MS_REMOUNT, MS_REC, PTRACE_ATTACH = 2, 4096, 32, 16384, 16
LARGE = 1 << 20


def holds(path: Path, canary: str) -> bool:
    try:
        return path.is_file() and path.stat().st_size < LARGE and canary.encode() in path.read_bytes()
    except OSError:
        return False


def files_below(folders: Iterable[Path]) -> Iterable[Path]:
    for folder in folders:
        for here, _, names in os.walk(folder):
            yield from (Path(here, name) for name in names)


def paths(wanted: dict[str, Any]) -> list[str]:
    """By name, by every other way to the root, and by searching where such things lie."""
    answers = Path(wanted["answers"])
    roots = [Path("/"), *Path("/proc").glob("[0-9]*/root"), *Path("/proc").glob("[0-9]*/cwd")]
    direct = [Path(f"{root}/{answers}") for root in roots] + [root / answers.name for root in roots]
    around = [
        answers.parents[3],
        Path(wanted["var"]),
        Path.home(),
        Path("/dev/shm"),
        Path("/run"),
        Path("/var/tmp"),
    ]
    return [str(path) for path in [*direct, *files_below(around)] if holds(path, wanted["canary"])]


def environment(wanted: dict[str, Any]) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            found += [str(path)] if f"ANSWER={wanted['canary']}".encode() in path.read_bytes() else []
        except OSError:
            continue
    return found


def processes(wanted: dict[str, Any]) -> list[str]:
    """The worker by its number, and any process that runs the worker's command."""
    try:
        os.kill(wanted["sibling"], 0)
        found = ["signal"]
    except ProcessLookupError:
        found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        if b"kept = open" in path.read_bytes():
            found.append(str(path))
    return found


def descriptors(wanted: dict[str, Any]) -> list[str]:
    """Open files of any process in sight, its own inherited ones above all."""
    links = [*Path("/proc").glob("[0-9]*/fd/*"), *Path("/proc").glob("[0-9]*/map_files/*")]
    return [
        str(path)
        for path in links
        if wanted["answers"] in os.path.realpath(path) or holds(path, wanted["canary"])
    ]


def mounts(wanted: dict[str, Any]) -> list[str]:
    """Taking the cover away, seeing through it, or making a namespace in which one could."""
    libc = ctypes.CDLL(None)
    answers = Path(wanted["answers"])
    calls: dict[str, Callable[[], int]] = {
        "unshare user": lambda: libc.unshare(CLONE_NEWUSER),
        "unshare user and mount": lambda: libc.unshare(CLONE_NEWUSER | CLONE_NEWNS),
        "unshare mount": lambda: libc.unshare(CLONE_NEWNS),
        "unshare pid": lambda: libc.unshare(CLONE_NEWPID),
        "remount": lambda: libc.mount(b"none", b"/", None, MS_REMOUNT | MS_BIND, None),
        "bind": lambda: libc.mount(b"/", b"/tmp", None, MS_BIND, None),
        "proc": lambda: libc.mount(b"proc", b"/tmp", b"proc", 0, None),
        "chroot": lambda: libc.chroot(b"/proc/1/root"),
        "mknod": lambda: libc.mknod(b"/tmp/disk", 0o60600, os.makedev(254, 0)),
        "ptrace": lambda: libc.ptrace(PTRACE_ATTACH, wanted["sibling"], 0, 0),
    }
    for cover in [*answers.parents, Path("/proc"), Path.home(), Path("/tmp")]:
        calls[f"umount {cover}"] = lambda cover=cover: libc.umount2(str(cover).encode(), MNT_DETACH)  # type: ignore[misc]
    for kind in ("mnt", "user", "pid"):
        calls[f"setns {kind}"] = lambda kind=kind: enter(f"/proc/1/ns/{kind}")  # type: ignore[misc]
    done = [name for name, call in calls.items() if call() == 0]
    return done + paths(wanted)


def inner(wanted: dict[str, Any]) -> list[str]:
    """With every capability in a namespace of its own: uncovering, seeing beneath, writing where it may not.

    Begins with "made" where the namespace could be made, since otherwise nothing is tried.
    """
    libc = ctypes.CDLL(None)
    uid, gid = os.getuid(), os.getgid()
    if libc.unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID):
        return []
    for name, line in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")):
        Path("/proc/self", name).write_text(line)
    read, write = os.pipe()
    if (child := os.fork()) == 0:  # The first process of the new pid namespace, whose /proc it may mount.
        found = [*_uncover(libc, wanted), *paths(wanted)]
        os.write(write, json.dumps(found).encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as said:
        return ["made", *json.loads(said.read() or '["the probe died"]')]


def _uncover(libc: ctypes.CDLL, wanted: dict[str, Any]) -> list[str]:
    """What could be done to the mounts; what is found by it is looked for after each."""
    answers, found = Path(wanted["answers"]), []
    where = Path.home() / "seen"
    for name in ("bind", "all", "upper", "work", "merged", "proc"):
        (where / name).mkdir(parents=True, exist_ok=True)
    covers = [Path("/"), *answers.parents, Path("/proc"), Path.home(), Path("/tmp"), Path("/proc/sys")]
    for cover in dict.fromkeys(covers):
        name = str(cover).encode()
        if cover != Path("/tmp") and libc.umount2(name, MNT_DETACH) == 0:
            found.append(f"umount {cover}")
        for target, flags in (("bind", MS_BIND), ("all", MS_BIND | MS_REC)):
            libc.mount(name, str(where / target).encode(), None, flags, None)
            found += _seen(where / target, wanted)
            libc.umount2(str(where / target).encode(), MNT_DETACH)
        options = f"lowerdir={cover}:{where / 'upper'}".encode()
        if libc.mount(b"overlay", str(where / "merged").encode(), b"overlay", 0, options) == 0:
            found += _seen(where / "merged", wanted)
            libc.umount2(str(where / "merged").encode(), MNT_DETACH)
        if _becomes_writable(libc, cover):
            found.append(f"writes to {cover}")
    libc.mount(b"proc", str(where / "proc").encode(), b"proc", 0, None)
    settings = ("sys/kernel/core_pattern", "sysrq-trigger", "sys/kernel/modprobe")
    roots = (where / "proc", Path("/proc"))
    found += [str(root / name) for root in roots for name in settings if _opens(root / name)]
    libc.umount2(
        str(where / "proc").encode(), MNT_DETACH
    )  # It shows this probe, whose arguments name the canary.
    return found


def _seen(root: Path, wanted: dict[str, Any]) -> list[str]:
    """The canary where it would lie, seen from any of its parents."""
    answers = Path(wanted["answers"])
    beneath = [root / answers.relative_to(parent) for parent in answers.parents]
    return [str(path) for path in beneath if holds(path, wanted["canary"])]


def _becomes_writable(libc: ctypes.CDLL, place: Path) -> bool:
    """Whether a read-only mount can be made writable. /tmp, the home and var are anyway."""
    try:
        options = os.statvfs(place).f_flag
    except OSError:
        return False
    return bool(options & os.ST_RDONLY) and not libc.mount(
        b"none", str(place).encode(), None, MS_REMOUNT | MS_BIND, None
    )


def _opens(path: Path) -> bool:
    try:
        os.close(os.open(path, os.O_WRONLY))
    except OSError:
        return False
    return True


def enter(name: str) -> int:
    try:
        return int(ctypes.CDLL(None).setns(os.open(name, os.O_RDONLY), 0))
    except OSError:
        return -1


def plant(wanted: dict[str, Any]) -> list[str]:
    written = []
    for name in wanted["targets"]:
        try:
            os.makedirs(os.path.dirname(name), exist_ok=True)
            with open(name, "a") as file:
                file.write("planted")
            written.append(name)
        except OSError:
            continue
    return written


def writable_mounts(_: dict[str, Any]) -> list[str]:
    """Writable mounts of file systems that exist outside too."""
    fields = [line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    private = ("tmpfs", "devtmpfs", "devpts")
    return [f[4] for f in fields if "rw" in f[5].split(",") and f[f.index("-") + 1] not in private]


def sockets(wanted: dict[str, Any]) -> list[str]:
    return [name for name in wanted["paths"] if os.path.exists(name)]


if __name__ == "__main__":
    signal.alarm(50)
    probe = {
        f.__name__: f
        for f in (paths, environment, processes, descriptors, mounts, inner, plant, writable_mounts, sockets)
    }[sys.argv[1]]
    print(json.dumps(probe(json.loads(sys.argv[2]))))
