"""Sealing, keys and refusals of backups. The real restoring is tests/site/test_restore.py."""

from io import BytesIO, StringIO
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import CommandError, call_command

from leaderboard.backup.answers import sealed_vault, unseal_vault
from leaderboard.backup.errors import BackupError
from leaderboard.backup.files import list_keys, path_of
from leaderboard.backup.restore import check_backup, require_empty_site
from leaderboard.backup.sealing import seal, unseal
from leaderboard.backup.tables import kept_models
from tests.factories import make_team

WORDS = "correct horse battery"


@pytest.mark.parametrize("pieces", [[], [b""], [b"a"], [b"a" * 2**20, b"b", b"c" * 70_000]])
def test_what_is_sealed_opens_again(pieces: list[bytes]) -> None:
    sealed = b"".join(seal(pieces, WORDS))
    assert b"".join(unseal(BytesIO(sealed), WORDS)) == b"".join(pieces)
    assert b"aaaaaaaa" not in sealed


def frames() -> list[bytes]:
    return list(seal([b"first piece", b"second piece", b"third piece"], WORDS))


@pytest.mark.parametrize(
    "change",
    [
        lambda f: f[:-1],  # cut off between frames
        lambda f: [*f[:-1], f[-1][:-3]],  # and within one
        lambda f: [f[0], f[2], f[1], f[3]],  # another order
        lambda f: [f[0], f[1], f[1], *f[2:]],  # one twice
        lambda f: [f[0], f[3]],  # the last as the first
        lambda f: [f[0], f[1][:-1] + bytes([f[1][-1] ^ 1]), *f[2:]],  # one bit
        lambda f: [b"", *f[1:]],  # no head
    ],
)
def test_a_changed_file_does_not_open(change: object) -> None:
    changed = b"".join(change(frames()))  # type: ignore[operator]
    with pytest.raises(BackupError, match=r"answers\.sealed"):
        list(unseal(BytesIO(changed), WORDS))


def test_another_passphrase_does_not_open_it() -> None:
    with pytest.raises(BackupError, match="another passphrase"):
        list(unseal(BytesIO(b"".join(frames())), "a wrong passphrase"))


def test_a_short_passphrase_seals_nothing() -> None:
    with pytest.raises(BackupError, match="16 characters"):
        list(seal([b"x"], "short"))


def test_a_vault_goes_out_and_comes_back(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (vault / "deep").mkdir(parents=True)
    (vault / "deep" / "answers.csv").write_bytes(b"id,label\n" * 200_000)
    sealed = b"".join(sealed_vault(vault, WORDS))
    assert b"id,label" not in sealed
    unseal_vault(BytesIO(sealed), WORDS, tmp_path / "new")
    assert (tmp_path / "new/deep/answers.csv").read_bytes() == (vault / "deep/answers.csv").read_bytes()
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    with pytest.raises(BackupError, match="not empty"):
        unseal_vault(BytesIO(sealed), WORDS, tmp_path / "new")


@pytest.mark.parametrize("key", ["../up", "/root", "a/../../b", ""])
def test_a_backup_writes_nowhere_else(tmp_path: Path, key: str) -> None:
    with pytest.raises(BackupError, match="no place of a backup"):
        path_of(tmp_path, "blobs", key)
    with pytest.raises(BackupError):
        path_of(tmp_path, "vault", "x")


def test_keys_of_a_store() -> None:
    for key in ("b/2", "a", "b/1", "b/c/3"):
        storages["blobs"].save(key, ContentFile(b"x"))
    assert list(list_keys(storages["blobs"])) == ["a", "b/1", "b/2", "b/c/3"]
    assert list(list_keys(storages["evidence"])) == []


def test_sessions_stay_behind() -> None:
    tables = {model._meta.db_table for model in kept_models()}
    assert not {"django_session", "usersessions_usersession"} & tables
    assert {"leaderboard_decision", "submissions_user", "leaderboard_track_shows_also"} <= tables


@pytest.fixture
def backup(tmp_path: Path, db: None) -> Path:
    make_team()
    storages["blobs"].save("one/two", ContentFile(b"predictions"))
    folder = tmp_path / "backup"
    call_command("backup", to=folder, stdout=StringIO())
    return folder


def test_it_is_for_its_owner_alone(backup: Path) -> None:
    assert backup.stat().st_mode & 0o077 == 0
    assert all(path.stat().st_mode & 0o077 == 0 for path in backup.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("tables/submissions_team.jsonl", "submissions_team.jsonl is damaged"),
        ("files/blobs/one/two", "files/blobs/one/two is damaged"),
        ("files.jsonl", "files.jsonl is damaged"),
        ("manifest.json", "manifest.json is damaged"),
    ],
)
def test_a_damaged_file_is_named(backup: Path, name: str, says: str) -> None:
    check_backup(backup)
    (backup / name).write_bytes((backup / name).read_bytes()[:-1] + b"~")
    with pytest.raises(BackupError, match=says):
        check_backup(backup)
    with pytest.raises(CommandError, match=says):
        call_command("restore", folder=backup)


@pytest.mark.parametrize("name", ["tables/submissions_team.jsonl", "files/blobs/one/two", "manifest.json"])
def test_a_missing_file_is_named(backup: Path, name: str) -> None:
    (backup / name).unlink()
    with pytest.raises(BackupError, match=f"{name} is missing"):
        check_backup(backup)


def test_a_place_that_is_not_empty_is_refused(backup: Path) -> None:
    with pytest.raises(BackupError, match="database has tables already"):
        require_empty_site()
    with pytest.raises(CommandError, match="not empty"):
        call_command("backup", to=backup)


def test_answers_that_are_not_in_it(backup: Path) -> None:
    with pytest.raises(CommandError, match="holds no answers"):
        call_command("restore", folder=backup, with_answers=True)
