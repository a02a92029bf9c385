"""What this machine offers a sandbox: the mode, the programs and the files of the running interpreter."""

import os
import shutil
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from grading.sandbox.bwrap import find_bwrap
from grading.sandbox.errors import SandboxUnavailable
from grading.sandbox.policy import Layout, Mode, Mount, Tools

SYSTEM_DIRS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
LOADER_CACHE = Path("/etc/ld.so.cache")
# Set by a namespace that hides the vault and holds sandboxes. A wrong word only makes sandboxes that do not start.
MODE_VARIABLE = "MLEB_SANDBOX_MODE"
WORLD_READ = 0o004
WORLD_ENTER = 0o005


@dataclass(frozen=True)
class Host:
    """One machine and user, as the sandbox sees them."""

    mode: Mode
    tools: Tools
    layout: Layout


@lru_cache(maxsize=1)
def this_host() -> Host:
    """The host of this process, looked at once. Raises SandboxUnavailable if a part is missing."""
    mode = own_mode()
    tools = Tools(find_bwrap(), _util_linux("prlimit"), _util_linux("setpriv"))
    layout = interpreter_layout()
    if mode is Mode.ROOT:
        _require_world_readable(layout)
    return Host(mode, tools, layout)


def own_mode(environ: Mapping[str, str] = os.environ) -> Mode:
    """By who this process is: root, anybody else, or, where the namespace around it says so, root as somebody else."""
    if os.geteuid() == 0:
        return Mode.ROOT
    return Mode.INNER if environ.get(MODE_VARIABLE) == Mode.INNER else Mode.USER


def interpreter_layout() -> Layout:
    """The running interpreter and its site-packages at their own paths, and /usr for the C library.

    Only these parts of a virtual environment: pyvenv.cfg, site-packages and the name of the interpreter.
    """
    mounts, links = _system()
    for home in (Path(sys.base_prefix), Path(os.path.realpath(sys.executable)).parent.parent):
        _add(mounts, home)
    if sys.prefix != sys.base_prefix:
        _add(mounts, Path(sys.prefix, "pyvenv.cfg"))
        for name in ("purelib", "platlib"):
            _add(mounts, Path(sysconfig.get_path(name)))
        links.append((os.path.realpath(sys.executable), sys.executable))
    return Layout(tuple(mounts), tuple(links), str(Path(sys.executable).parent))


def is_open_to_all(path: Path) -> bool:
    """Whether a uid that owns nothing may read the file, or enter and list the directory."""
    wanted = WORLD_ENTER if path.is_dir() else WORLD_READ
    return path.stat().st_mode & wanted == wanted


def _system() -> tuple[list[Mount], list[tuple[str, str]]]:
    """/usr, and what lies beside it: links on a merged-/usr system, directories on an older one."""
    mounts, links = [Mount(Path("/usr"), "/usr")], []
    for path in (Path("/", name) for name in SYSTEM_DIRS):
        if path.is_symlink():
            links.append((str(path.readlink()), str(path)))
        elif path.is_dir():
            mounts.append(Mount(path, str(path)))
    if LOADER_CACHE.exists():
        mounts.append(Mount(LOADER_CACHE, str(LOADER_CACHE)))
    return mounts, links


def _add(mounts: list[Mount], path: Path) -> None:
    """Adds a path unless it is there already, as a whole or inside another."""
    if not any(path.is_relative_to(mount.target) for mount in mounts):
        mounts.append(Mount(path, str(path)))


def _util_linux(name: str) -> Path:
    # The directories of the system itself: a grading must not depend on what PATH holds.
    if found := shutil.which(name, path="/usr/bin:/bin:/usr/sbin:/sbin"):
        return Path(found)
    raise SandboxUnavailable(f"The program {name} was not found.", "apt-get install util-linux")


def _require_world_readable(layout: Layout) -> None:
    """In root mode the grader runs as a uid that owns nothing, so the interpreter must be open to it."""
    for mount in layout.mounts:
        if not is_open_to_all(mount.source):
            raise SandboxUnavailable(
                f"{mount.source} is closed to other users, so the sandbox could not read it.",
                f"chmod -R o+rX {mount.source}",
            )
