"""The database of one test process: a copy of one that was migrated once.

To migrate an empty database takes longer than most files of tests. What was migrated stays until a migration, a model
or a requirement changes: for SQLite as a file in the virtual environment, for PostgreSQL as a database of that server.
"""

import fcntl
import hashlib
import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import connection

ROOT = Path(__file__).parents[1]
KEPT_FOR_S = 24 * 3600
DEFINING = (
    "requirements*.txt",
    "leaderboard/settings.py",
    "*/migrations/*.py",
    "*/models.py",
    "*/models/*.py",
)


@contextmanager
def own_database(folder: Path) -> Iterator[None]:
    """Points Django at a migrated database that this process alone has. `folder`: for one that is a file."""
    usual, copied = connection.settings_dict["NAME"], _sqlite if connection.vendor == "sqlite" else _postgres
    try:
        with copied(folder):
            yield
            connection.close()
    finally:
        _point_at(usual)


def copy_migrated(to: Path) -> None:
    """Puts a migrated file of SQLite there. The first to want one makes it; the others wait for that."""
    kept = _shared_folder() / f"{_name()}.sqlite3"
    with kept.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            _forget_old(kept.parent)
            _migrate_file(kept)
        shutil.copyfile(kept, to)


def begin_migrated(var: Path) -> None:
    """A site that is to stand there finds its tables made; in tests once `django_db_setup` has run. On PostgreSQL its
    database was made with them (tests/site/services.py), or is made by the site."""
    if connection.vendor == "sqlite" and not (var / "db.sqlite3").exists():
        var.mkdir(mode=0o700, parents=True, exist_ok=True)
        copy_migrated(var / "db.sqlite3")


def migrated_template() -> str:
    """The name of a migrated database on the tests' server of PostgreSQL. The first to want it makes it."""
    template = f"migrated_{_name()}"
    with _at_the_server() as server:
        # The lock is given back with the connection.
        server.execute("SELECT pg_advisory_lock(1)")
        if not server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [template]).fetchone():
            _migrate_database(template)
    return template


@contextmanager
def _sqlite(folder: Path) -> Iterator[None]:
    own = folder / "test.sqlite3"
    copy_migrated(own)
    _point_at(str(own))
    yield


def _migrate_file(path: Path) -> None:
    """All or nothing: what has the final name is whole."""
    usual, begun = connection.settings_dict["NAME"], path.with_name(f"{path.name}.{os.getpid()}")
    _point_at(str(begun))
    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    _point_at(usual)
    begun.rename(path)


@contextmanager
def _postgres(folder: Path) -> Iterator[None]:
    # By the process: two runs may stand on one server.
    template, own = migrated_template(), f"test_{os.getpid()}"
    with _at_the_server() as server:
        server.execute(f'CREATE DATABASE "{own}" TEMPLATE "{template}"')
    _point_at(own)
    try:
        yield
    finally:
        connection.close()
        with _at_the_server() as server:
            server.execute(f'DROP DATABASE "{own}" WITH (FORCE)')


def _migrate_database(name: str) -> None:
    begun = f"{name}_{os.getpid()}"
    with _at_the_server() as server:
        server.execute(f'CREATE DATABASE "{begun}"')
        _point_at(begun)
        call_command("migrate", verbosity=0)
        connection.close()
        server.execute(f'ALTER DATABASE "{begun}" RENAME TO "{name}"')


def _at_the_server() -> Any:
    """A connection beside the database at hand, and outside any transaction."""
    import psycopg  # Not there on a machine that has SQLite alone.

    return psycopg.connect(**_server(), autocommit=True)


def _server() -> dict[str, Any]:
    given = connection.settings_dict
    names = {"host": "HOST", "port": "PORT", "user": "USER", "password": "PASSWORD"}
    return {"dbname": "postgres", **{name: given[theirs] for name, theirs in names.items() if given[theirs]}}


def _point_at(name: str) -> None:
    connection.close()
    connection.settings_dict["NAME"] = name


@cache
def _name() -> str:
    """Says all that makes the tables, and what a migration puts in them. A process that began before the last edit
    may have read either, so what it makes is for itself."""
    files = sorted(path for pattern in DEFINING for path in ROOT.glob(pattern))
    seen = hashlib.sha256()
    for path in files:
        seen.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    edited = max(path.stat().st_mtime for path in files) > _began()
    return f"{seen.hexdigest()[:16]}{f'_{os.getpid()}' if edited else ''}"


def _began() -> float:
    """When this process did, as seconds since 1970."""
    ticks = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
    return time.time() - time.clock_gettime(time.CLOCK_BOOTTIME) + ticks / os.sysconf("SC_CLK_TCK")


def _shared_folder() -> Path:
    """In the virtual environment; for whoever may not write there, beside other temporary files of his."""
    for folder in (Path(sys.prefix), Path(os.environ.get("TMPDIR", "/tmp"))):
        shared = folder / f"test-databases-{os.geteuid()}"
        if os.access(folder, os.W_OK):
            shared.mkdir(mode=0o700, exist_ok=True)
            return shared
    raise RuntimeError("Neither the virtual environment nor the folder of temporary files can be written to.")


def _forget_old(folder: Path) -> None:
    for path in folder.iterdir():
        if path.stat().st_mtime < time.time() - KEPT_FOR_S:
            path.unlink(missing_ok=True)
