"""Puts a backup back into an empty database and empty stores. Nothing is written before everything was checked."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction

from grading.vault import default_vault_root
from leaderboard.backup.answers import unseal_vault
from leaderboard.backup.digests import require_digest
from leaderboard.backup.errors import BackupError
from leaderboard.backup.files import StoredFile, copy_in, digest_of_stored, find_occupied, path_of
from leaderboard.backup.tables import empty_tables, kept_models, reset_counters, write_rows
from leaderboard.backup.take import FORMAT, applied_migrations
from leaderboard.receipts.checkpoint import kept_path


def read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / "manifest.json"
    try:
        manifest: dict[str, Any] = json.loads(path.read_bytes())
    except OSError as error:
        raise BackupError(
            f"{path} is missing: {folder} is no backup, or one that was not finished."
        ) from error
    except ValueError as error:
        raise BackupError(f"{path} is damaged. Take another backup, or copy this one again.") from error
    if manifest.get("format") != FORMAT:
        raise BackupError(f"{path} is of another format ({manifest.get('format')}).")
    return manifest


def check_backup(folder: Path) -> dict[str, Any]:
    """The manifest, once every file was read and found whole. Raises BackupError for the first that is not."""
    manifest = read_manifest(folder)
    for table, told in manifest["tables"].items():
        require_digest(folder / "tables" / f"{table}.jsonl", told["sha256"])
    for name in ("files.jsonl", "checkpoints.jsonl", "answers.sealed"):
        if manifest[name]:
            require_digest(folder / name, manifest[name])
    for stored in stored_files(folder):
        require_digest(path_of(folder, stored["store"], stored["key"]), stored["sha256"])
    return manifest


def stored_files(folder: Path) -> Iterator[StoredFile]:
    with (folder / "files.jsonl").open("rb") as lines:
        for line in lines:
            yield json.loads(line)


def restore_backup(folder: Path, passphrase: str = "", with_answers: bool = False) -> dict[str, Any]:
    """The manifest of what stands now. Raises BackupError before anything is written, or where a store lost a file."""
    manifest = check_backup(folder)
    if with_answers and not manifest["answers.sealed"]:
        raise BackupError(
            f"{folder} holds no answers. Load them from their source, or take a backup --with-answers."
        )
    require_empty_site()
    call_command("migrate", interactive=False, verbosity=0)
    _require_same_migrations(manifest)
    _restore_tables(folder, manifest)
    for stored in stored_files(folder):
        copy_in(stored, folder)
        if digest_of_stored(stored) != stored["sha256"]:
            raise BackupError(f"{stored['store']} did not keep {stored['key']} as it was given.")
    if manifest["checkpoints.jsonl"]:
        _restore_checkpoints(folder / "checkpoints.jsonl")
    if with_answers:
        with (folder / "answers.sealed").open("rb") as sealed:
            unseal_vault(sealed, passphrase, default_vault_root())
    return manifest


def require_empty_site() -> None:
    """A database without tables, and stores without files."""
    if connection.introspection.table_names():
        raise BackupError("The database has tables already. Restore into an empty one, made for it.")
    if occupied := find_occupied():
        raise BackupError(f"There are files already in: {', '.join(occupied)}. Restore into empty stores.")


def _require_same_migrations(manifest: dict[str, Any]) -> None:
    """Rows fit the tables they came from. The code of the backup's commit makes those; migrate afterwards."""
    if other := sorted(set(manifest["migrations"]) ^ set(applied_migrations())):
        raise BackupError(
            f"This code is of another version than the backup (commit {manifest['commit'] or 'unknown'}; {other[0]} "
            "differs). Restore with the code of the backup, then upgrade. The database has empty tables now."
        )


def _restore_tables(folder: Path, manifest: dict[str, Any]) -> None:
    tables = kept_models()
    with transaction.atomic():
        empty_tables(reversed(tables))
        for model in tables:
            told = manifest["tables"][model._meta.db_table]
            with (folder / "tables" / f"{model._meta.db_table}.jsonl").open("rb") as lines:
                if write_rows(model, lines) != told["rows"]:
                    raise BackupError(f"{model._meta.db_table} has other than {told['rows']} rows.")
        reset_counters(tables)


def _restore_checkpoints(path: Path) -> None:
    """Before those of an earlier try at the same place, which would be the same."""
    settings.SIGNING_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    target = kept_path(settings.SIGNING_DIR)
    if target.exists() and target.stat().st_size:
        raise BackupError(
            f"{target} is there already. Move it away: it belongs to another database of this address."
        )
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(path.read_bytes())
