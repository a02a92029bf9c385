"""Counters that all web processes of one server share, as files that the library maps into memory.

Must run before anything imports the library, which decides then and there how it counts.
"""

import os
import shutil
import sys
from pathlib import Path

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


def share_counters(var: Path) -> Path:
    """The folder, named by the parent of the web processes. Folders of parents that are gone are removed."""
    if "prometheus_client" in sys.modules:
        raise RuntimeError("The counters are set up already; share them before the first import.")
    home = var / "metrics"
    own = home / str(os.getppid())
    own.mkdir(mode=0o700, parents=True, exist_ok=True)
    for folder in home.iterdir():
        if folder != own and folder.name.isdigit() and not _lives(int(folder.name)):
            shutil.rmtree(folder, ignore_errors=True)
    os.environ[VARIABLE] = str(own)
    return own


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
