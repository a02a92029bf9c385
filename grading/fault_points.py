"""Named steps of a submission's life at which a test can make something go wrong. In production they do nothing.

A module declares its steps when it is imported: `claimed = fault_point("grading_claimed")`, and reaches them by
`claimed.reach()`. `MLEB_FAULTS` names a folder: a file `armed/<step>` there holds what happens the next time that any
process reaches the step, once, and `reached/<step>` remembers that one did. Without the variable a step costs one
comparison; production refuses to start with it.
"""

import errno
import os
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from django.utils import timezone

HELD_FOR_S = 180.0
PAUSE_S = 0.02
_declared: dict[str, "FaultPoint"] = {}


class FaultsInProduction(Exception):
    """Fault points are for tests; says how to mend it."""


def fault_folder(environment: Mapping[str, str]) -> Path | None:
    """The folder by which steps are armed, None for never. Raises FaultsInProduction."""
    folder = environment.get("MLEB_FAULTS", "")
    if folder and environment.get("MLEB_MODE", "local") != "local":
        raise FaultsInProduction("MLEB_FAULTS makes the site fail on purpose, for tests alone. Unset it.")
    return Path(folder) if folder else None


_folder = fault_folder(os.environ)


@dataclass(frozen=True)
class FaultPoint:
    """A step at a boundary: what is before it is done, what is behind it is not."""

    name: str

    def reach(self) -> None:
        if _folder is not None:
            _note(_folder / "reached" / self.name)
            if word := _take(_folder, self.name):
                _do(word, _folder / "held" / self.name)


def fault_point(name: str) -> FaultPoint:
    """Declares a step. Each name is one place in the code."""
    if name in _declared:
        raise ValueError(f"the step {name} is declared twice")
    return _declared.setdefault(name, FaultPoint(name))


def let_clock_jump() -> None:
    """In a process that is told of the folder, the site's clock differs by the seconds in the file `clock` there.

    All that the site writes and compares is told by this one function.
    """
    if _folder is not None:
        path, true_now = _folder / "clock", timezone.now
        timezone.now = lambda: true_now() + timedelta(seconds=_seconds(path))


def _seconds(path: Path) -> float:
    try:
        return float(path.read_text())
    except (FileNotFoundError, ValueError):
        return 0.0


def declared_points() -> list[str]:
    """The names of all steps of the modules that are loaded."""
    return sorted(_declared)


def _note(path: Path) -> None:
    with suppress(OSError):
        path.touch()


def _take(folder: Path, name: str) -> str:
    """What is to happen here; empty where nothing is armed. Of several processes one takes it."""
    armed, taken = folder / "armed" / name, folder / "taken" / f"{name}.{time.time_ns()}"
    try:
        armed.rename(taken)
        return taken.read_text()
    except FileNotFoundError:
        return ""


def _do(word: str, held: Path) -> None:
    FAULTS[word](held)


def _kill(held: Path) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _fail(held: Path) -> None:
    raise OSError(errno.EIO, "failed on purpose")


def _fill(held: Path) -> None:
    raise OSError(errno.ENOSPC, "failed on purpose: no space left")


def _hold(held: Path) -> None:
    """Waits, with the name of this process written down, until somebody deletes that, or kills it."""
    draft = held.with_suffix(f".{os.urandom(4).hex()}")
    draft.write_text(os.environ.get("MLEB_PROCESS", ""))
    draft.rename(held)
    deadline = time.monotonic() + HELD_FOR_S
    while held.exists() and time.monotonic() < deadline:
        time.sleep(PAUSE_S)


FAULTS: Mapping[str, Callable[[Path], None]] = {
    "kill": _kill,
    "fail": _fail,
    "full": _fill,
    "hold": _hold,
}
