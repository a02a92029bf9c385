"""Takes a backup while the site runs: the tables at one moment, then the files, which never change once written."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from grading.vault import default_vault_root
from leaderboard.backup.answers import sealed_vault
from leaderboard.backup.digests import write
from leaderboard.backup.errors import BackupError
from leaderboard.backup.files import STORES, copy_out
from leaderboard.backup.tables import kept_models, read_rows
from leaderboard.receipts.checkpoint import kept_path

FORMAT = "mle-bench-leaderboard/backup/1"
BEGIN = {"sqlite": "BEGIN DEFERRED", "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"}


def take_backup(
    folder: Path, now: datetime, passphrase: str = "", with_answers: bool = False
) -> dict[str, Any]:
    """The manifest of the backup, which lies in `folder` now. Raises BackupError where something lies there already."""
    require_empty(folder)
    with one_moment():
        migrations = applied_migrations()
        tables = {model._meta.db_table: _table(model, folder) for model in kept_models()}
    files = {store: _store(store, folder) for store in STORES}
    manifest = {
        "format": FORMAT,
        "taken_at": f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "version": settings.VERSION,
        "commit": settings.COMMIT,
        "engine": connection.vendor,
        "migrations": migrations,
        "tables": tables,
        "files": {store: found[0] for store, found in files.items()},
        "files.jsonl": _listing(folder, [line for _, lines in files.values() for line in lines]),
        "checkpoints.jsonl": _checkpoints(folder),
        "answers.sealed": _answers(folder, passphrase) if with_answers else None,
    }
    # The last thing written: without it a folder is no backup.
    write(folder / "manifest.json", [json.dumps(manifest, indent=1).encode()])
    return manifest


def require_empty(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise BackupError(f"{folder} is not empty. Give each backup a folder of its own.")


@contextmanager
def one_moment() -> Iterator[None]:
    """All reads inside see the database as it is now, and hold up no writer."""
    if connection.in_atomic_block:  # Somebody else's transaction is a moment too.
        yield
        return
    connection.ensure_connection()
    with connection.cursor() as cursor:
        cursor.execute(BEGIN[connection.vendor])
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def applied_migrations() -> list[str]:
    return sorted(".".join(key) for key in MigrationRecorder(connection).applied_migrations())


def _table(model: Any, folder: Path) -> dict[str, Any]:
    rows = 0

    def counted() -> Iterator[bytes]:
        nonlocal rows
        for line in read_rows(model):
            rows += 1
            yield line

    _, digest = write(folder / "tables" / f"{model._meta.db_table}.jsonl", counted())
    return {"rows": rows, "sha256": digest}


def _store(store: str, folder: Path) -> tuple[dict[str, int], list[bytes]]:
    count, size, lines = 0, 0, []
    for each in copy_out(store, folder):
        count, size = count + 1, size + each["size"]
        lines.append(json.dumps(each, ensure_ascii=False).encode() + b"\n")
    return {"count": count, "bytes": size}, lines


def _listing(folder: Path, lines: list[bytes]) -> str:
    return write(folder / "files.jsonl", lines)[1]


def _checkpoints(folder: Path) -> str | None:
    """The copy beside the signing keys; nothing where this process cannot see it. The database has them too."""
    path = kept_path(settings.SIGNING_DIR)
    if not os.access(path, os.R_OK):
        return None
    return write(folder / "checkpoints.jsonl", [path.read_bytes()])[1]


def _answers(folder: Path, passphrase: str) -> str:
    return write(folder / "answers.sealed", sealed_vault(default_vault_root(), passphrase))[1]
